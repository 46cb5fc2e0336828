"""`edgewise init` and `edgewise bundle`: from an empty folder to everything that is delivered."""
import html
import json
import os
import re
import stat
import subprocess
import unittest
import zipfile

from driving import EDGEWISE, PATIENCE_S, SOURCE, EdgewiseTest


class BundleTest(EdgewiseTest):
    def bundle(self, *arguments):
        done = self.edgewise("bundle", *arguments, "--json")
        self.assertEqual(done.code, 0, done.stderr)
        return json.loads(done.stdout)

    def profile(self, folder, *steps):
        """Runs profile.sh with everything as short as it can be."""
        environment = {
            **self.environment,
            "EDGEWISE": str(SOURCE), "EDGEWISE_PROGRAM": str(EDGEWISE),
            "EDGEWISE_CLIENT_LIB": str(EDGEWISE.parent / "libedgewise_client.so"),
            "CMAKE_LIBRARY_PATH": str(EDGEWISE.parent),
            "CAMERA_PERIOD_MS": "100", "CAMERA_DEADLINE_MS": "100",
            "AUDIO_PERIOD_MS": "200", "AUDIO_DEADLINE_MS": "200",
            "MEASURE": "2s", "LOG_ITEMS": "20", "SWEEP_ITEMS": "5", "REPEAT": "1", "FLAME": "500ms", "CALIBRATE": "500ms",
            "EXEC": "1s",
            "PLAN_FLAGS": "--accept-observed",
        }
        done = subprocess.run([folder / "profile.sh", *steps], env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=PATIENCE_S)
        self.assertEqual(done.returncode, 0, done.stdout.decode() + done.stderr.decode())

    def test_a_starter_folder_becomes_a_bundle(self):
        done = self.edgewise("init", "lab")
        self.assertEqual(done.code, 0, done.stderr)
        self.assertIn("made profile.sh", done.stdout)
        self.assertIn("./profile.sh", done.stdout)
        lab = self.scratch / "lab"
        self.profile(lab)

        result = self.bundle("--from", lab, "-o", "again.html", "--zip", "again.zip")
        there = {each["title"]: each["there"] for each in result["deliverables"]}
        missing = [title for title, found in there.items() if not found]
        self.assertEqual(missing, ["MQTT latency breakdown", "Floating point and quantised models"])
        stored = {run["id"] for run in self.stored()}
        self.assertTrue(result["runs"])
        self.assertLessEqual(set(result["runs"]), stored)

        # The same Runs, the same bytes: profile.sh has made one already.
        page = (lab / "bundle.html").read_text()
        self.assertEqual(page, (self.scratch / "again.html").read_text())
        self.assertEqual((lab / "bundle.zip").read_bytes(), (self.scratch / "again.zip").read_bytes())

        with zipfile.ZipFile(lab / "bundle.zip") as archive:
            self.assertIsNone(archive.testzip())
            names = archive.namelist()
            self.assertEqual(names, sorted(result["files"]))
            for name in names:
                if name != "bundle.html":
                    self.assertIn(f"<td>{html.escape(name)}</td>", page)
            self.assertEqual(archive.read("bundle.html").decode(), page)
            self.assertEqual(archive.read("cards/camera.yaml"), (lab / "cards/camera.yaml").read_bytes())
            self.assertEqual(archive.read("logs/audio.csv"), (lab / "logs/audio.csv").read_bytes())
            self.assertEqual(len({entry.date_time for entry in archive.infolist()}), 1)
            self.assertTrue(stat.S_ISREG(archive.infolist()[0].external_attr >> 16))
            [executed] = [name for name in names if name.endswith("plan.yaml.json")]
            ways = [each["way"] for each in json.loads(archive.read(executed))["executions"]]
            self.assertEqual(ways, ["lab", "plan"])
            archive.extractall(self.scratch / "unpacked")
        # The card of the archive is one, and the plan a plan.
        self.assertEqual(self.edgewise("card", "--check", "unpacked/cards/audio.yaml").code, 0)

        # The page says where things come from, and loads nothing.
        for run in result["deliverables"][0]["runs"]:
            self.assertIn(run, page)
        self.assertIn("edgewise exec plan/plan.yaml --compare --duration 1s", page)
        self.assertNotIn("<script", page)
        self.assertEqual(re.findall(r'(?:src|href)="(?!data:|#)', page), [])
        self.assertEqual(page.count("<svg"), page.count("</svg>"))
        self.assert_nothing_left()

    def test_the_executions_of_a_bundle_are_those_that_exec_told(self):
        task = {"name": "x", "command": "/bin/true", "cores": "0", "wcet_ms": 20, "period_ms": 50, "deadline_ms": 50,
                "process_per_job": True}
        plan = self.scratch / "plan.yaml"
        plan.write_text(json.dumps({"tasks": [task]}))
        without_realtime = ("setpriv", "--bounding-set", "-sys_nice", "--inh-caps", "-sys_nice")
        for prefix in ((), without_realtime) if os.geteuid() == 0 else ((),):
            done = self.edgewise("exec", plan, "--compare", "--duration", "500ms", "--json", prefix=prefix)
            told = json.loads(done.stdout)
            self.bundle()
            with zipfile.ZipFile(self.scratch / "bundle.zip") as archive:
                read = json.loads(archive.read("exec/plan.yaml.json"))
            self.assertEqual(len(told["executions"]), len(read["executions"]))
            for before, after in zip(told["executions"], read["executions"]):
                for key in ("way", "run", "realtime", "warnings", "broken_assumptions"):
                    self.assertEqual(before[key], after[key], key)
                for key in ("jobs", "ended", "misses", "unstarted", "skipped", "response_ns", "response_bound_ns"):
                    self.assertEqual(before["tasks"][0][key], after["tasks"][0][key], key)
        # Another plan under that name was not executed.
        plan.write_text(json.dumps({"tasks": [{**task, "deadline_ms": 40}]}))
        result = self.bundle()
        self.assertFalse(result["deliverables"][5]["there"])
        self.assertIn("edgewise exec plan.yaml --compare", result["deliverables"][5]["commands"][0])

    def test_init_never_changes_a_file(self):
        folder = self.scratch / "lab"
        folder.mkdir()
        (folder / "goals.sh").write_text("mine")
        done = self.edgewise("init", folder)
        self.assertEqual(done.code, 2)
        self.assert_one_sentence(done.stderr, "not empty", "--force")
        self.assertEqual(os.listdir(folder), ["goals.sh"])
        done = self.edgewise("init", folder, "--force")
        self.assertEqual(done.code, 0, done.stderr)
        self.assert_one_sentence(done.stderr, "goals.sh", "not changed")
        self.assertEqual((folder / "goals.sh").read_text(), "mine")
        self.assertTrue(os.access(folder / "profile.sh", os.X_OK))

    def test_bad_input_gets_one_sentence(self):
        (self.scratch / "empty").mkdir()
        (self.scratch / "cards").mkdir()
        (self.scratch / "cards/x.yaml").write_text("name: x\nwcet_ms: 1\n")
        for arguments, words in (
                (("--from", "nowhere"), ("nowhere", "edgewise init")),
                (("--from", "empty"), ("nothing to bundle in empty",)),
                (("norun",), ("norun",)),
                (("-o", "-", "--json"), ("stdout",)),
                (("-o", "nowhere/x.html"), ("nowhere/x.html",))):
            done = self.edgewise("bundle", *arguments)
            self.assertEqual(done.code, 2, (arguments, done.stderr))
            self.assert_one_sentence(done.stderr, *words)


if __name__ == "__main__":
    unittest.main()

"""`edgewise sweep`: every point measured, resumable, failures kept."""
import json
import os
import signal
import subprocess
import unittest

from driving import EdgewiseTest, program, wait_until

# Nothing here is about speed, so no Run is made again because of other load.
CALM = ("--cool-down", "0", "--limit-others", "0", "--limit-steal", "0", "--limit-pressure", "0")


class SweepTest(EdgewiseTest):
    def sweep(self, *arguments, code=0):
        done = self.edgewise("sweep", *CALM, *arguments)
        self.assertEqual(done.code, code, done.stderr + done.stdout[-2000:])
        return done

    def curve(self, *arguments):
        return json.loads(self.sweep("--json", *arguments).stdout)

    def runs(self):
        done = self.edgewise("list", "--json")
        self.assertEqual(done.code, 0, done.stderr)
        return json.loads(done.stdout)["runs"]

    def test_points_are_measured_under_their_conditions(self):
        curve = self.curve("--threads", "1,2", "--cpus", "0", "--repeat", "2", "--",
                           "sh", "-c", "echo $OMP_NUM_THREADS $(taskset -p $$ | sed 's/.*: //')")
        settings = [point["setting"] for point in curve["points"]]
        self.assertEqual(settings, [{"cpus": "0", "threads": "1"}, {"cpus": "0", "threads": "2"}])
        for point in curve["points"]:
            self.assertEqual(len(point["runs"]), 2)
            for run in point["runs"]:
                self.assertEqual(self.show(run)["output_tail"].split(), [point["setting"]["threads"], "1"])

    def test_spans_make_items_and_figures_have_intervals(self):
        curve = self.curve("--vary", "how=steady,slow", "--repeat", "3", "--span", "frame", "--",
                           *program("spans", "{how}", "150"))
        steady, _ = curve["points"]
        self.assertEqual((curve["span"], steady["items"]), ("frame", 450))
        figure = steady["figures"]["p50_ns"]
        self.assertTrue(figure["low"] <= figure["value"] <= figure["high"], figure)
        self.assertIsNone(steady["figures"]["energy_per_item_j"])
        [comparison] = curve["comparisons"]
        self.assertEqual((comparison["value"], comparison["against"]), ("slow", "steady"))
        self.assertIn("five", comparison["p50"]["reason"])

    def test_a_failing_point_is_marked_and_the_rest_goes_on(self):
        done = self.sweep("--vary", "code=0,3", "--repeat", "2", "--", "sh", "-c", "exit {code}")
        self.assertIn("2 of 2 failed: exit code 3", done.stdout)
        self.assertIn("failed with code 3", done.stderr)
        curve = json.loads(self.edgewise("sweep", "--show", "last", "--json").stdout)
        self.assertEqual([(p["failed"], len(p["runs"])) for p in curve["points"]], [(0, 2), (2, 0)])
        self.assertEqual(curve["points"][1]["figures"]["p50_ns"], None)

    def test_out_of_memory_is_named(self):
        if not os.access("/sys/fs/cgroup", os.W_OK):
            self.skipTest("needs a memory cgroup")
        done = self.sweep("--memory", "8Mi", "--repeat", "1", "--", "/usr/bin/python3", "-c", "b = bytearray(64 << 20)")
        self.assertIn("killed by its memory limit", done.stdout)

    def test_a_killed_sweep_goes_on_where_it_stopped(self):
        mark = self.scratch / "third"
        os.mkfifo(mark)
        # The third Run waits for us.
        script = f"echo x >> {self.scratch}/log; [ $(wc -l < {self.scratch}/log) -ne 3 ] || cat {mark}"
        arguments = (*CALM, "--vary", "a=1,2", "--repeat", "3", "--", "sh", "-c", script + " # {a}")
        sweep = self.start("sweep", *arguments)
        wait_until(lambda: (self.scratch / "log").exists()
                   and (self.scratch / "log").read_text().count("x") == 3, "the third Run")
        sweep.kill()
        sweep.wait()
        done = self.sweep(*arguments[len(CALM):])
        self.assertIn("2 are there from an interrupted sweep", done.stderr)
        self.assertEqual((self.scratch / "log").read_text().count("x"), 3 + 4)
        curve = json.loads(self.edgewise("sweep", "--show", "last", "--json").stdout)
        self.assertEqual([len(p["runs"]) for p in curve["points"]], [3, 3])

    def test_ctrl_c_keeps_what_was_measured(self):
        log = self.scratch / "log"
        arguments = ("--vary", "a=1,2", "--repeat", "2", "--", "sh", "-c",
                     f"echo x >> {log}; [ $(wc -l < {log}) -ne 2 ] || exec sleep 1000 # {{a}}")
        sweep = self.start("sweep", *CALM, *arguments)
        wait_until(lambda: log.exists() and log.read_text().count("x") == 2, "the second Run")
        sweep.send_signal(signal.SIGINT)
        _, stderr = sweep.communicate(timeout=60)
        self.assertEqual(sweep.returncode, 130)
        self.assertIn(b"goes on where it stopped", stderr)
        self.assertIn("1 are there", self.sweep(*arguments).stderr)

    def test_a_complete_sweep_is_measured_anew(self):
        arguments = ("--vary", "a=1,2", "--repeat", "1", "--", "true", "{a}")
        first = self.curve(*arguments)["sweep"]
        second = self.curve(*arguments)["sweep"]
        self.assertNotEqual(first, second)
        self.assertEqual(json.loads(self.edgewise("sweep", "--show", first, "--json").stdout)["sweep"], first)

    def test_pages_and_charts_are_written(self):
        self.sweep("--threads", "1,2", "--repeat", "2", "--html", "s.html", "--svg", "charts", "--",
                   *program("spans", "steady", "50"))
        page = (self.scratch / "s.html").read_text()
        self.assertIn("<svg", page)
        self.assertNotIn("<script", page)
        names = {path.name for path in (self.scratch / "charts").iterdir()}
        self.assertTrue({"throughput.svg", "p50.svg", "p99.svg", "jitter.svg"} <= names, names)

    def test_disturbed_runs_are_made_again_and_said(self):
        # A busy neighbour on another core would be noise; a limit below what edgewise itself uses is not.
        done = self.edgewise("sweep", "--cool-down", "0", "--limit-others", "0.0001", "--retries", "1", "--threads", "1",
                             "--repeat", "1", "--", "/usr/bin/python3", "-c",
                             "import time\ne = time.time() + 1.2\nwhile time.time() < e: pass")
        self.assertEqual(done.code, 0, done.stderr)
        self.assertIn("; again", done.stderr)
        self.assertIn("; kept", done.stderr)
        self.assertIn("1 of 1 disturbed", done.stdout)
        self.assertEqual(len(self.runs()), 2)

    def test_bad_input_says_what_to_do(self):
        for arguments, code, text in (
                (("--", "true"), 2, "nothing to sweep"),
                (("--threads", "1,x", "--", "true"), 2, '"x" is not a number'),
                (("--threads", "1,,2", "--", "true"), 2, "empty value"),
                (("--vary", "a=1,2", "--", "true"), 2, "{a} appears nowhere"),
                (("--vary", "threads=1", "--", "true"), 2, "use --threads"),
                (("--vary", "a=1", "--vary", "a=2", "--", "true", "{a}"), 2, "twice"),
                (("--cpus", "4000", "--", "true"), 2, "4000"),
                (("--load", "often", "--", "true"), 2, "poisson:RATE"),
                (("--threads", "1", "--"), 2, "command"),
                (("--threads", "1", "--", "/no/such/program"), 2, "/no/such/program"),
                (("--treads", "1", "--", "true"), 2, "did you mean --threads"),
                (("--show", "ffffffffffff"), 2, "ffffffffffff"),
                (("--threads", "1", "--html", "-", "--json", "--", "true"), 2, "both want stdout"),
                (("--threads", "1", "--repeat", "0", "--", "true"), 2, "--repeat")):
            with self.subTest(arguments=arguments):
                done = self.edgewise("sweep", *arguments)
                self.assertEqual(done.code, code, done.stderr)
                self.assertIn(text, done.stderr)
                self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
        self.assertEqual(self.edgewise("list", "--json").stdout.count('"id"'), 0)


if __name__ == "__main__":
    unittest.main()

"""Exports open in what people use: checked with the viewers' own programs and schemas."""
import collections
import gzip
import json
import os
import pathlib
import shutil
import subprocess
import unittest

from driving import PATIENCE_S, SOURCE, EdgewiseTest, program

VIEWERS = pathlib.Path(os.environ["EDGEWISE_VIEWERS"])

COLLAPSED = """camera;main;read_frame;copy_user_[k] 250
camera;main;read_frame;decode 450
camera;main;wait 20
camera;main;über "quoted" <T> 30
camera 7
"""


def pprof(*arguments):
    """What `go tool pprof` prints; Debian's go, or else the one of its makers."""
    go = next((path for path in ("/usr/bin/go", shutil.which("go"), "/usr/local/go/bin/go")
               if path and os.path.exists(path)), None)
    if go is None:
        raise AssertionError("pprof is checked with `go tool pprof`: install golang-go")
    # Newer ones build the tool when it is first used, which takes a while.
    environment = {**os.environ, "HOME": str(VIEWERS), "GOCACHE": str(VIEWERS / "go-cache"), "GOTOOLCHAIN": "local",
                   "GOFLAGS": ""}
    done = subprocess.run([go, "tool", "pprof", *map(str, arguments)], capture_output=True, text=True,
                          timeout=4 * PATIENCE_S, env=environment)
    if done.returncode != 0:
        raise AssertionError("go tool pprof failed: " + done.stderr)
    return done.stdout


def counted(collapsed):
    """The counts of stacks, equal lines added up."""
    counts = collections.Counter()
    for line in collapsed.splitlines():
        stack, _, count = line.rpartition(" ")
        counts[stack] += int(count)
    return counts


def install_viewers():
    """npm's packages of tests/viewers, beside the build; once for each lock file."""
    source = SOURCE / "tests/viewers"
    installed = VIEWERS / "installed-lock.json"
    lock = (source / "package-lock.json").read_text()
    if not installed.exists() or installed.read_text() != lock:
        for name in ("package.json", "package-lock.json", ".npmrc"):
            shutil.copy(source / name, VIEWERS)
        done = subprocess.run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=VIEWERS,
                              capture_output=True, text=True, timeout=5 * PATIENCE_S)
        if done.returncode != 0:
            raise AssertionError("npm ci failed: " + done.stderr)
        installed.write_text(lock)
    return VIEWERS / "node_modules"


class ExportsTest(EdgewiseTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        VIEWERS.mkdir(parents=True, exist_ok=True)

    def do(self, *arguments, **options):
        done = self.edgewise(*arguments, **options)
        self.assertEqual(done.code, 0, done.stderr)
        return done.stdout

    def import_collapsed(self, text=COLLAPSED):
        path = self.scratch / "stacks.txt"
        path.write_text(text)
        self.do("import", "collapsed", str(path), "--label", "stacks")


class OutputFileTest(ExportsTest):
    def export(self, path):
        return self.edgewise("export", "stacks", "--format", "collapsed", "--output", path)

    def test_links_and_permissions_stay(self):
        self.import_collapsed()
        target = self.scratch / "target.txt"
        target.write_text("old")
        target.chmod(0o600)
        link = self.scratch / "link.txt"
        link.symlink_to(target)
        self.assertEqual(self.export(link).code, 0)
        self.assertTrue(link.is_symlink())
        self.assertIn("read_frame", target.read_text())
        self.assertEqual(target.stat().st_mode & 0o777, 0o600)
        self.assertEqual([f.name for f in self.scratch.glob("target.txt?*")], [])

    def test_pipes_are_written_to(self):
        self.import_collapsed()
        pipe = self.scratch / "pipe"
        os.mkfifo(pipe)
        reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE)
        self.addCleanup(self.finish, reader)
        self.assertEqual(self.export(pipe).code, 0)
        self.assertIn(b"read_frame", reader.communicate(timeout=PATIENCE_S)[0])
        self.assertTrue(pipe.is_fifo())

    def test_a_folder_is_refused(self):
        self.import_collapsed()
        done = self.export(self.scratch)
        self.assertNotEqual(done.code, 0)
        self.assert_one_sentence(done.stderr, "cannot write")


class PprofTest(ExportsTest):
    def test_go_tool_pprof_shows_the_same_shares(self):
        self.import_collapsed()
        path = self.scratch / "profile.pb.gz"
        self.do("export", "stacks", "--format", "pprof", "--output", str(path))
        gzip.decompress(path.read_bytes())
        text = pprof("-top", "-nodecount=50", path)
        rows = {line.split(None, 5)[5]: line.split()[:5] for line in text.splitlines()
                if len(line.split(None, 5)) == 6 and line.split()[1].endswith("%")}
        self.assertEqual(rows["decode"][0], "450")
        self.assertEqual(rows["main"][3], "750")
        self.assertEqual(rows["copy_user_[k]"][0], "250")

    def test_labels_tell_threads_apart(self):
        self.import_collapsed()
        path = self.scratch / "profile.pb.gz"
        self.do("export", "stacks", "--format", "pprof", "--output", str(path))
        text = pprof("-tags", path)
        self.assertIn("process:", text)
        self.assertIn("camera", text)


class SpeedscopeTest(ExportsTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.modules = install_viewers()
        cls.release = cls.modules / "speedscope/dist/release"

    def validate(self, path):
        return subprocess.run(["node", str(SOURCE / "tests/viewers/validate.js"),
                               str(self.release / "file-format-schema.json"), str(path)],
                              env={**os.environ, "NODE_PATH": str(self.modules)}, capture_output=True, text=True,
                              timeout=PATIENCE_S)

    def test_the_export_fits_the_viewers_schema(self):
        self.import_collapsed()
        path = self.scratch / "stacks.speedscope.json"
        self.do("export", "stacks", "--format", "speedscope", "--output", str(path))
        done = self.validate(path)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_validator_refuses_what_does_not_fit(self):
        path = self.scratch / "bad.json"
        path.write_text('{"profiles": [{"type": "sampled"}]}')
        self.assertNotEqual(self.validate(path).returncode, 0)

    def test_weights_and_samples_are_as_many(self):
        self.import_collapsed()
        document = json.loads(self.do("export", "stacks", "--format", "speedscope"))
        for profile in document["profiles"]:
            self.assertEqual(len(profile["samples"]), len(profile["weights"]))
            self.assertEqual(sum(profile["weights"]), profile["endValue"])

    def test_collapsed_stacks_of_a_real_program_come_back_as_they_were(self):
        sample = next(self.release.glob("perf-vertx-stacks-01-collapsed-all*.txt"))
        self.do("import", "collapsed", str(sample), "--label", "vertx")
        exported = self.do("export", "vertx", "--format", "collapsed")
        # Not assertEqual: its account of a difference takes minutes.
        self.assertTrue(counted(exported) == counted(sample.read_text()))


class ChromeTest(ExportsTest):
    def test_slices_and_counters_keep_the_rules_of_the_format(self):
        run = self.run_json("--", *program("spans", "steady", 300))
        document = json.loads(self.do("export", run["id"], "--format", "chrome"))
        events = document["traceEvents"]
        slices = [event for event in events if event["ph"] == "X"]
        counters = {}
        for event in events:
            self.assertIn(event["ph"], "XCM")
            self.assertIsInstance(event["name"], str)
            self.assertIsInstance(event["pid"], int)
            self.assertIsInstance(event["tid"], int)
            if event["ph"] != "M":
                self.assertGreaterEqual(event["ts"], 0)
            if event["ph"] == "X":
                self.assertGreaterEqual(event["dur"], 0)
            if event["ph"] == "C":
                self.assertEqual([type(value) in (int, float) for value in event["args"].values()], [True])
                counters.setdefault(event["name"], []).append(event["ts"])
        self.assertEqual(len(slices), sum(span["count"] for span in run["spans"]))
        self.assertEqual(len(counters["temperature_c"]), 300)
        self.assertEqual({event["cat"] for event in slices}, {"span", "job"})
        for times in counters.values():
            self.assertEqual(times, sorted(times))


class ViewerTest(ExportsTest):
    """Every format in speedscope itself, which reads them all, in Chromium."""

    def open(self, *files):
        done = subprocess.run(["node", str(SOURCE / "tests/viewers/open_in_speedscope.mjs"), str(install_viewers()),
                               *map(str, files)], capture_output=True, text=True, timeout=2 * PATIENCE_S)
        return done

    def test_exports_open_in_a_viewer(self):
        self.run_json("--stacks", "999", "--label", "app", "--", *program("spans", "steady", 1000))
        files = []
        for name, form in (("stacks.txt", "collapsed"), ("stacks.json", "speedscope"), ("stacks.pb.gz", "pprof"),
                           ("trace.json", "chrome")):
            files.append(self.scratch / name)
            self.do("export", "app", "--format", form, "--output", files[-1])
        done = self.open(*files)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(done.stdout.splitlines()), len(files), done.stdout)

    def test_what_is_no_profile_does_not_open(self):
        path = self.scratch / "bad.json"
        path.write_text('{"traceEvents": 7}')
        self.assertNotEqual(self.open(path).returncode, 0)


if __name__ == "__main__":
    unittest.main()

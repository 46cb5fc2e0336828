"""Drives the built edgewise with real programs, each test in a store of its own.

CMake names the programs in the environment: EDGEWISE_BINARY (edgewise itself)
and EDGEWISE_PROGRAMS (the folder of programs/*.cc as built).
"""
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

EDGEWISE = pathlib.Path(os.environ["EDGEWISE_BINARY"]).resolve()
PROGRAMS = pathlib.Path(os.environ["EDGEWISE_PROGRAMS"]).resolve()
SOURCE = pathlib.Path(__file__).resolve().parents[2]
PYTHON = sys.executable

# Far beyond what anything here takes: a hang must fail, a slow machine must not.
PATIENCE_S = 120

SESSION_FOLDER = re.compile("edgewise-[0-9a-f]{12}")
GUARDIAN = "edgewise-guardi"  # the kernel keeps 15 characters

Done = collections.namedtuple("Done", "code stdout stderr")


def program(name, *arguments):
    return [str(PROGRAMS / name), *map(str, arguments)]


def wait_until(condition, what):
    """Polls until the condition holds and returns what it returned."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        result = condition()
        if result:
            return result
        time.sleep(0.005)
    raise AssertionError(f"in vain waited for: {what}")


def read_text(path):
    """The text of a file; empty if there is none (any more)."""
    try:
        return pathlib.Path(path).read_text(errors="replace")
    except OSError:
        return ""


def alive(pid):
    return process_state(pid) not in ("", "Z", "X")


def process_state(pid):
    """One letter as in ps; empty if there is no such process."""
    stat = read_text(f"/proc/{pid}/stat")
    return stat.rpartition(")")[2].split()[0] if stat else ""


def children_of(pid):
    return [int(child) for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children")
            for child in read_text(task).split()]


def processes_with(text):
    """Pids of living processes that have `text` in their environment."""
    found = []
    for folder in pathlib.Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            try:
                environment = (folder / "environ").read_bytes()
            except OSError:
                continue
            if text.encode() in environment and alive(folder.name):
                found.append(int(folder.name))
    return found


def session_cgroups():
    """Every cgroup that edgewise made and that still is there."""
    found = set()
    for line in read_text("/proc/self/mountinfo").splitlines():
        left, _, right = line.partition(" - ")
        if right.startswith(("cgroup ", "cgroup2 ")):
            mount = left.split()[4]
            for folder, names, _ in os.walk(mount):
                found.update(os.path.join(folder, name) for name in names if SESSION_FOLDER.fullmatch(name))
    return found


def guardians():
    """Every guardian process, of whichever run."""
    return {folder.name for folder in pathlib.Path("/proc").iterdir()
            if folder.name.isdigit() and read_text(folder / "comm").startswith(GUARDIAN) and alive(folder.name)}


class EdgewiseTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.before = session_cgroups() | guardians()
        # Short, because sockets live below it.
        self.scratch = pathlib.Path(tempfile.mkdtemp(prefix="ew-", dir="/tmp"))
        self.addCleanup(shutil.rmtree, self.scratch, ignore_errors=True)
        self.home = self.scratch / "home"
        self.temp = self.scratch / "tmp"
        self.temp.mkdir()
        self.environment = {
            "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
            "HOME": str(self.scratch),
            "EDGEWISE_HOME": str(self.home),
            "TMPDIR": str(self.temp),
            "LANG": "C.UTF-8",
        }

    def edgewise(self, *arguments, stdin=b"", env=None, prefix=(), binary=EDGEWISE, **options):
        done = subprocess.run([*prefix, binary, *map(str, arguments)], input=stdin, capture_output=True,
                              env=env or self.environment, timeout=PATIENCE_S, cwd=self.scratch, **options)
        return Done(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))

    def start(self, *arguments, env=None, **options):
        """Starts edgewise and returns; it is killed when the test ends."""
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
        process = subprocess.Popen([EDGEWISE, *map(str, arguments)], env=env or self.environment, cwd=self.scratch,
                                   **options)
        self.addCleanup(self.finish, process)
        return process

    @staticmethod
    def finish(process):
        """Kills a process that a test started, if it still runs."""
        if process.poll() is None:
            process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream:
                stream.close()

    def run_json(self, *arguments, code=0, **options):
        """The JSON of `edgewise run --json`, which must end with `code`."""
        done = self.edgewise("run", "--json", *arguments, **options)
        self.assertEqual(done.code, code, done.stderr + done.stdout[-2000:])
        return json.loads(done.stdout)

    def show(self, reference="last"):
        done = self.edgewise("show", reference, "--json")
        self.assertEqual(done.code, 0, done.stderr)
        return json.loads(done.stdout)

    def stored(self):
        """All Runs of the store, newest first."""
        done = self.edgewise("list", "--json")
        self.assertEqual(done.code, 0, done.stderr)
        return json.loads(done.stdout)["runs"]

    def script(self, text, name="script.sh"):
        """An executable shell script."""
        path = self.scratch / name
        path.write_text("#!/bin/sh\n" + text + "\n")
        path.chmod(0o755)
        return str(path)

    def assert_one_sentence(self, stderr, *words):
        """An error is one line that says who speaks, and has these words."""
        lines = stderr.strip().splitlines()
        self.assertEqual(len(lines), 1, stderr)
        self.assertTrue(lines[0].startswith("edgewise: "), stderr)
        for word in words:
            self.assertIn(word, lines[0])

    def assert_nothing_left(self):
        """No process, cgroup, temporary file or journal of this test's store."""
        wait_until(lambda: not processes_with(f"EDGEWISE_HOME={self.home}"), "the end of all processes")
        wait_until(lambda: not list(self.temp.iterdir()), f"an empty {self.temp}: {list(self.temp.iterdir())}")
        journals = self.home / "sessions"
        wait_until(lambda: not journals.exists() or not list(journals.iterdir()), "the end of all journals")
        # Others' sessions come and go; what is there now must go.
        there = (session_cgroups() | guardians()) - self.before
        wait_until(lambda: not (there & (session_cgroups() | guardians())), f"the end of {there}")

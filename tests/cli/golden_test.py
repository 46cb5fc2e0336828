"""Golden cases of the command line.

A case is a folder with `cmd` (shell text; `edgewise` is the built program, the
store is a fixed one made for the case) and `expected` (its stdout, stderr and
exit code). EDGEWISE_UPDATE_GOLDENS=1 rewrites the expectations for review.

    golden_test.py EDGEWISE MAKE_FIXTURE_STORE CASES_FOLDER
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

EDGEWISE, MAKE_STORE, CASES = (pathlib.Path(a).resolve() for a in sys.argv[1:4])


def run_case(folder):
    with tempfile.TemporaryDirectory(prefix="edgewise-golden-") as scratch:
        scratch = pathlib.Path(scratch)
        bin_folder = scratch / "bin"
        bin_folder.mkdir()
        (bin_folder / "edgewise").symlink_to(EDGEWISE)
        for extra in folder.iterdir():
            if extra.name not in ("cmd", "expected"):
                shutil.copy(extra, scratch)
        environment = {
            "PATH": f"{bin_folder}:/usr/bin:/bin",
            "HOME": str(scratch),
            "EDGEWISE_HOME": "store",
            "LANG": "C.UTF-8",
        }
        subprocess.run([MAKE_STORE, scratch / "store"], check=True)
        done = subprocess.run(["/bin/sh", "-c", (folder / "cmd").read_text()], cwd=scratch, env=environment,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
        text = done.stdout.decode("utf-8", "replace")
        error = done.stderr.decode("utf-8", "replace")
        report = text
        if error:
            report += "--- stderr\n" + error
        return report + f"--- exit code {done.returncode}\n"


class GoldenTest(unittest.TestCase):
    maxDiff = None


def add_case(folder):
    def test(self):
        actual = run_case(folder)
        expected = folder / "expected"
        if os.environ.get("EDGEWISE_UPDATE_GOLDENS"):
            expected.write_text(actual)
        self.assertEqual(expected.read_text(), actual)

    setattr(GoldenTest, "test_" + folder.name.replace("-", "_"), test)


for case in sorted(CASES.iterdir()):
    if case.is_dir():
        add_case(case)
unittest.main(argv=sys.argv[:1])

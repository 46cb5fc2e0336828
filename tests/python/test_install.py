"""pip install without network, and what an installed package changes."""

import os
import subprocess
import sys
import tempfile
import unittest

from ring_dump import RingDump, run_python
from test_prof_utils import SAGE_SNIPPET


class InstallTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls._temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls._temporary.cleanup)
        # A user site of our own: installed for this test and nobody else.
        cls.environment = {"PYTHONUSERBASE": cls._temporary.name, "PYTHONPATH": ""}
        subprocess.run(
            [sys.executable, "-m", "pip", "install", "--quiet", "--user"]
            + ["--break-system-packages", "--root-user-action=ignore"]
            + ["--disable-pip-version-check", "--no-index"]
            + ["--no-build-isolation", os.environ["EDGEWISE_PYTHON_SOURCE"]],
            check=True,
            env=dict(os.environ, **cls.environment),
        )
        # From now on the installed library has to be found by itself.
        cls.environment["EDGEWISE_CLIENT_LIB"] = ""

    def run_installed(self, code, **more):
        return run_python(code, **{**self.environment, **more})

    def test_installed_package_brings_its_library(self):
        done = self.run_installed(
            "import edgewise; print(edgewise.available, edgewise.__file__)"
        )
        available, path = done.stdout.split()
        self.assertEqual(available, "True", done.stderr)
        self.assertTrue(path.startswith(self.environment["PYTHONUSERBASE"]))

    def test_source_tree_stays_clean(self):
        left = set(os.listdir(os.environ["EDGEWISE_PYTHON_SOURCE"]))
        self.assertFalse({"build", "dist", "edgewise.egg-info"} & left)

    def test_sage_snippet_runs_without_pywaggle(self):
        with RingDump() as dump:
            done = self.run_installed(
                "def inference(): pass\n" + SAGE_SNIPPET, socket=dump.socket
            )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(dump.spans("latency")), 1)

    def test_real_pywaggle_is_not_hidden(self):
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "pywaggle"))
            with open(os.path.join(folder, "pywaggle", "__init__.py"), "w") as file:
                file.write("real = True\n")
            done = self.run_installed(
                """
import pywaggle
assert pywaggle.real
try:
    import pywaggle.live_metrics
except ModuleNotFoundError:
    print("real one only")
""",
                PYTHONPATH=folder,
            )
            self.assertEqual(done.stdout, "real one only\n", done.stderr)
            with open(os.path.join(folder, "pywaggle", "live_metrics.py"), "w") as file:
                file.write("class LiveMetrics: real = True\n")
            done = self.run_installed(
                "import edgewise\n"
                "from pywaggle.live_metrics import LiveMetrics; print(LiveMetrics.real)",
                PYTHONPATH=folder,
            )
            self.assertEqual(done.stdout, "True\n", done.stderr)

    def test_start_of_python_loads_neither_ctypes_nor_edgewise(self):
        done = self.run_installed(
            "import sys; print('ctypes' in sys.modules, 'edgewise' in sys.modules)"
        )
        self.assertEqual(done.stdout, "False False\n", done.stderr)


if __name__ == "__main__":
    unittest.main()

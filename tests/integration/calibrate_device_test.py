"""`edgewise calibrate --device` that measures this machine, with a program in the place of the sample app."""
import json
import shutil
import unittest

from driving import EDGEWISE, PROGRAMS, EdgewiseTest


class CalibrateDeviceTest(EdgewiseTest):
    def setUp(self):
        super().setUp()
        apps = self.scratch / "apps"
        apps.mkdir()
        (apps / "dl").symlink_to(PROGRAMS / "inference")
        self.environment["EDGEWISE_APPS"] = str(apps)

    def test_this_machine_is_measured_and_placed(self):
        done = self.edgewise("calibrate", "--device", "My board", "--spec", "Cortex-A72 1.8GHz", "-o", "mine.ewm", "--json")
        self.assertEqual(done.code, 0, done.stderr)
        answer = json.loads(done.stdout)
        self.assertEqual(sorted(answer["used"]), ["resnet18", "squeezenet", "squeezenet_int8"])
        self.assertIn("not measured: mobilenet_v2", done.stderr)
        checks = {check["network"]: check for check in answer["checks"]}
        # It spins for 20 ms and for 4 ms; a disturbed machine takes longer, never less.
        self.assertGreaterEqual(checks["resnet18"]["measured_ms"], 20)
        self.assertGreaterEqual(checks["squeezenet"]["measured_ms"], 4)
        self.assertGreater(checks["resnet18"]["by_spec_ms"], 0)
        done = self.edgewise("predict", "resnet18", "--model", "mine.ewm", "--device", "My board", "--json")
        row = json.loads(done.stdout)["ranking"][0]
        self.assertEqual(row["basis"], "calibrated")
        self.assertLess(row["interval_90_ms"][0], row["predicted_ms"])

    def test_without_the_sample_app_it_says_where_to_get_it(self):
        self.environment["EDGEWISE_APPS"] = str(self.scratch)
        self.environment["PATH"] = str(self.scratch)
        copy = self.scratch / "bin" / "edgewise"
        copy.parent.mkdir()
        models = self.scratch / "bin" / "models"
        shutil.copy(EDGEWISE, copy)
        shutil.copytree(EDGEWISE.parent / "models", models)
        done = self.edgewise("calibrate", "--device", "My board", "-o", "mine.ewm", binary=copy)
        self.assertEqual(done.code, 3, done.stderr)
        self.assertIn("EDGEWISE_APPS", done.stderr)
        self.assertFalse((self.scratch / "mine.ewm").exists())


if __name__ == "__main__":
    unittest.main()

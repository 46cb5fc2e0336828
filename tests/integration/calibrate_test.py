"""`edgewise calibrate --timers`: what this machine adds to a job, and that plans count with it."""
import json
import unittest

from driving import EdgewiseTest


class CalibrateTest(EdgewiseTest):
    def calibrate(self):
        done = self.edgewise("calibrate", "--timers", "--cores", "0", "--interval", "1ms", "--duration", "500ms", "--json")
        self.assertEqual(done.code, 0, done.stderr)
        return json.loads(done.stdout)

    def plan(self, *arguments):
        card = self.scratch / "card.yaml"
        card.write_text(json.dumps({"name": "a", "period_ms": 1000, "wcet_ms": 5}))
        done = self.edgewise("plan", card.name, "--cores", "0", "--json", *arguments)
        self.assertIn(done.code, (0, 1), done.stderr)
        return json.loads(done.stdout)

    def test_every_job_is_counted_and_plans_count_with_the_bound(self):
        before = self.plan()["tasks"][0]["response_bound_ns"]
        timers = self.calibrate()
        for name in ("latency", "hand_over"):
            figures = timers[name]
            self.assertGreater(figures["samples"], 100, timers)
            self.assertGreater(figures["p50_ns"], 0)
            self.assertLessEqual(figures["p50_ns"], figures["p99_ns"])
            self.assertLessEqual(figures["p99_ns"], figures["bound_ns"])
            self.assertLessEqual(figures["bound_ns"], figures["max_ns"])
            self.assertEqual(sum(bin["count"] for bin in timers[f"{name}_histogram"]), figures["samples"])
        after = self.plan()
        self.assertTrue(any("as measured here" in note for note in after["notes"]), after)
        self.assertGreater(after["tasks"][0]["response_bound_ns"], before)
        by_hand = self.plan("--latency", "0")
        self.assertEqual(by_hand["tasks"][0]["response_bound_ns"], before)
        self.assert_nothing_left()

    def test_timers_of_another_machine_are_not_counted(self):
        self.home.mkdir(parents=True, exist_ok=True)
        (self.home / "timers.yaml").write_text("machine: 0123456789abcdef\nlatency: {bound_ms: 100}\n")
        plan = self.plan()
        self.assertTrue(any("another machine" in note for note in plan["notes"]), plan)

    def test_people_get_a_table_and_a_picture(self):
        done = self.edgewise("calibrate", "--timers", "--cores", "0", "--interval", "1ms", "--duration", "200ms")
        self.assertEqual(done.code, 0, done.stderr)
        self.assertIn("release to start, core idle", done.stdout)
        self.assertIn("Plans made here now count with", done.stdout)

    def test_bad_input_is_one_sentence(self):
        for arguments, word in ((("calibrate",), "--timers"),
                                (("calibrate", "--timers", "--interval", "1ns"), "--interval"),
                                (("calibrate", "--timers", "--duration", "5ms"), "100 intervals"),
                                (("calibrate", "--timers", "--cores", "x"), "--cores")):
            done = self.edgewise(*arguments)
            self.assertEqual(done.code, 2, done.stderr)
            self.assert_one_sentence(done.stderr, word)


if __name__ == "__main__":
    unittest.main()

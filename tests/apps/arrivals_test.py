"""When items start: at once, on a schedule, with deadlines."""
import signal
import subprocess
import unittest

from driving import PATIENCE_S, read_text, wait_until
from running import AppTest


class ArrivalsTest(AppTest):
    def test_an_overloaded_rate_keeps_its_intended_times(self):
        # Item k is meant to start at k x 2 ms and cannot end before
        # (k + 1) x 10 ms of work: the last one takes 162 ms or more.
        _, spans = self.measured("spin", "--work", "10ms", "--rate", 500, "--items", 20)
        self.assertGreater(spans["item"]["max_ms"], 140)
        self.assertLess(spans["spin"]["p50_ms"]["value"], spans["item"]["max_ms"] / 2)

    def test_the_python_twin_keeps_them_too(self):
        _, spans = self.measured("image.py", "--rate", 100_000, "--items", 15)
        stages = sum(spans[name]["mean_ms"] for name in ("resize", "background", "flow", "contours"))
        self.assertGreater(spans["frame"]["jobs"]["response"]["max_ms"], 10 * stages)

    def test_a_rate_that_is_low_enough_is_kept(self):
        result = self.result("spin", "--work", "10us", "--rate", 100, "--items", 11)
        self.assertGreaterEqual(result["elapsed_s"], 0.1)
        self.assertIsNone(result["deadline_misses"])

    def test_a_period_makes_jobs_with_deadlines(self):
        run, spans = self.measured("spin", "--work", "10ms", "--period", "2ms", "--items", 10)
        self.assertEqual(spans["item"]["jobs"]["deadline_misses"], 10)
        self.assertEqual(spans["item"]["jobs"]["response"]["count"], 10)
        self.assertIn("10 deadlines missed", run["output_tail"])

    def test_a_deadline_may_be_longer_than_the_period(self):
        _, spans = self.measured("spin", "--work", "3ms", "--period", "2ms", "--deadline", "1h", "--items", 10)
        self.assertEqual(spans["item"]["jobs"]["deadline_misses"], 0)

    def test_all_at_once_counts_from_the_start(self):
        _, spans = self.measured("spin", "--work", "5ms", "--arrivals", "at-once", "--items", 20)
        self.assertGreater(spans["item"]["max_ms"], 90)

    def test_poisson_arrivals_lose_no_item(self):
        self.assertEqual(self.result("spin", "--rate", 1000, "--arrivals", "poisson", "--work", "10us")["items"], 200)

    def test_a_duration_ends_it(self):
        result = self.result("spin", "--work", "1ms", "--duration", "200ms")
        self.assertGreater(result["items"], 1)
        self.assertGreaterEqual(result["elapsed_s"], 0.19)

    def test_no_more_items_are_meant_to_start_than_the_duration_has_room_for(self):
        self.assertEqual(self.result("spin", "--work", "10us", "--rate", 100, "--duration", "95ms")["items"], 10)

    def test_a_signal_ends_it_with_a_report(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal=number):
                # A log shows that items are done.
                process = subprocess.Popen(self.command("image", "--duration", "1h"), stdout=subprocess.PIPE,
                                           env={**self.environment, "EDGEWISE_CSV": str(self.scratch / "log.csv")},
                                           cwd=self.scratch)
                self.addCleanup(self.finish, process)
                wait_until(lambda: read_text(self.scratch / "log.csv"), "the first span")
                process.send_signal(number)
                stdout, _ = process.communicate(timeout=PATIENCE_S)
                self.assertEqual(process.returncode, 0)
                self.assertIn(b"checksum", stdout)
                (self.scratch / "log.csv").unlink()


if __name__ == "__main__":
    unittest.main()

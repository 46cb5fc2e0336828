"""The lab's edf_runner: its calls unchanged, on a correct queue."""

import re
import unittest

from ring_dump import RingDump, run_python

# Profiling for Edge Computing, 9.3: three tasks, registered as it says. The
# lab's own loop never ends, so a task ends the program.
LAB_PROGRAM = """
import sys
from edf_runner import PeriodicTask, run_edf

calls = []
def audio(): calls.append("audio")
def image(): calls.append("image")
def dl():
    calls.append("dl")
    if len(calls) > 8:
        print(" ".join(calls))
        sys.exit(0)

tasks = [
    PeriodicTask("audio", period_ms=5, deadline_ms=5, fn=audio),
    PeriodicTask("image", period_ms=10, deadline_ms=10, fn=image),
    PeriodicTask("dl", 10, 10, dl),
]
run_edf(tasks)
"""


class EdfRunnerTest(unittest.TestCase):
    def run_here(self, code, **options):
        done = run_python(code, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.splitlines()

    def test_lab_program_runs_verbatim(self):
        lines = self.run_here(LAB_PROGRAM)
        calls = lines.pop().split()
        # All are released at the start; equal deadlines (image and dl) do no harm.
        self.assertEqual(calls[0], "audio")
        self.assertEqual({*calls}, {"audio", "image", "dl"})
        for line in lines:
            self.assertRegex(line, r"^(audio|image|dl): \d+\.\d\d ms \| Missed deadline: (True|False)$")

    def test_a_ready_task_does_not_wait_for_one_that_is_not_released(self):
        # The lab's own queue would run a, a, a (whose deadlines come before
        # b's) and sleep in between, although b is ready all the time.
        lines = self.run_here(
            "from edf_runner import PeriodicTask, run_edf\n"
            "run_edf([PeriodicTask('a', 400, 400, lambda: None), PeriodicTask('b', 9000, 1500, lambda: None)],\n"
            "        duration_s=0.9)"
        )
        self.assertEqual([line.split(":")[0] for line in lines], ["a", "b", "a", "a"])

    def test_late_jobs_are_told_and_releases_do_not_drift(self):
        with RingDump() as dump:
            lines = self.run_here(
                "import time\n"
                "from edf_runner import PeriodicTask, run_edf\n"
                "run_edf([PeriodicTask('slow', 10, 5, lambda: time.sleep(0.02))], duration_s=0.045)",
                socket=dump.socket,
            )
        self.assertTrue(all(line.endswith("Missed deadline: True") for line in lines), lines)
        jobs = [[int(field) for field in event[3:]] for event in dump.of_kind("job")]
        self.assertEqual(len(jobs), len(lines))
        for i, (release, start, end, deadline) in enumerate(jobs):
            self.assertEqual(release, jobs[0][0] + i * 10_000_000)
            self.assertEqual(deadline, release + 5_000_000)
            self.assertTrue(release <= start <= end)

    def test_bad_times_are_refused(self):
        done = run_python("from edf_runner import PeriodicTask; PeriodicTask('x', 0, 5, None)")
        self.assertTrue(re.search("ValueError: x: period and deadline", done.stderr), done.stderr)


if __name__ == "__main__":
    unittest.main()

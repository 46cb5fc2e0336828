"""The shims, with the programs that the lab and Sage hand out."""

import csv
import os
import tempfile
import unittest

from ring_dump import RingDump, run_python

HERE = os.path.dirname(os.path.abspath(__file__))

# Profiling for Edge Computing, 6.2, as handed out.
LAB_SNIPPET = """
from prof_utils import measure

with measure("frame_process", meta={"src":"camera"}):
    # your image/video/audio/DL processing block
    process_frame()
"""

# Sage, live and historic profiling; its line in the middle stands for code.
SAGE_SNIPPET = """
from pywaggle.live_metrics import LiveMetrics
metrics_service = LiveMetrics(...)

metrics_service.start_timer('latency')
inference()
metrics_service.stop_timer('latency')
"""


def rows_of(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


class ProfUtilsTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = temporary.name
        self.log = os.path.join(self.folder, "profile_log.csv")

    def run_here(self, code, **environment):
        done = run_python(code, folder=self.folder, **environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def test_lab_snippet_runs_verbatim(self):
        self.run_here("def process_frame(): sum(range(100000))\n" + LAB_SNIPPET)
        (row,) = rows_of(self.log)
        self.assertEqual(
            list(row),
            "label wall_ms cpu_ms cpu_percent rss_mb threads affinity timestamp_ns src".split(),
        )
        self.assertEqual((row["label"], row["src"]), ("frame_process", "camera"))
        self.assertGreater(float(row["wall_ms"]), 0)
        self.assertGreater(float(row["cpu_ms"]), 0)
        self.assertGreater(float(row["rss_mb"]), 1)
        self.assertEqual(int(row["threads"]), 1)
        self.assertEqual(
            row["affinity"], ",".join(map(str, sorted(os.sched_getaffinity(0))))
        )

    def test_rows_can_follow_those_of_the_labs_own_module(self):
        program = 'from {} import measure\nwith measure("x", meta={{"a": "b,c"}}): pass'
        self.run_here(program.format("lab_prof_utils"), PYTHONPATH=HERE)
        with open(self.log, "rb") as file:
            header = file.readline()
        self.run_here(program.format("prof_utils"))
        with open(self.log, "rb") as file:
            self.assertEqual(file.readline(), header)
            self.assertTrue(file.read().endswith(b',"b,c"\r\n'))
        theirs, ours = rows_of(self.log)
        self.assertEqual(list(theirs), list(ours))
        self.assertEqual(theirs["affinity"], ours["affinity"])
        self.assertNotIn(None, ours)

    def test_other_metadata_keys_go_to_a_new_file(self):
        self.run_here(
            """
from prof_utils import measure
with measure("one", meta={"src": "camera"}): pass
with measure("two", meta={"fps": 30}): pass
with measure("three", meta={"src": "file"}): pass
"""
        )
        self.assertEqual([r["label"] for r in rows_of(self.log)], ["one", "three"])
        (row,) = rows_of(os.path.join(self.folder, "profile_log-2.csv"))
        self.assertEqual((row["label"], row["fps"]), ("two", "30"))

    def test_log_path_and_decorator_and_exception(self):
        self.run_here(
            """
from prof_utils import measure
@measure("f", log_path="other.csv")
def f(): raise KeyError
try: f()
except KeyError: pass
"""
        )
        (row,) = rows_of(os.path.join(self.folder, "other.csv"))
        self.assertEqual(row["label"], "f")

    def test_log_that_cannot_be_written_warns_once_and_never_raises(self):
        done = self.run_here(
            """
from prof_utils import measure
for _ in range(3):
    with measure("x", log_path="missing/log.csv"): pass
""",
            PYTHONWARNINGS="default",
        )
        self.assertEqual(done.stderr.count("missing/log.csv"), 1, done.stderr)

    def test_collector_gets_the_span_too(self):
        with RingDump() as dump:
            done = run_python(
                'from prof_utils import measure\nwith measure("x", meta={"k": "v"}): pass',
                dump.socket,
                self.folder,
            )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([span[5] for span in dump.spans("x")], ["k=v"])
        self.assertEqual(len(rows_of(self.log)), 1)


class SageTest(unittest.TestCase):
    def test_sage_snippet_runs_verbatim(self):
        with RingDump() as dump:
            done = run_python(
                "import edgewise\ndef inference(): sum(range(1000))\n" + SAGE_SNIPPET,
                dump.socket,
            )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(dump.spans("latency")), 1)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/python3
"""What a measured block costs in Python, against the lab's prof_utils.

    python_measure.py RING_DUMP LAB_FOLDER

RING_DUMP is the collector of the tests, LAB_FOLDER holds lab_prof_utils.py,
which is the lab's module as handed out. EDGEWISE_CLIENT_LIB and PYTHONPATH
name the library and the package. Rounds of both are interleaved and the median
of the rounds' ratios counts.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time

ROUNDS = 41
CALLS = 100
BAR = 20


def ns_per_block(scope):
    start_ns = time.perf_counter_ns()
    for _ in range(CALLS):
        with scope("frame_process"):
            pass
    return (time.perf_counter_ns() - start_ns) / CALLS


def main():
    ring_dump, lab_folder = sys.argv[1:]
    sys.path.insert(0, lab_folder)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        socket = os.path.join(folder, "socket")
        os.environ["EDGEWISE_SOCKET"] = socket
        # Into a file: a pipe that nobody reads would hold the collector up.
        with open("events", "w") as events:
            collector = subprocess.Popen(
                [ring_dump, socket], stdin=subprocess.PIPE, stdout=events
            )
        while not os.path.exists(socket):
            time.sleep(0.01)
        import edgewise
        import lab_prof_utils

        assert edgewise.available and edgewise.connect()
        ours, theirs = [], []
        for _ in range(ROUNDS):
            theirs.append(ns_per_block(lab_prof_utils.measure))
            ours.append(ns_per_block(edgewise.measure))
        collector.communicate()
        with open("events") as events:
            lost = ROUNDS * CALLS - events.read().count("span\t")
        os.chdir("/")
    ratio = statistics.median(t / o for t, o in zip(theirs, ours))
    for name, value, unit, bar, passed in (
        ("python_measure_times_cheaper", ratio, "x", f">={BAR}", ratio >= BAR),
        ("python_measure_ns", statistics.median(ours), "ns", "-", True),
        ("python_lab_measure_ns", statistics.median(theirs), "ns", "-", True),
        ("python_spans_lost", lost, "spans", "==0", lost == 0),
    ):
        print(name, f"{value:.4g}", unit, bar, "pass" if passed else "fail", sep="\t")


if __name__ == "__main__":
    main()

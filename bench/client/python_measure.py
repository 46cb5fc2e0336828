#!/usr/bin/python3
"""What a measured block costs in Python, against the lab's prof_utils.

    python_measure.py BUILD_FOLDER

The lab's module is the one that the tests have, as handed out. Rounds of both
are interleaved and the median of the rounds' ratios counts.
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
    build = os.path.abspath(sys.argv[1])
    root = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
    sys.path[:0] = [
        os.path.join(root, "clients", "python"),
        os.path.join(root, "tests", "python"),
    ]
    os.environ["EDGEWISE_CLIENT_LIB"] = os.path.join(build, "libedgewise_client.so")
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        socket = os.path.join(folder, "socket")
        os.environ["EDGEWISE_SOCKET"] = socket
        # Into a file: a pipe that nobody reads would hold the collector up.
        with open("events", "w") as events:
            collector = subprocess.Popen(
                [os.path.join(build, "ring_dump"), socket], stdin=subprocess.PIPE, stdout=events
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

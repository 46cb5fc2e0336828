"""Unwinding and naming, beside `perf script` on the very same samples.

    unwind.py BENCH_SYMBOLS PROGRAM [ARGUMENT...]

Records the program with perf, once on each of two cores, turns its data into a
spool, and compares how long both take for all samples. perf is told to leave
inlined functions out, which is its faster way. Prints lines of: name, value, unit, bar, pass|fail.
"""
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

from perf_data import convert

BENCH, *PROGRAM = sys.argv[1:]


def seconds(command):
    begin = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.monotonic() - begin


def main():
    if not shutil.which("perf"):
        print("unwinding beside perf script\t--\tx\t>= 5\tperf is not installed (linux-perf)")
        return
    with tempfile.TemporaryDirectory() as folder:
        data, spool = pathlib.Path(folder, "perf.data"), pathlib.Path(folder, "spool")
        program = shlex.join(PROGRAM)
        subprocess.run(["perf", "record", "-q", "-e", "cpu-clock", "-F", "8000", "--call-graph", "dwarf,8192",
                        "-m", "4096", "-o", data, "--", "sh", "-c", f"{program} & {program}; wait"], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        samples = convert(data, spool)
        # In turns, the better of each: others use the machine too.
        rounds = [(seconds(["perf", "script", "--no-inline", "-i", data, "-F", "comm,tid,time,ip,sym,dso"]),
                   seconds([BENCH, spool])) for _ in range(3)]
        perf, ours = (min(times) for times in zip(*rounds))
    print(f"samples unwound and named\t{samples}\tsamples\t-\t-")
    print(f"perf script\t{samples / perf:.0f}\tsamples/s\t-\t-")
    print(f"edgewise\t{samples / ours:.0f}\tsamples/s\t-\t-")
    print(f"edgewise rate / perf script rate\t{perf / ours:.1f}\tx\t>= 5\t{'pass' if perf >= 5 * ours else 'fail'}")


main()

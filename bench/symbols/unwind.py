"""Unwinding and naming, beside `perf script` on the very same samples.

    unwind.py BENCH_SYMBOLS PROGRAM [ARGUMENT...]

Records the program with perf, turns its data into a spool, and compares the CPU
time that both take for all samples. perf is told to leave inlined functions out,
which is its faster way. Prints lines of: name, value, unit, bar, pass|fail.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from perf_data import convert

BENCH, *PROGRAM = sys.argv[1:]


def cpu_s(command):
    pid = os.posix_spawnp(command[0], command, os.environ, file_actions=[
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0), (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)])
    _, status, usage = os.wait4(pid, 0)
    assert status == 0, command
    return usage.ru_utime + usage.ru_stime


def main():
    if not shutil.which("perf"):
        print("unwinding beside perf script\t--\tx\t>= 5\tperf is not installed (linux-perf)")
        return
    with tempfile.TemporaryDirectory() as folder:
        data, spool = pathlib.Path(folder, "perf.data"), pathlib.Path(folder, "spool")
        subprocess.run(["perf", "record", "-q", "-e", "cpu-clock", "-F", "4000", "--call-graph", "dwarf,8192",
                        "-m", "4096", "-o", data, "--", *PROGRAM], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        samples = convert(data, spool)
        perf = min(cpu_s(["perf", "script", "--no-inline", "-i", data, "-F", "comm,tid,time,ip,sym,dso"])
                   for _ in range(2))
        ours = min(cpu_s([BENCH, spool]) for _ in range(2))
    print(f"samples unwound and named\t{samples}\tsamples\t-\t-")
    print(f"perf script\t{samples / perf:.0f}\tsamples/s of CPU\t-\t-")
    print(f"edgewise\t{samples / ours:.0f}\tsamples/s of CPU\t-\t-")
    print(f"edgewise rate / perf script rate\t{perf / ours:.1f}\tx\t>= 5\t{'pass' if perf >= 5 * ours else 'fail'}")


main()

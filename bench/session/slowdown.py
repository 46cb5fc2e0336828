"""How much slower a program gets by being profiled: interleaved A/B on the
program's CPU time, as the kernel accounts it, with a 95% interval.

    slowdown.py EDGEWISE NAME BAR_PERCENT "FLAGS" PROGRAM [ARGUMENT...]

Prints lines of: name, value, unit, bar, pass|fail (tab-separated).
"""
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile

EDGEWISE, NAME, BAR, FLAGS, *PROGRAM = sys.argv[1:]
PAIRS = int(os.environ.get("BENCH_PAIRS", "40"))
# Student's t, two-sided 95%, by degrees of freedom; those between take the one below.
T = {9: 2.262, 14: 2.145, 19: 2.093, 29: 2.045, 39: 2.023, 59: 2.001}


def alone():
    pid = os.posix_spawn(PROGRAM[0], PROGRAM, os.environ, file_actions=[
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)])
    _, status, usage = os.wait4(pid, 0)
    assert status == 0, "the program failed"
    return usage.ru_utime + usage.ru_stime


def profiled(home):
    out = subprocess.run([EDGEWISE, "--home", home, "run", "--json", *FLAGS.split(), "--", *PROGRAM],
                         stdout=subprocess.PIPE, check=True).stdout
    run = json.loads(out)
    return run["cpu_user_s"] + run["cpu_system_s"]


def main():
    rng = random.Random(1)
    logs = []
    with tempfile.TemporaryDirectory() as home:
        alone(), profiled(home)  # caches warm
        for _ in range(PAIRS):
            if rng.random() < 0.5:
                a, b = alone(), profiled(home)
            else:
                b, a = profiled(home), alone()
            logs.append(math.log(b / a))
    mean = statistics.fmean(logs)
    t = T[max(d for d in T if d <= PAIRS - 1)]
    half = t * statistics.stdev(logs) / math.sqrt(PAIRS)
    low, high = (100 * (math.exp(mean + side * half) - 1) for side in (-1, 1))
    print(f"slow-down of {NAME}, mean\t{100 * (math.exp(mean) - 1):.3f}\t%\t-\t-")
    print(f"slow-down of {NAME}, interval low\t{low:.3f}\t%\t-\t-")
    print(f"slow-down of {NAME}, interval high\t{high:.3f}\t%\t<= {BAR}\t{'pass' if high <= float(BAR) else 'fail'}")


main()

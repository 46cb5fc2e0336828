"""How much slower a program gets by being profiled: interleaved on the program's
CPU time, as the kernel accounts it. Rounds of four (alone, profiled, profiled,
alone, or the other way round) cancel drift; the mean of the rounds' log ratios
without the lowest and highest fifth, with Yuen's 95% interval (1974), stands for
them, because a shared machine has fits. Alone, too, the program runs in a memory
cgroup, as every service, login and container does: what the kernel charges for
that is not the profiler's doing.

    slowdown.py EDGEWISE NAME BAR_PERCENT "FLAGS" PROGRAM [ARGUMENT...]

Prints lines of: name, value, unit, bar, pass|fail (tab-separated).
"""
import contextlib
import json
import math
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

EDGEWISE, NAME, BAR, FLAGS, *PROGRAM = sys.argv[1:]
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "40"))
TRIM = 0.2
# Student's t, two-sided 95%, by degrees of freedom; those between take the one below.
T = {5: 2.571, 9: 2.262, 14: 2.145, 19: 2.093, 23: 2.069, 29: 2.045, 39: 2.023, 59: 2.001}


@contextlib.contextmanager
def memory_cgroup():
    """A folder to run the program in; None where none can be made."""
    for root in ("/sys/fs/cgroup/memory", "/sys/fs/cgroup"):
        folder = pathlib.Path(root, f"edgewise-bench-{os.getpid()}")
        try:
            folder.mkdir()
        except OSError:
            continue
        try:
            yield folder
        finally:
            folder.rmdir()
        return
    yield None


def alone(cgroup):
    pid = os.fork()
    if pid == 0:
        try:
            if cgroup:
                (cgroup / "cgroup.procs").write_text("0")
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.execv(PROGRAM[0], PROGRAM)
        finally:
            os._exit(127)
    _, status, usage = os.wait4(pid, 0)
    assert status == 0, "the program failed"
    return usage.ru_utime + usage.ru_stime


def profiled(home):
    out = subprocess.run([EDGEWISE, "--home", home, "run", "--json", *FLAGS.split(), "--", *PROGRAM],
                         stdout=subprocess.PIPE, check=True).stdout
    run = json.loads(out)
    return run["cpu_user_s"] + run["cpu_system_s"]


def trimmed(values):
    """Mean and half the width of its interval (Yuen)."""
    values = sorted(values)
    n = len(values)
    cut = int(TRIM * n)
    kept = n - 2 * cut
    mean = statistics.fmean(values[cut:n - cut])
    winsorised = [values[min(max(i, cut), n - cut - 1)] for i in range(n)]
    error = math.sqrt((n - 1) * statistics.variance(winsorised) / (kept * (kept - 1)))
    return mean, T[max(d for d in T if d <= kept - 1)] * error


def main():
    rng = random.Random(1)
    logs = []
    with tempfile.TemporaryDirectory() as home, memory_cgroup() as cgroup:
        alone(cgroup), profiled(home)  # caches warm
        for _ in range(ROUNDS):
            if rng.random() < 0.5:
                a, b = alone(cgroup), profiled(home) + profiled(home)
                a += alone(cgroup)
            else:
                b, a = profiled(home), alone(cgroup) + alone(cgroup)
                b += profiled(home)
            logs.append(math.log(b / a))
    mean, half = trimmed(logs)
    low, high = (100 * (math.exp(mean + side * half) - 1) for side in (-1, 1))
    print(f"slow-down of {NAME}, mean\t{100 * (math.exp(mean) - 1):.3f}\t%\t-\t-")
    print(f"slow-down of {NAME}, interval low\t{low:.3f}\t%\t-\t-")
    print(f"slow-down of {NAME}, interval high\t{high:.3f}\t%\t<= {BAR}\t{'pass' if high <= float(BAR) else 'fail'}")


main()

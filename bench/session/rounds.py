"""How much dearer one way of running something is than another: rounds of four
(first, second, second, first, or the other way round) cancel drift; the mean of
the rounds' log ratios without the lowest and highest fifth, with Yuen's 95%
interval (1974), stands for them, because a shared machine has fits."""
import math
import os
import random
import statistics

ROUNDS = int(os.environ.get("BENCH_ROUNDS", "40"))
TRIM = 0.2
# Student's t, two-sided 95%, by degrees of freedom; those between take the one below.
T = {5: 2.571, 9: 2.262, 14: 2.145, 19: 2.093, 23: 2.069, 29: 2.045, 39: 2.023, 59: 2.001}


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


def compare(what, bar, alone, profiled):
    """Prints three lines; both are functions that run it once and return its cost."""
    rng = random.Random(1)
    logs = []
    alone(), profiled()  # caches warm
    for _ in range(ROUNDS):
        if rng.random() < 0.5:
            a, b = alone(), profiled() + profiled()
            a += alone()
        else:
            b, a = profiled(), alone() + alone()
            b += profiled()
        logs.append(math.log(b / a))
    mean, half = trimmed(logs)
    low, high = (100 * (math.exp(mean + side * half) - 1) for side in (-1, 1))
    print(f"slow-down of {what}, mean\t{100 * (math.exp(mean) - 1):.3f}\t%\t-\t-")
    print(f"slow-down of {what}, interval low\t{low:.3f}\t%\t-\t-")
    print(f"slow-down of {what}, interval high\t{high:.3f}\t%\t<= {bar}\t{'pass' if high <= float(bar) else 'fail'}")

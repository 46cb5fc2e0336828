"""How near to the best possible requests are placed, and what that earns beside simpler rules.

    bars.py EDGEWISE [near|large|baselines|goals]...

Instances are made up from seeds, 15 requests a server, by the assumed pressures. Without names all parts run.
"""
import json
import math
import resource
import subprocess
import sys

EDGEWISE = sys.argv[1]
SEEDS = 20


def line(name, value, unit, bar="-", passed=None):
    verdict = "-" if passed is None else "pass" if passed else "fail"
    print(f"{name}\t{value:.2f}\t{unit}\t{bar}\t{verdict}", flush=True)


def place(generate, limit, *options):
    done = subprocess.run([EDGEWISE, "place", "--generate", generate, "--time-limit", limit, "--json", *options],
                          stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


def interval(values):
    """Mean and half of its 95% interval; Student's t for 20 values."""
    mean = sum(values) / len(values)
    spread = math.sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1))
    return mean, 2.093 * spread / math.sqrt(len(values))


def near():
    gaps = [100 * place(f"servers=10,seed={seed}", "10s")["gap"] for seed in range(1, 7)]
    line("10 servers, 150 requests: gap after 10 s, worst of 6 seeds", max(gaps), "%", "<= 2", max(gaps) <= 2)
    line("10 servers, 150 requests: gap after 10 s, mean of 6 seeds", sum(gaps) / len(gaps), "%")


def large():
    answer = place("servers=1000,seed=1", "115s")
    line("1,000 servers, 15,000 requests: first placement", answer["first_seconds"], "s", "<= 5",
         answer["first_seconds"] <= 5)
    gap = 100 * answer["gap"]
    line(f"1,000 servers, 15,000 requests: gap after {answer['seconds']:.0f} s", gap, "%", "<= 5",
         gap <= 5 and answer["seconds"] <= 120)
    gib = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20
    line("1,000 servers, 15,000 requests: memory", gib, "GiB", "<= 4", gib <= 4)


def baselines():
    ratios = {}
    for seed in range(1, SEEDS + 1):
        answer = place(f"servers=10,seed={seed}", "2s", "--baselines")
        for name, revenue in answer["baselines"].items():
            ratios.setdefault(name, []).append(answer["revenue"] / revenue)
    for name, values in ratios.items():
        mean, half = interval(values)
        line(f"revenue against {name}, least of {SEEDS} seeds", min(values), "x", ">= 1", min(values) >= 1)
        line(f"revenue against {name}, mean, 95% interval {mean - half:.3f} to {mean + half:.3f}", mean, "x")


def goals():
    """Instances on which all requests can be placed."""
    for goal in ("servers", "tail", "energy"):
        gaps = [place(f"servers=10,requests=60,seed={seed}", "10s", "--goal", goal)["goal"]["gap"] for seed in (1, 2, 3)]
        line(f"10 servers, 60 requests, goal {goal}: gap after 10 s, worst of 3 seeds",
             100 * max(1 if gap is None else gap for gap in gaps), "%")


PARTS = {"near": near, "large": large, "baselines": baselines, "goals": goals}
for part in sys.argv[2:] or PARTS:
    PARTS[part]()

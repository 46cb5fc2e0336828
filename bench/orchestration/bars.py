"""How near to the best possible requests are placed, and what that earns beside simpler rules.

    bars.py EDGEWISE [near|large|baselines|goals|verified]...

Instances are made up from seeds, 15 requests a server, by the assumed pressures; those of `verified` by the pressures of the
campaign in bench/contention, deployed on two cores of this machine, which must be quiet. Without names all parts run.
"""
import json
import math
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

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


def instance(folder, seed, pressures):
    """Files for two servers of one core each."""
    folder.mkdir()
    subprocess.run([EDGEWISE, "place", "--generate", f"servers=2,requests=30,memory=4GiB,low_rank=0,seed={seed}",
                    "--pressures", pressures, "--save", folder, "--time-limit", "1s"],
                   stdout=subprocess.DEVNULL, check=True)
    cores = sorted(os.sched_getaffinity(0))[:2]
    (folder / "servers.yaml").write_text("servers:\n" + "".join(
        f'  - {{name: server{rank}, rank: {rank}, memory: 4GiB, cpus: "{core}"}}\n' for rank, core in enumerate(cores)))
    return [EDGEWISE, "place", folder / "requests.yaml", "--servers", folder / "servers.yaml"]


def verified():
    """What was promised, measured: by our placements, and by the others'."""
    campaign = pathlib.Path(__file__).parents[1] / "contention/campaign"
    counts, revenue, simulated = {}, {}, []
    with tempfile.TemporaryDirectory() as scratch:
        pressures = pathlib.Path(scratch) / "pressures.yaml"
        subprocess.run([EDGEWISE, "train", "--contention", *campaign.iterdir(), "-o", pressures],
                       stdout=subprocess.DEVNULL, check=True)
        for seed in (1, 2, 3):
            asked = instance(pathlib.Path(scratch) / str(seed), seed, pressures)
            done = subprocess.run([*asked, "--time-limit", "2s", "--verify", "--verify-time", "45s", "--baselines", "--json"],
                                  stdout=subprocess.PIPE, check=False)  # 1: too many promises were broken
            answer = json.loads(done.stdout)
            for placement in answer["verification"]["placements"]:
                of = counts.setdefault(placement["placed_by"], [0, 0, 0])
                for i, verdict in enumerate(("kept", "broken", "not_known")):
                    of[i] += placement[verdict]
                for promise in placement["promises"]:
                    seen = [promise[how]["quantile_ms"] for how in ("simulated", "measured")]
                    simulated += [seen[0] / seen[1]] if all(seen) else []
            for name, earned in answer["baselines"].items():
                revenue.setdefault(name, []).append(answer["revenue"] / earned)
    for name, (kept, broken, not_known) in counts.items():
        share = 100 * broken / (kept + broken)
        ours = name == "edgewise"
        line(f"measured on two cores, placed by {name}: promises broken, of {kept + broken} ({not_known} not known)", share, "%",
             "<= 10" if ours else "-", share <= 10 if ours else None)
    line(f"measured on two cores: simulated ÷ measured, median of {len(simulated)} promises", statistics.median(simulated), "x")
    for name, ratios in revenue.items():
        line(f"measured on two cores: revenue against {name}, least of 3 seeds", min(ratios), "x", ">= 1", min(ratios) >= 1)


PARTS = {"near": near, "large": large, "baselines": baselines, "goals": goals, "verified": verified}
for part in sys.argv[2:] or PARTS:
    PARTS[part]()

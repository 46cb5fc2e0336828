"""How well response times beside neighbours are predicted, from a campaign that was measured before.

    bars.py EDGEWISE [CAMPAIGN...]

Without campaigns, those in bench/contention/campaign: nine services on two servers of one core each (two cores of an AMD EPYC,
2026-11-16), measured at the same time in quiet slots by `edgewise contend baseline|sensitivity|random --tenants nine`.
"""
import csv
import json
import pathlib
import subprocess
import sys

EDGEWISE = sys.argv[1]
CAMPAIGNS = sys.argv[2:] or sorted(map(str, (pathlib.Path(__file__).parent / "campaign").iterdir()))


def line(name, value, unit, bar="-", passed=None):
    verdict = "-" if passed is None else "pass" if passed else "fail"
    print(f"{name}\t{value:.2f}\t{unit}\t{bar}\t{verdict}", flush=True)


def minutes(campaign):
    with open(pathlib.Path(campaign) / "times.csv", encoding="utf-8") as rows:
        return sum(float(row["elapsed_s"]) for row in csv.DictReader(rows)) / 60


done = subprocess.run([EDGEWISE, "evaluate", "--contention", *CAMPAIGNS, "--json"], stdout=subprocess.PIPE, check=True)
report = json.loads(done.stdout)
of = {predictor["name"]: predictor["p95"] for predictor in report["predictors"]}
best = of["sharing"]
error = best["median_ape"]["value"]
noise = report["noise_floor"]["p95"]
line("p95 beside neighbours: median error on held-out deployments", 100 * error, "%", "<= 20, or 1.5 x noise",
     error <= 0.2 or error <= 1.5 * noise)
line("p95 beside neighbours: two measurements differ by", 100 * noise, "%")
for name in ("PERX", "ScalO-RAN"):
    published = of[name]["median_ape"]["value"]
    line(f"p95 beside neighbours: error ÷ that of {name}", error / published, "x", "<= 0.75", error <= 0.75 * published)
line("p95 beside neighbours: error of the additive form that place uses", 100 * of["pressure"]["median_ape"]["value"], "%")
simulator = of["simulator"]
line("p95 beside neighbours: error of the simulator", 100 * simulator["median_ape"]["value"], "%")
line("p95 beside neighbours: simulated ÷ measured, median", simulator["median_ratio"]["value"], "x")
line("p95 beside neighbours: within 90% intervals", 100 * best["coverage_90"], "%")
spent = [minutes(campaign) for campaign in CAMPAIGNS]
line("p95 beside neighbours: campaign, servers at the same time", max(spent), "min", "<= 60", max(spent) <= 60)
line("p95 beside neighbours: campaign, one after the other", sum(spent), "min", "<= 60", sum(spent) <= 60)

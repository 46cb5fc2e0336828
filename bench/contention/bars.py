"""How well response times beside neighbours are predicted, from a campaign that was measured before.

    bars.py EDGEWISE [CAMPAIGN...]

Without campaigns, those in bench/contention/campaign: nine services on two servers of one core each (two cores of an AMD EPYC,
2026-11-16), measured at the same time in quiet slots by `edgewise contend baseline|sensitivity|random --tenants nine`; then together
with those in bench/contention/quotas, of `random --quotas 60%`.
"""
import collections
import csv
import json
import pathlib
import statistics
import subprocess
import sys

EDGEWISE = sys.argv[1]
HERE = pathlib.Path(__file__).parent
CAMPAIGNS = sys.argv[2:] or sorted(map(str, (HERE / "campaign").iterdir()))


def line(name, value, unit, bar="-", passed=None):
    verdict = "-" if passed is None else "pass" if passed else "fail"
    print(f"{name}\t{value:.2f}\t{unit}\t{bar}\t{verdict}", flush=True)


def minutes(campaign):
    with open(pathlib.Path(campaign) / "times.csv", encoding="utf-8") as rows:
        return sum(float(row["elapsed_s"]) for row in csv.DictReader(rows)) / 60


def busy_cores(campaign):
    """Cores that each deployment kept busy."""
    cores = collections.defaultdict(float)
    with open(pathlib.Path(campaign) / "deployments.csv", encoding="utf-8") as rows:
        for row in csv.DictReader(rows):
            cores[row["deployment"]] += float(row["cpu_cores"] or 0)
    return cores


def busy_of(deployment):
    """Of a name as evaluate gives it: "2:r0007" is of the second folder."""
    folder, _, name = deployment.rpartition(":")
    return busy[int(folder or 1) - 1][name]


def evaluate(campaigns):
    done = subprocess.run([EDGEWISE, "evaluate", "--contention", *campaigns, "--json"], stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)


report = evaluate(CAMPAIGNS)
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
line("p95 beside neighbours: error of the additive form ÷ that of the better published",
     of["pressure"]["against_published"]["value"], "x")
simulator = of["simulator"]
line("p95 beside neighbours: error of the simulator", 100 * simulator["median_ape"]["value"], "%")
line("p95 beside neighbours: simulated ÷ measured, median", simulator["median_ratio"]["value"], "x")
busy = [busy_cores(campaign) for campaign in CAMPAIGNS]
ratios = [(busy_of(deployment), simulated / measured) for deployment, _, measured, simulated in simulator["held_out"] if simulated]
for name, least, most in (("less than half", 0, 0.5), ("more than three quarters", 0.75, 9)):
    line(f"p95 beside neighbours: simulated ÷ measured, median, servers {name} busy",
         statistics.median(ratio for cores, ratio in ratios if least <= cores < most), "x")
line("p95 beside neighbours: within 90% intervals", 100 * best["coverage_90"], "%")
spent = [minutes(campaign) for campaign in CAMPAIGNS]
line("p95 beside neighbours: campaign, servers at the same time", max(spent), "min", "<= 60", max(spent) <= 60)
line("p95 beside neighbours: campaign, one after the other", sum(spent), "min", "<= 60", sum(spent) <= 60)
if not sys.argv[2:]:
    report = evaluate([*CAMPAIGNS, *sorted(map(str, (HERE / "quotas").iterdir()))])
    for name in ("sharing", "simulator"):
        found = next(predictor for predictor in report["predictors"] if predictor["name"] == name)
        line(f"p95 of {found['with_quota']} tenants with a quota: median error of the {name}",
             100 * found["with_quota_median_ape_p95"], "%")
    line("p95 of tenants with a quota: two measurements differ by", 100 * report["noise_floor"]["with_quota_p95"], "%")

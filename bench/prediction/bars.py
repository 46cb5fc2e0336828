"""How well latencies of unseen networks and devices are predicted, beside the noise floor, MACs alone and specs alone.

    bars.py EDGEWISE [DATA_DIR]

DATA_DIR (or $EDGEWISE_DATA) has latency.csv, layers.csv and models.csv; without it there is nothing to measure.
"""
import json
import os
import subprocess
import sys

EDGEWISE = sys.argv[1]
DATA = sys.argv[2] if len(sys.argv) > 2 else os.environ.get("EDGEWISE_DATA", "")
TABLES = [os.path.join(DATA, f"{name}.csv") for name in ("latency", "layers", "models")]


def line(name, value, unit, bar="-", passed=None):
    verdict = "-" if passed is None else "pass" if passed else "fail"
    print(f"{name}\t{value:.1f}\t{unit}\t{bar}\t{verdict}")


def main():
    if not DATA or not all(os.path.exists(table) for table in TABLES):
        print("bench/prediction: no tables of latencies; set EDGEWISE_DATA to their folder.", file=sys.stderr)
        return
    done = subprocess.run([EDGEWISE, "evaluate", *TABLES, "--json"], stdout=subprocess.PIPE, check=True)
    answer = json.loads(done.stdout)
    network, network_macs, fields, device, device_macs, device_spec, both, _ = answer["rows"]
    percent = lambda row, key: 100 * row[key]
    line("noise floor: two runs of a device differ, median", 100 * answer["noise_between_runs"], "%")
    line("noise floor: the same with levels made equal", 100 * answer["noise_between_runs_levelled"], "%")
    error = percent(network, "median_ape")
    line("new network, known device: median error", error, "%", "<= 11", error <= 11)
    within = percent(network, "within_20")
    line("new network, known device: within 20%", within, "%", ">= 72", within >= 72)
    line("  by MACs alone: median error", percent(network_macs, "median_ape"), "%")
    line("  by MACs alone: within 20%", percent(network_macs, "within_20"), "%")
    line("  by the eight SOPRANO fields: median error", percent(fields, "median_ape"), "%")
    error = percent(device, "median_ape")
    line("new device, 5 networks measured: median error", error, "%", "<= 12", error <= 12)
    line("  by MACs alone: median error", percent(device_macs, "median_ape"), "%")
    line("  by spec alone: median error", percent(device_spec, "median_ape"), "%")
    line("new network on such a device: median error", percent(both, "median_ape"), "%")
    right = percent(network, "fastest_of_3")
    line("fastest of 3 devices, new network: right", right, "%", ">= 96", right >= 96)
    lost = percent(network, "regret")
    line("fastest of 3 devices, new network: mean regret", lost, "%", "<= 1", lost <= 1)
    for name, row in (("new network", network), ("new device", device), ("both new", both)):
        held = percent(row, "coverage_90")
        line(f"90% intervals hold, {name}", held, "%", "87 to 93", 87 <= held <= 93)
        line(f"  from, {name}", 100 * row["low_factor"], "% of it")
        line(f"  to, {name}", 100 * row["high_factor"], "% of it")


main()

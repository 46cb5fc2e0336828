#!/usr/bin/env python3
"""Compares edgewise with nvidia-smi and CUDA's events on a machine with a GPU.

    tests/gpu/compare.py --edgewise PATH --workload PATH --output FOLDER

Exit code 0: memory within 1%, power within 5%, kernel times within 2%; 1: not.
Writes results.json (the comparison), run.json (edgewise's), smi.csv, and prints
one line for each check."""
import argparse
import csv
import datetime
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time

MIB = 1 << 20


def nvidia_smi(output):
    """Starts nvidia-smi, one line every 100 ms."""
    return subprocess.Popen(
        ["nvidia-smi", "--query-gpu=timestamp,memory.used,power.draw,"
         "power.draw.instant",
         "--format=csv,noheader,nounits", "-i", "0", "-lms", "100"],
        stdout=output, stderr=subprocess.DEVNULL)


def smi_rows(path):
    rows = []
    with open(path, encoding="utf-8") as lines:
        for row in csv.reader(lines):
            if len(row) == 4:
                when = datetime.datetime.strptime(
                    row[0].strip(), "%Y/%m/%d %H:%M:%S.%f")
                rows.append((when.replace(
                    tzinfo=datetime.datetime.now().astimezone().tzinfo)
                    .timestamp(), *map(float, row[1:])))
    return rows


def measure(edgewise, home, options, command):
    """Runs a command under edgewise; its JSON and what the command printed."""
    result = subprocess.run(
        [edgewise, "run", "--home", home, *options, "--json", "--", *command],
        stdout=subprocess.PIPE, check=False, text=True)
    run = json.loads(result.stdout)
    if result.returncode != 0:
        sys.exit(f"the workload failed: {run['output_tail']}")
    return run, json.loads(run["output_tail"].strip().splitlines()[-1])


def compute_apps(pids, until):
    """Most memory of a process that nvidia-smi lists, until the time is up."""
    most = None
    while time.monotonic() < until():
        listing = subprocess.run(
            ["nvidia-smi", "--query-compute-apps=pid,used_memory",
             "--format=csv,noheader,nounits"],
            stdout=subprocess.PIPE, check=False, text=True).stdout
        for row in csv.reader(listing.splitlines()):
            if len(row) == 2 and row[1].strip().isdigit():
                pids.add(int(row[0]))
                most = max(most or 0, int(row[1]) * MIB)
    return most


def series(run, name):
    return next(s for s in run["series"] if s["name"] == name)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edgewise", required=True)
    parser.add_argument("--workload", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    os.makedirs(arguments.output, exist_ok=True)
    home = tempfile.mkdtemp()
    results = {"checks": []}
    failed = False

    def check(what, ours, theirs, most_percent):
        nonlocal failed
        off = 100 * (ours / theirs - 1)
        good = abs(off) <= most_percent
        failed = failed or not good
        results["checks"].append({
            "what": what, "edgewise": ours, "reference": theirs,
            "difference_percent": off, "allowed_percent": most_percent})
        print(f"{'ok  ' if good else 'FAIL'} {what}: {ours:.6g} against "
              f"{theirs:.6g} ({off:+.2f}%, allowed {most_percent}%)")

    smi_path = os.path.join(arguments.output, "smi.csv")
    with open(smi_path, "w", encoding="utf-8") as output:
        smi = nvidia_smi(output)
        time.sleep(2)
        running = threading.Event()
        pids = set()
        listed = []

        def watch():
            listed.append(compute_apps(
                pids, lambda: 0 if running.is_set() else time.monotonic() + 1))

        watcher = threading.Thread(target=watch)
        watcher.start()
        run, told = measure(arguments.edgewise, home, ["--gpu-summary"],
                            [arguments.workload, "--seconds", "10"])
        running.set()
        watcher.join()
        smi.terminate()
        smi.wait()
    with open(os.path.join(arguments.output, "run.json"), "w",
              encoding="utf-8") as output:
        json.dump(run, output, indent=1)
    results["workload"] = told

    start = datetime.datetime.fromisoformat(
        run["started_at"].replace("Z", "+00:00")).timestamp()
    end = start + run["wall_s"]
    rows = [row for row in smi_rows(smi_path) if start <= row[0] <= end]
    account = run["gpu"]
    check("memory in use, peak (bytes)",
          account["devices"][0]["memory_peak_bytes"],
          max(row[1] for row in rows) * MIB, 1)
    if listed[0] is not None and account["memory_peak_bytes"]:
        check("memory of the program (bytes)", account["memory_peak_bytes"],
              listed[0], 1)
    else:
        print(f"--   memory of the program: edgewise "
              f"{account['memory_peak_bytes']}, nvidia-smi {listed[0]}")
    check("power, mean (W)", series(run, "gpu_power")["mean"],
          statistics.fmean(row[2] for row in rows), 5)
    # power.draw is a mean over the last second, which a short Run feels.
    check("energy (J)", account["devices"][0]["energy_j"],
          statistics.fmean(row[3] for row in rows) * run["wall_s"], 5)
    summary = account["summary"]

    def kernel(name):
        return next(k for k in summary["kernels"] if k["name"].endswith(name))

    saxpy = kernel("Saxpy")
    check("kernel time of Saxpy (ms)", saxpy["total_ns"] / 1e6,
          told["saxpy_ms"], 2)
    # Burn also runs beside the copies, without events: by its shortest.
    check("kernel time of Burn, one launch (ms)", kernel("Burn")["min_ns"] / 1e6,
          told["burn_ms"] / told["burn_launches"], 2)
    check("launches of Saxpy", saxpy["count"], told["saxpy_launches"], 0)
    check("launches of Tiny", kernel("Tiny")["count"], told["tiny_launches"], 0)
    copies = {c["way"]: c for c in summary["copies"]}
    check("bytes host to device", copies["host to device"]["bytes"],
          told["to_device_bytes"], 0)
    check("bytes device to host", copies["device to host"]["bytes"],
          told["to_host_bytes"], 0)
    # What Saxpy moves each second, against the counters' highest reading.
    results["saxpy_bytes_per_s"] = (told["saxpy_bytes"] * saxpy["count"] /
                                    (saxpy["total_ns"] / 1e9))
    results["most_bytes_per_s"] = account["most_bytes_per_s"]
    print(f"     memory traffic: Saxpy moves "
          f"{results['saxpy_bytes_per_s'] / 1e9:.1f} GB/s by its size, "
          f"counted at most {(account['most_bytes_per_s'] or 0) / 1e9:.1f}")
    if account["most_bytes_per_s"]:
        results["bandwidth_difference_percent"] = 100 * (
            account["most_bytes_per_s"] / results["saxpy_bytes_per_s"] - 1)

    # What measuring costs: in turns, without edgewise, with it, with the trace.
    ways = {"alone": None, "run": [], "summary": ["--gpu-summary"]}
    costs = {way: [] for way in ways}
    command = [arguments.workload, "--seconds", "1"]
    for _ in range(arguments.rounds):
        for way, options in ways.items():
            if options is None:
                line = subprocess.run(command, stdout=subprocess.PIPE,
                                      check=True, text=True).stdout
                told = json.loads(line)
            else:
                run, told = measure(arguments.edgewise, home, options,
                                    command)
            costs[way].append({
                "tiny_us": told["tiny_us"],
                "saxpy_ms": told["saxpy_ms"] / told["saxpy_launches"],
                "profiler_cpu_s": run["profiler"]["cpu_s"] if options is not
                None else None,
                "wall_s": told["wall_s"]})
    results["costs"] = costs
    for way, rounds in costs.items():
        print(f"     {way}: a tiny launch "
              f"{statistics.median(r['tiny_us'] for r in rounds):.3f} us, "
              f"a Saxpy {statistics.median(r['saxpy_ms'] for r in rounds):.4f}"
              f" ms (medians of {len(rounds)})")
    with open(os.path.join(arguments.output, "results.json"), "w",
              encoding="utf-8") as output:
        json.dump(results, output, indent=1)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

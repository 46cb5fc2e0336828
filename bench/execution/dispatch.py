"""What dispatching costs: from a job's release to its start, against
cyclictest's latency at the same period in the same minute, both holding
/dev/cpu_dma_latency; and the dispatchers' own CPU time at 1,000 jobs a second.

    dispatch.py EDGEWISE TASK

TASK is the built tests/integration/programs/task. Needs rt-tests and the right
to real-time policies. Prints lines of: name, value, unit, bar, pass|fail
(tab-separated).
"""
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

EDGEWISE, TASK = (str(pathlib.Path(argument).resolve()) for argument in sys.argv[1:3])
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "5"))
PERIOD_MS = 2
SAMPLES = 2500
CORE = 0
# As kDispatcherPriority: both are woken before anything else.
PRIORITY = 98


def cyclictest_p99_us():
    out = subprocess.run(
        ["cyclictest", "--mlockall", f"--priority={PRIORITY}", f"--affinity={CORE}", "--threads=1", "--quiet",
         f"--interval={PERIOD_MS * 1000}", f"--loops={SAMPLES}", "--histogram=20000"],
        stdout=subprocess.PIPE, text=True, check=True).stdout
    counts = {int(us): int(count) for us, count in re.findall(r"^(\d+)\s+(\d+)", out, re.MULTILINE)}
    needed = 0.99 * sum(counts.values())
    seen = 0
    for us in sorted(counts):
        seen += counts[us]
        if seen >= needed:
            return us
    raise SystemExit("dispatch.py: cyclictest gave no histogram")


def execute(home, tasks, period_ms, duration_ms, *flags):
    plan = pathlib.Path(home) / "plan.yaml"
    plan.write_text(json.dumps({"tasks": [
        {"name": f"task{i}", "command": f"{TASK} steady 20", "cores": str(CORE), "wcet_ms": 0.1,
         "period_ms": period_ms} for i in range(tasks)]}))
    done = subprocess.run([EDGEWISE, "--home", home, "exec", plan, "--json", "--duration", f"{duration_ms}ms", *flags],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if not done.stdout:
        raise SystemExit(f"dispatch.py: {done.stderr}")
    [execution] = json.loads(done.stdout)["executions"]
    return execution


def line(name, value, unit, bar=None):
    verdict = "-" if bar is None else "pass" if value <= bar else "fail"
    print(f"{name}\t{value:.3g}\t{unit}\t{'-' if bar is None else f'<= {bar:g}'}\t{verdict}", flush=True)


def main():
    if shutil.which("cyclictest") is None:
        raise SystemExit("dispatch.py: cyclictest is not here; install rt-tests")
    peers, own = [], []
    with tempfile.TemporaryDirectory() as home:
        for _ in range(ROUNDS):
            peers.append(cyclictest_p99_us())
            execution = execute(home, 1, PERIOD_MS, PERIOD_MS * SAMPLES, "--hold-latency")
            own.append(execution["tasks"][0]["start_delay_ns"]["p99"]["value"] / 1000)
        busy = execute(home, 10, 10, 10_000)
    line("exec: release to start of a job, p99", statistics.median(own), "us")
    line("cyclictest: latency, p99", statistics.median(peers), "us")
    line("exec p99 / cyclictest p99, median of rounds",
         statistics.median(mine / theirs for mine, theirs in zip(own, peers)), "x", 2)
    jobs = sum(task["ended"] for task in busy["tasks"]) / busy["elapsed_s"]
    line("exec: jobs dispatched", jobs, "jobs/s")
    line("exec: dispatchers' CPU at that rate", busy["dispatcher_percent"], "% of a core", 3)


main()

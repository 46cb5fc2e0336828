"""What the profiler costs while it samples a tree of 20 processes at 10 Hz,
beside a loop of psutil that reads the same fields; then with stacks, of the
same tree and of one that keeps every core busy.

Prints lines of: name, value, unit, bar, pass|fail (tab-separated).
"""
import json
import os
import subprocess
import sys
import tempfile
import time

import psutil

PROCESSES = 20
SECONDS = float(os.environ.get("BENCH_SECONDS", "20"))
EDGEWISE, SPINNER = sys.argv[1:]

# Each process is awake now and then and owns some memory, as apps do.
WORKER = "import time; b = bytearray(8 << 20)\nwhile True: time.sleep(0.05)"
TREE = (
    "import subprocess, sys, time\n"
    f"c = [subprocess.Popen([sys.executable, '-c', {WORKER!r}]) for _ in range({PROCESSES - 1})]\n"
    "while True: time.sleep(0.05)\n"
)


def line(name, value, unit, bar="-", ok=None):
    verdict = "-" if ok is None else "pass" if ok else "fail"
    print(f"{name}\t{value:.4g}\t{unit}\t{bar}\t{verdict}", flush=True)


def edgewise_run(home, flags, *command):
    out = subprocess.run(
        [EDGEWISE, "--home", home, "run", "--json", "--duration", f"{SECONDS}s",
         "--sample-hz", "10", "--no-pss", "--grace", "1s", *flags, "--", *command],
        stdout=subprocess.PIPE, check=True).stdout
    return json.loads(out)


def cost(run):
    return run["profiler"]["cpu_s"] / run["wall_s"], run["profiler"]["max_rss_bytes"]


def stack_lines(home):
    """With stacks: the same tree, and others that use every core."""
    for name, command in (
            ("mostly idle Python", ["/usr/bin/python3", "-c", TREE]),
            ("busy native", ["sh", "-c", f"for i in $(seq {PROCESSES - 1}); do {SPINNER} 600000 & done; wait"]),
            ("busy Python", ["sh", "-c", f"for i in $(seq {PROCESSES - 1}); do /usr/bin/python3 -c "
                             "'while True: sum(range(100))' & done; wait"])):
        run = edgewise_run(home, ["--stacks", "99"], *command)
        share, rss = cost(run)
        line(f"profiler CPU with stacks at 99 Hz, 20 processes, {name}", 100 * share, "% of a core", "<= 1", share <= 0.01)
        line(f"profiler memory with stacks, {name}", rss / 2**20, "MiB", "<= 24", rss <= 24 * 2**20)
        line(f"samples of that run, {name}", run["stacks"]["samples"], "samples")


def read_like_edgewise(processes):
    """One sample: CPU, memory, faults and threads of each process."""
    for process in processes:
        try:
            with process.oneshot():
                process.cpu_times()
                process.memory_info()
                process.num_threads()
                process.ppid()
        except psutil.NoSuchProcess:
            pass


def read_slowly(processes):
    """Once a second: switches, I/O, and CPU and affinity of each thread."""
    for process in processes:
        try:
            with process.oneshot():
                process.num_ctx_switches()
                process.io_counters()
                process.threads()
                process.cpu_affinity()
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            pass


def psutil_cost():
    tree = subprocess.Popen(["/usr/bin/python3", "-c", TREE])
    try:
        time.sleep(1)
        root = psutil.Process(tree.pid)
        begin_cpu, begin = time.process_time(), time.monotonic()
        tick = 0
        while time.monotonic() - begin < SECONDS:
            processes = [root, *root.children(recursive=True)]
            read_like_edgewise(processes)
            if tick % 10 == 0:
                read_slowly(processes)
                psutil.cpu_times()
                psutil.net_io_counters()
            tick += 1
            time.sleep(max(0.0, begin + tick * 0.1 - time.monotonic()))
        return (time.process_time() - begin_cpu) / (time.monotonic() - begin)
    finally:
        for child in psutil.Process(tree.pid).children(recursive=True):
            child.kill()
        tree.kill()
        tree.wait()


def main():
    with tempfile.TemporaryDirectory() as home:
        share, rss = cost(edgewise_run(home, [], "/usr/bin/python3", "-c", TREE))
        stack_lines(home)
    peer = psutil_cost()
    line("profiler CPU, 20 processes at 10 Hz", 100 * share, "% of a core", "<= 0.5", share <= 0.005)
    line("profiler memory (RSS, guardian included)", rss / 2**20, "MiB", "<= 20", rss <= 20 * 2**20)
    line("psutil loop, same fields", 100 * peer, "% of a core")
    line("psutil CPU / profiler CPU", peer / share, "x", ">= 5", peer >= 5 * share)


main()

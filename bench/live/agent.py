"""What the agent costs: with 20 apps of 30 spans a second, with 1,000 apps and a
million spans a second, and over a day in minutes.

    agent.py EDGEWISE APP_CROWD [few|many|soak]

Prints lines of: name, value, unit, bar, pass|fail (tab-separated).
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import urllib.request

EDGEWISE, CROWD = (str(pathlib.Path(argument).resolve()) for argument in sys.argv[1:3])
PARTS = sys.argv[3:] or ["few", "many", "soak"]
SETTLE_S = 6


def line(name, value, unit, bar=None, good=None):
    verdict = "-" if good is None else "pass" if good else "fail"
    print(f"{name}\t{value:.4g}\t{unit}\t{bar or '-'}\t{verdict}", flush=True)


class Agent:
    def __init__(self, folder, *options):
        self.socket = f"{folder}/agent.sock"
        self.process = subprocess.Popen(
            [EDGEWISE, "--home", f"{folder}/home", "agent", "--socket", self.socket, "--port", "0", *options],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.url = re.search(r"http://[^/]+", self.process.stderr.readline())[0]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def cpu_s(self):
        tasks = pathlib.Path(f"/proc/{self.process.pid}/task").iterdir()
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9

    def rss_mib(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024

    def snapshot(self):
        with urllib.request.urlopen(self.url + "/api/v1/apps") as answer:
            return json.load(answer)

    def scrape(self):
        begin = time.monotonic()
        with urllib.request.urlopen(self.url + "/metrics") as answer:
            text = answer.read()
        return time.monotonic() - begin, len(text)


class Crowd:
    def __init__(self, agent, apps, spans_per_s, seconds):
        self.process = subprocess.Popen([CROWD, str(apps), str(spans_per_s), str(seconds)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True,
                                        env={**os.environ, "EDGEWISE_SOCKET": agent.socket})
        assert self.process.stdout.readline() == "ready\n"

    def go(self):
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def result(self):
        spans, seconds = self.process.stdout.readline().split()
        return int(spans), float(seconds)

    def end(self):
        self.process.stdin.write("\n")
        self.process.stdin.close()
        self.process.wait()


def few(folder):
    seconds = 30
    with Agent(folder) as agent:
        crowd = Crowd(agent, 20, 30, SETTLE_S + seconds)
        crowd.go()
        time.sleep(SETTLE_S)
        cpu, begin = agent.cpu_s(), time.monotonic()
        time.sleep(seconds - 2)
        share = 100 * (agent.cpu_s() - cpu) / (time.monotonic() - begin)
        rss = agent.rss_mib()
        spans, _ = crowd.result()
        time.sleep(0.5)
        apps = agent.snapshot()["apps"]
        seen = sum(metric["count"] for app in apps for metric in app["metrics"])
        crowd.end()
    line("agent: CPU with 20 apps at 30 spans/s", share, "% of a core", "<= 1", share <= 1)
    line("agent: memory with them", rss, "MiB", "<= 20", rss <= 20)
    line("agent: spans lost of theirs", spans - seen, "spans", "0", spans == seen)


def many(folder):
    seconds = float(os.environ.get("BENCH_SECONDS", "10"))
    with Agent(folder) as agent:
        crowd = Crowd(agent, 1000, 1000, seconds)
        time.sleep(2)
        cpu, begin = agent.cpu_s(), time.monotonic()
        crowd.go()
        spans, took = crowd.result()
        share = 100 * (agent.cpu_s() - cpu) / (time.monotonic() - begin)
        time.sleep(1)
        apps = agent.snapshot()["apps"]
        seen = sum(metric["count"] for app in apps for metric in app["metrics"])
        dropped = sum(app["records_dropped"] for app in apps)
        scrapes = sorted(agent.scrape() for _ in range(5))
        rss = agent.rss_mib()
        crowd.end()
    line("agent: apps connected", len(apps), "apps", "1000", len(apps) == 1000)
    line("agent: spans of 1,000 apps", spans / took, "spans/s")
    line("agent: CPU while draining them", share, "% of a core", "<= 100", share <= 100)
    line("agent: CPU for a million spans/s", share / (spans / took) * 1e6, "% of a core")
    line("agent: spans lost of theirs", spans - seen, "spans", "0", spans == seen and dropped == 0)
    line("agent: scrape of 1,000 apps, median of 5", 1000 * scrapes[2][0], "ms", "<= 100", scrapes[2][0] <= 0.1)
    line("agent: size of it", scrapes[2][1] / 1e6, "MB")
    line("agent: memory with 1,000 apps", rss, "MiB")


def soak(folder):
    """A day of 20 apps at 30 spans a second, an hour in some seconds: all its spans (52 million) and scrapes (one every
    15 s), and forty new apps each hour. Memory must stay flat."""
    hours = int(os.environ.get("BENCH_HOURS", "24"))
    spans_an_hour, apps, seconds = 20 * 30 * 3600, 40, 2
    sizes = []
    spans = 0
    with Agent(folder, "--keep-gone", "1s") as agent:
        for _ in range(hours):
            crowd = Crowd(agent, apps, spans_an_hour // apps // seconds, seconds)
            crowd.go()
            for _ in range(3600 // 15):
                agent.scrape()
            spans += crowd.result()[0]
            crowd.end()
            sizes.append(agent.rss_mib())
    half = len(sizes) // 2
    growth = max(sizes[half:]) - max(sizes[2:half])
    line(f"agent: a day in minutes ({spans / 1e6:.0f} million spans, {apps * hours} lives): memory", sizes[-1], "MiB")
    line("agent: growth of it in the second half", growth, "MiB", "<= 1", growth <= 1)


for part in PARTS:
    with tempfile.TemporaryDirectory(prefix="ew-") as scratch:
        {"few": few, "many": many, "soak": soak}[part](scratch)

"""A load step on two cores: do apps keep their goals without control, with static quotas from their cards, and with
the controller?

    load_step.py EDGEWISE SPIN [--repeat N] [--way WAY]... [--seconds N] [--results FILE] [--svg FILE]

Two apps with goals run; then a batch job arrives with more threads than cores, and items of one app take half as long
again. All three ways are measured by the same agent, which only observes in the first two. Needs root and the cpu
controller of cgroups. Ways take turns. With --results, experiments are added to those in a file, and what is printed is
about all of them. Prints lines of: name, value, unit, bar, pass|fail (tab-separated); of several experiments the median,
and the least and the most where they differ.
"""
import argparse
import contextlib
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

GOALS = """
apps:
  tracker: {goal: "fps >= 15", weight: 3}
  anomaly: {goal: "p95(item) <= 900ms"}
  batch:   {weight: 0.2}
node: {reserve: {cpu: 10%}}
"""
# CPU of an item and items a second; what a card says that the goal takes, with the headroom of a careful person.
APPS = {"tracker": ("30ms", 20, 0.030 * 15 * 1.2), "anomaly": ("150ms", 3, 0.150 * 3 * 1.3)}
BATCH_CARD_CORES = 2.0
STEP_S, SURGE, WARM_S = 15, 1.5, 4
EVERY_S = 0.5
WAYS = ["no control", "static quotas", "controller"]
COLOURS = {"tracker": "#2a78b5", "anomaly": "#c65a1e", "batch": "#777777"}


def line(name, value, unit, bar=None):
    verdict = "-"
    if bar:
        sign, bound = bar.split()
        good = {"<=": value <= float(bound), ">=": value >= float(bound), "<": value < float(bound)}[sign]
        verdict = "pass" if good else "fail"
    print(f"{name}\t{value:.4g}\t{unit}\t{bar or '-'}\t{verdict}", flush=True)


def lines(name, values, unit, bar=None):
    """The bar holds for the worst, too."""
    line(name, statistics.median(values), unit, bar)
    if min(values) < max(values):
        line(f"{name}, least", min(values), unit, bar if bar and bar.startswith(">") else None)
        line(f"{name}, most", max(values), unit, bar if bar and bar.startswith("<") else None)


def idle_s():
    fields = pathlib.Path("/proc/stat").read_text().splitlines()[0].split()
    return (int(fields[4]) + int(fields[5])) / os.sysconf("SC_CLK_TCK")


class Quotas:
    """Static quotas in cgroups of one's own, removed in the end."""

    def __init__(self):
        v1 = pathlib.Path("/sys/fs/cgroup/cpu")
        self.v1 = (v1 / "cpu.shares").exists()
        self.root = v1 if self.v1 else pathlib.Path("/sys/fs/cgroup")
        self.folders = []

    def set(self, pid, cores):
        folder = self.root / f"edgewise-bench-{pid}"
        folder.mkdir()
        self.folders.append(folder)
        if self.v1:
            (folder / "cpu.cfs_quota_us").write_text(str(int(cores * 100000)))
        else:
            (folder / "cpu.max").write_text(f"{int(cores * 100000)} 100000")
        (folder / "cgroup.procs").write_text(str(pid))

    def remove(self):
        for folder in self.folders:
            with contextlib.suppress(OSError):
                folder.rmdir()


class Experiment:
    KEPT = ("way", "seconds", "points", "changes", "decisions", "idle_cores")

    def __init__(self, way, seconds):
        self.way, self.seconds = way, seconds
        self.points, self.programs, self.quotas = [], [], Quotas()
        self.changes = []

    def as_json(self):
        return json.dumps({name: getattr(self, name) for name in self.KEPT})

    @classmethod
    def from_json(cls, text):
        kept = json.loads(text)
        experiment = cls(kept["way"], kept["seconds"])
        experiment.__dict__.update(kept)
        return experiment

    def app(self, name, *arguments):
        process = subprocess.Popen([self.spin, *arguments, "--items", "100000000"], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, env={**os.environ, "EDGEWISE_SOCKET": self.socket,
                                                                   "EDGEWISE_APP": name})
        self.programs.append(process)
        if self.way == "static quotas":
            self.quotas.set(process.pid, APPS[name][2] if name in APPS else BATCH_CARD_CORES)

    def sample(self, begin):
        with urllib.request.urlopen(self.url + "/api/v1/apps", timeout=20) as answer:
            snapshot = json.load(answer)
        now = time.monotonic() - begin
        point = {"t": now}
        for app in snapshot["apps"]:
            if app["alive"] and app["control"]:
                point[app["app"]] = {"ratio": app["control"]["miss_ratio"], "quota": app["control"]["quota_cores"],
                                     "cpu": (app["system"] or {}).get("cpu_percent")}
        self.points.append(point)
        self.changes.append((now, snapshot["control"]["changes"]))
        self.decisions = snapshot["control"]["decisions"]

    def run(self, edgewise, spin):
        self.edgewise, self.spin = edgewise, spin
        with tempfile.TemporaryDirectory() as folder:
            self.socket = f"{folder}/agent.sock"
            goals = pathlib.Path(folder, "goals.yaml")
            goals.write_text(GOALS)
            observe = [] if self.way == "controller" else ["--observe"]
            agent = subprocess.Popen([self.edgewise, "--home", f"{folder}/home", "agent", "--goals", goals, *observe,
                                      "--socket", self.socket, "--port", "0"], stdout=subprocess.DEVNULL,
                                     stderr=subprocess.PIPE, text=True)
            try:
                self.url = re.search(r"http://[^/]+", agent.stderr.readline())[0]
                begin = time.monotonic()
                for name, (work, rate, _) in APPS.items():
                    surge = ["--surge", f"{STEP_S}s:{SURGE}"] if name == "tracker" else []
                    self.app(name, "--work", work, "--rate", str(rate), *surge)
                stepped = False
                while time.monotonic() - begin < self.seconds:
                    if not stepped and time.monotonic() - begin >= STEP_S:
                        stepped = True
                        self.app("batch", "--work", "20ms", "--threads", "6")
                        self.idle_before, self.idle_at = idle_s(), time.monotonic()
                    self.sample(begin)
                    time.sleep(EVERY_S)
                self.idle_cores = (idle_s() - self.idle_before) / (time.monotonic() - self.idle_at)
            finally:
                for process in self.programs:
                    process.kill()
                    process.wait()
                agent.terminate()
                agent.wait()
                self.quotas.remove()

    def met(self, name, since, until=float("inf")):
        ratios = [p[name]["ratio"] for p in self.points if since <= p["t"] < until and name in p]
        # What is not measured is not met.
        return sum(r is not None and r <= 1 for r in ratios) / max(1, len(ratios))

    def recovery_s(self, names=tuple(APPS)):
        """From the step until the goals are met and stay so for three seconds."""
        after = [p for p in self.points if p["t"] >= STEP_S]
        good = [all(p.get(n) and p[n]["ratio"] is not None and p[n]["ratio"] <= 1 for n in names) for p in after]
        need = int(3 / EVERY_S)
        missed_yet = False
        for i, point in enumerate(after):
            missed_yet = missed_yet or not good[i]
            if all(good[i:i + need]) and len(good[i:i + need]) == need and (missed_yet or point["t"] > STEP_S + 4):
                return point["t"] - STEP_S if missed_yet else 0.0
        return float("inf")

    def changes_per_minute(self):
        settled = STEP_S + 30
        counts = [(t, n) for t, n in self.changes if t >= settled]
        return 60 * (counts[-1][1] - counts[0][1]) / (counts[-1][0] - counts[0][0])

    def batch_cores(self):
        values = [p["batch"]["cpu"] / 100 for p in self.points if "batch" in p and p["batch"]["cpu"] is not None]
        return sum(values) / max(1, len(values))


def polyline(points, colour, width=1.6, dash=""):
    text = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return f'<polyline points="{text}" fill="none" stroke="{colour}" stroke-width="{width}"{dash}/>'


def plot(experiments, path):
    """How far each app is from its goal, over time; below, what the controller lets each use."""
    width, height, left, gap = 820, 118, 120, 34
    panels = len(experiments) + 1
    longest = min(e.seconds for e in experiments)
    for experiment in experiments:
        experiment.points = [p for p in experiment.points if p["t"] <= longest]
    x = lambda t: left + t * (width - left - 30) / longest
    out = []
    for row, experiment in enumerate(experiments):
        top = 30 + row * (height + gap)
        y = lambda ratio, top=top: top + height - min(ratio, 2.0) / 2.0 * height
        out.append(f'<text x="{left}" y="{top - 8}" font-weight="bold">{experiment.way}</text>')
        out.append(f'<rect x="{left}" y="{top}" width="{x(longest) - left}" height="{height / 2}" fill="#fbeaea"/>')
        for value, label in ((0, "0"), (1, "goal"), (2, "2× or more")):
            out.append(f'<line x1="{left}" x2="{x(longest)}" y1="{y(value)}" y2="{y(value)}" stroke="#ccc"/>')
            out.append(f'<text x="{left - 8}" y="{y(value) + 4}" text-anchor="end">{label}</text>')
        out.append(f'<line x1="{x(STEP_S)}" x2="{x(STEP_S)}" y1="{top}" y2="{top + height}" stroke="#333" stroke-dasharray="4 3"/>')
        for name in APPS:
            points = [(x(p["t"]), y(p[name]["ratio"])) for p in experiment.points
                      if name in p and p[name]["ratio"] is not None]
            out.append(polyline(points, COLOURS[name]))
    top = 30 + len(experiments) * (height + gap)
    y = lambda cores: top + height - min(cores, 2) / 2 * height
    out.append(f'<text x="{left}" y="{top - 8}" font-weight="bold">CPU limits that the controller sets, in cores</text>')
    for value in (0, 1, 2):
        out.append(f'<line x1="{left}" x2="{x(longest)}" y1="{y(value)}" y2="{y(value)}" stroke="#ccc"/>')
        out.append(f'<text x="{left - 8}" y="{y(value) + 4}" text-anchor="end">{value}</text>')
    for name, colour in COLOURS.items():
        points = [(x(p["t"]), y(p[name]["quota"])) for p in experiments[-1].points
                  if name in p and p[name]["quota"] is not None]
        out.append(polyline(points, colour))
    bottom = top + height
    for t in range(0, int(longest) + 1, 15):
        out.append(f'<text x="{x(t)}" y="{bottom + 18}" text-anchor="middle">{t} s</text>')
    for i, (name, colour) in enumerate(COLOURS.items()):
        out.append(f'<rect x="{left + 110 * i}" y="{bottom + 32}" width="14" height="4" fill="{colour}"/>')
        out.append(f'<text x="{left + 110 * i + 20}" y="{bottom + 38}">{name}</text>')
    out.append(f'<text x="{left + 330}" y="{bottom + 38}">dashed: batch arrives, tracker’s items take 1.5 times as long</text>')
    total = bottom + 52
    pathlib.Path(path).write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {total}" font-family="sans-serif" font-size="12" '
        f'role="img" aria-label="How far apps are from their goals, over time, in {panels - 1} ways of control">'
        f'<rect width="{width}" height="{total}" fill="white"/>' + "".join(out) + "</svg>\n")


def summarise(way, experiments):
    controlled = way == "controller"
    key = "control." + way.replace(" ", "_")
    recoveries = [e.recovery_s() for e in experiments]
    since = [STEP_S + (min(recovery, 5) if controlled else 5) for recovery in recoveries]
    shares = {name: [100 * e.met(name, begin) for e, begin in zip(experiments, since)] for name in APPS}
    line(f"{key}.experiments", len(experiments), "1")
    for name, values in shares.items():
        lines(f"{key}.{name}_met", values, "%", ">= 95" if controlled else None)
    # If goals are missed already here, something else loads the machine, and the step shows nothing.
    lines(f"{key}.met_before_step", [100 * min(e.met(name, STEP_S - 8, STEP_S) for name in APPS) for e in experiments], "%")
    if way == "no control":
        lines(f"{key}.worst_goal_met", [min(values) for values in zip(*shares.values())], "%", "< 70")
    lines(f"{key}.recovery", recoveries, "s", "<= 5" if controlled else None)
    if controlled:
        for name in APPS:
            lines(f"{key}.{name}_recovery", [e.recovery_s((name,)) for e in experiments], "s")
    lines(f"{key}.batch_cpu", [e.batch_cores() for e in experiments], "cores")
    lines(f"{key}.idle_cpu", [e.idle_cores for e in experiments], "cores")
    if controlled:
        lines(f"{key}.changes", [e.changes_per_minute() for e in experiments], "1/min", "<= 2")
        for decision in experiments[-1].decisions:
            print(f"# {decision['utc']} {decision['app']}: {decision['what']}. {decision['why']}", file=sys.stderr)


def typical(experiments):
    """One of the middle, by recovery."""
    return sorted(experiments, key=Experiment.recovery_s)[(len(experiments) - 1) // 2]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("edgewise")
    parser.add_argument("spin")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--way", action="append", choices=WAYS)
    parser.add_argument("--results")
    parser.add_argument("--svg")
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    edgewise, spin = (str(pathlib.Path(p).resolve()) for p in (options.edgewise, options.spin))
    kept = pathlib.Path(options.results) if options.results else None
    experiments = [Experiment.from_json(text) for text in kept.read_text().splitlines()] if kept and kept.exists() else []
    for _ in range(options.repeat):
        for way in options.way or WAYS:
            # Twice as long with the controller, to see whether it comes to rest.
            experiment = Experiment(way, options.seconds * (2 if way == "controller" else 1))
            experiment.run(edgewise, spin)
            experiments.append(experiment)
            if kept:
                with kept.open("a") as file:
                    file.write(experiment.as_json() + "\n")
    by_way = {way: [e for e in experiments if e.way == way] for way in WAYS}
    for way, those in by_way.items():
        if those:
            summarise(way, those)
    if options.svg and all(by_way.values()):
        plot([typical(those) for those in by_way.values()], options.svg)


if __name__ == "__main__":
    main()

"""`edgewise train` and `evaluate --contention` on campaigns made here by a law that is known."""
import json
import math
import random
import unittest

from driving import EdgewiseTest

HEADER = ("deployment,kind,repeat_of,server,cores,tenant,replicas,rate_per_s,quota_cores,stressor,dial,seconds,arrived,"
          "completed,censored,dropped,service_mean_ms,service_sd_ms,response_mean_ms,response_p50_ms,response_p75_ms,"
          "response_p95_ms,response_p99_ms,queueing_mean_ms,cpu_cores,memory_bytes")
SERVICE_MS = {"gcn": 6.0, "forest": 12.0, "bert": 25.0}


class Campaign:
    """Tenants of one core that are stretched by the load of the others, with some noise."""

    def __init__(self, seed=1):
        self.chance = random.Random(seed)
        self.lines = [HEADER]

    def add(self, name, kind, shares, repeat_of="", stressor="", dial=""):
        load = {tenant: replicas * rate * SERVICE_MS[tenant] / 1e3 for tenant, (replicas, rate) in shares.items()}
        for tenant, (replicas, rate) in shares.items():
            others = sum(load.values()) - load[tenant] / replicas
            stretch = (1 + (dial or 0) / 100) / (1 - others)
            served = SERVICE_MS[tenant] * stretch
            busy = min(0.95, rate * served / 1e3)
            mean = served * (1 + busy / (1 - busy) / 2) * math.exp(self.chance.gauss(0, 0.05))
            figures = [mean * factor * math.exp(self.chance.gauss(0, 0.05)) for factor in (0.8, 1.2, 2.2, 3.3)]
            self.lines.append(",".join(map(str, [
                name, kind, repeat_of, "box", 1, tenant, replicas, rate, "", stressor, dial, 10, 200, 200, 0, 0, served,
                served / 4, mean, *sorted(figures), max(0, mean - served), 200 * SERVICE_MS[tenant] / 1e4, 1 << 20])))

    def measure(self, tenants, deployments):
        for tenant in tenants:
            self.add(f"b-{tenant}", "baseline", {tenant: (1, 5)})
            for dial in (50, 100):
                self.add(f"s-{tenant}-{dial}", "sensitivity", {tenant: (1, 5)}, stressor="cpu", dial=dial)
        for i in range(deployments):
            chosen = self.chance.sample(tenants, self.chance.randint(min(2, len(tenants)), len(tenants)))
            load = self.chance.uniform(0.2, 0.8) / len(chosen)
            shares = {}
            for tenant in chosen:
                replicas = self.chance.randint(1, 2)
                shares[tenant] = (replicas, round(load * 1e3 / SERVICE_MS[tenant] / replicas, 3))
            self.add(f"r{i}", "random", shares)
            if i % 5 == 0:
                self.add(f"r{i}again", "random", shares, repeat_of=f"r{i}")
        return self


class ContentionTest(EdgewiseTest):
    def write(self, folder, lines):
        (self.scratch / folder).mkdir(exist_ok=True)
        (self.scratch / folder / "deployments.csv").write_text("\n".join(lines) + "\n")

    def refused(self, *arguments):
        done = self.edgewise(*arguments)
        self.assertEqual(done.code, 2, done.stdout + done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
        return done.stderr

    def test_predictors_are_compared_on_deployments_held_out(self):
        self.write("campaign", Campaign().measure(list(SERVICE_MS), 40).lines)
        done = self.edgewise("evaluate", "--contention", "campaign", "--json", "--svg", "p95.svg")
        self.assertEqual(done.code, 0, done.stderr)
        answer = json.loads(done.stdout)
        self.assertEqual([p["name"] for p in answer["predictors"]], ["sharing", "pressure", "simulator", "set network", "PERX", "ScalO-RAN"])
        self.assertEqual(answer["noise_floor"]["pairs"], 8)
        pressure = answer["predictors"][0]["p95"]
        self.assertLess(pressure["median_ape"]["value"], 0.3)
        self.assertLess(pressure["against_published"]["low"], pressure["against_published"]["high"])
        self.assertEqual(len(pressure["held_out"]), pressure["forecasts"])
        self.assertIn("</svg>", (self.scratch / "p95.svg").read_text())
        text = self.edgewise("evaluate", "--contention", "campaign").stdout
        self.assertIn("noise floor: two measurements of one deployment differ by", text)
        self.assertIn("ScalO-RAN", text)

    def test_trained_pressures_place_an_app_that_was_never_beside_others(self):
        self.write("campaign", Campaign().measure(["gcn", "bert"], 40).lines)
        self.write("new", Campaign(2).measure(["forest"], 0).lines)
        (self.scratch / "campaign" / "campaign.yaml").write_text(
            "version: 1\nserver: {name: box, fingerprint: abc}\ntenants:\n  - {name: gcn, memory_bytes: 1048576}\n")
        (self.scratch / "new" / "campaign.yaml").write_text("version: 1\nserver: {name: box, fingerprint: abc}\n")
        done = self.edgewise("train", "--contention", "campaign", "new", "-o", "pressures.yaml")
        self.assertEqual(done.code, 0, done.stderr)
        self.assertIn("3 apps, measured on box", done.stdout)
        pressures = (self.scratch / "pressures.yaml").read_text()
        self.assertIn("memory: 1048576", pressures)
        (self.scratch / "requests.yaml").write_text(
            "requests:\n  - {name: one, app: forest, rate: 10, memory: 1MiB, pay: 1, sla: {quantile: p95, delay_ms: 500}}\n")
        (self.scratch / "servers.yaml").write_text("servers:\n  - {name: box, rank: 0, memory: 1GiB}\n")
        placed = self.edgewise("place", "requests.yaml", "--servers", "servers.yaml", "--pressures", "pressures.yaml")
        self.assertEqual(placed.code, 0, placed.stderr)
        self.assertIn("measured on box", placed.stdout)

    def test_response_times_of_a_deployment_are_foretold_with_intervals(self):
        self.write("campaign", Campaign().measure(list(SERVICE_MS), 40).lines)
        question = ["predict", "--contention", "campaign", "--tenant", "gcn:rate=20,replicas=2", "--tenant"]
        freely = json.loads(self.edgewise(*question, "bert:rate=8", "--json").stdout)
        limited = json.loads(self.edgewise(*question, "bert:rate=8,quota=0.3", "--json").stdout)
        self.assertEqual([t["tenant"] for t in freely["tenants"]], ["gcn", "bert"])
        for tenant in freely["tenants"]:
            self.assertTrue(tenant["keeps_up"])
            p95 = tenant["p95_ms"]
            self.assertLess(p95["low"], p95["value"])
            self.assertGreater(p95["high"], p95["value"])
            self.assertLess(tenant["p75_ms"]["value"], p95["value"])
        self.assertGreater(limited["tenants"][1]["p95_ms"]["value"], 1.2 * freely["tenants"][1]["p95_ms"]["value"])
        flooded = self.edgewise(*question, "bert:rate=800")
        self.assertEqual(flooded.code, 0, flooded.stderr)
        self.assertIn("never", flooded.stdout)
        self.assertIn("sensitivity --tenants other", self.refused(*question, "other:rate=1"))
        self.assertIn("has no rate", self.refused(*question, "bert"))
        self.assertIn("stands twice", self.refused(*question, "gcn:rate=1"))
        self.assertIn("--tenant lstm:rate=20", self.refused("predict", "--contention", "campaign"))
        self.assertIn("either a network", self.refused("predict", "net.onnx", "--contention", "campaign"))
        self.assertIn("of --contention", self.refused("predict", "net.onnx", "--tenant", "gcn:rate=1"))

    def test_what_cannot_be_judged_is_refused_in_a_sentence(self):
        lines = Campaign().measure(list(SERVICE_MS), 40).lines
        self.write("campaign", lines)
        self.write("few", Campaign().measure(list(SERVICE_MS), 3).lines)
        self.write("crowd", [line for line in lines if not line.startswith(("b-gcn", "s-gcn"))])
        self.write("empty", [HEADER])
        self.write("broken", [HEADER, "r1,random,,box,1,gcn,1,nan" + "," * 18])
        self.assertIn("contend random", self.refused("evaluate", "--contention", "few"))
        self.assertIn("sensitivity --tenants gcn", self.refused("train", "--contention", "crowd", "-o", "p.yaml"))
        self.assertIn("no deployments", self.refused("evaluate", "--contention", "empty"))
        self.assertIn("broken/deployments.csv:2", self.refused("evaluate", "--contention", "broken"))
        self.assertIn("nowhere/deployments.csv", self.refused("evaluate", "--contention", "nowhere"))
        self.assertIn("given twice", self.refused("evaluate", "--contention", "campaign", "campaign/."))
        self.assertIn("either tables", self.refused("evaluate"))
        self.assertIn("either tables", self.refused("train", "a.csv", "--contention", "campaign", "-o", "p.yaml"))
        self.assertFalse((self.scratch / "p.yaml").exists())


if __name__ == "__main__":
    unittest.main()

"""History: an app over its versions, gates between them, and apps together on a node."""
import json
import unittest

from driving import EDGEWISE, EdgewiseTest, program


class HistoryTest(EdgewiseTest):
    def measure(self, label, milliseconds, repeat=6):
        done = self.edgewise("run", "--quiet", "--repeat", repeat, "--label", label, "--", "/bin/sh", "-c",
                             f"sleep {milliseconds / 1000}")
        self.assertEqual(done.code, 0, done.stderr)

    def history(self, *arguments, code=0):
        done = self.edgewise("history", *arguments, "--json")
        self.assertEqual(done.code, code, done.stderr)
        return json.loads(done.stdout)

    def test_a_slower_version_is_flagged_with_its_interval(self):
        # Waiting takes as long on any machine; a slow one only adds to it.
        self.measure("app:1.0", 20)
        self.measure("app:1.1", 400)
        line = self.history("app")["lines"][0]
        self.assertEqual([version["version"] for version in line["versions"]], ["1.0", "1.1"])
        wall = next(change for change in line["changes"] if change["figure"] == "wall_s")
        self.assertTrue(wall["regression"])
        self.assertTrue(1 < wall["low"] < wall["ratio"] < wall["high"])
        for bounds in (line["resources"]["cpu_cores"], line["resources"]["memory_bytes"]):
            self.assertLessEqual(bounds["lower"], bounds["target"])
            self.assertLessEqual(bounds["target"], bounds["upper"])
        text = self.edgewise("history", "app").stdout
        self.assertIn("1.0 → 1.1", text)
        self.assertIn("worst-case memory", text)
        page = self.scratch / "history.html"
        self.assertEqual(self.edgewise("history", "app", "--html", page).code, 0)
        self.assertIn("<svg", page.read_text())
        apps = self.history()["apps"]
        self.assertEqual([(app["app"], app["versions"], app["runs"]) for app in apps], [("app", ["1.0", "1.1"], 12)])

    def test_gates_fail_only_beyond_doubt(self):
        self.measure("before", 20)
        self.measure("after", 400)
        for gate, code in (("wall > 1.10x", 1), ("wall > 1000x", 0), ("wall > 50ms", 1), ("wall >", 2), ("p95 > 1.1x", 2)):
            done = self.edgewise("compare", "before", "after", "--fail-if", gate)
            self.assertEqual(done.code, code, (gate, done.stderr))
            self.assert_one_sentence(done.stderr)
        done = self.edgewise("compare", "before", "after", "--json", "--fail-if", "wall > 1.10x")
        self.assertTrue(json.loads(done.stdout)["gates"][0]["fails"])

    def test_a_gate_without_enough_runs_does_not_pass(self):
        self.measure("before", 20, repeat=2)
        self.measure("after", 20, repeat=2)
        done = self.edgewise("compare", "before", "after", "--fail-if", "wall > 1.10x")
        self.assertEqual(done.code, 2)
        self.assert_one_sentence(done.stderr, "five")

    def test_spans_can_be_gated(self):
        done = self.edgewise("run", "--quiet", "--label", "spans", "--", *program("spans", "steady", 400))
        self.assertEqual(done.code, 0, done.stderr)
        done = self.edgewise("compare", "spans", "spans", "--fail-if", "p50 > 5x", "--fail-if", "no-such p50 > 2x")
        self.assertEqual(done.code, 2)
        self.assert_one_sentence(done.stderr, "no-such")

    def test_together_answers_no_yes_and_what_is_unknown(self):
        self.measure("app:1.0", 20)
        small = self.scratch / "small.yaml"
        small.write_text("name: small\ncores: 4\nmemory: 64KiB\n")
        done = self.edgewise("history", "--together", "app", "--node", small)
        self.assertEqual(done.code, 1, done.stderr)
        self.assertIn("no: memory", done.stdout)
        card = self.scratch / "card.yaml"
        card.write_text("name: app\nperiod_ms: 100\ndeadline_ms: 100\nwcet_ms: 30\nisolated: {p95_ms: 20}\n"
                        "contended: {p95_ms: 30, beside: other}\n")
        other = self.scratch / "other.yaml"
        other.write_text("name: other\nrss_mb: 10\ncpu_share_percent: 10\ndeadline_ms: 50\nwcet_ms: 20\n")
        node = self.scratch / "node.yaml"
        node.write_text("name: node\ncores: 4\nmemory: 8GiB\n")
        answer = self.history("--together", "app", str(other), "--node", str(node), "--card", str(card))
        self.assertEqual(answer["fits"], "unknown")
        goals = {goal["app"]: goal for goal in answer["goals"]}
        self.assertEqual((goals["app"]["fits"], goals["app"]["expected_ms"]), ("yes", 45))
        self.assertEqual(goals["other"]["fits"], "unknown")
        card.write_text(card.read_text().replace("deadline_ms: 100", "deadline_ms: 40"))
        answer = self.history("--together", "app", str(other), "--node", str(node), "--card", str(card), code=1)
        self.assertEqual(answer["fits"], "no")

    def test_curves_that_were_measured_say_what_neighbours_cost(self):
        done = self.edgewise("contend", "sensitivity", "--app", f"app={EDGEWISE} stress --probe cpu",
                             "--app", f"other={EDGEWISE} stress --probe cache", "--stress", "cpu,cache", "--dials", "100",
                             "--duration", "300ms", "--warmup", "50ms", "--settle", "50ms", "--json")
        self.assertEqual(done.code, 0, done.stderr)
        curves = self.scratch / "curves.json"
        curves.write_text(done.stdout)
        cards = []
        for name in ("app", "other"):
            cards.append(self.scratch / f"{name}.yaml")
            cards[-1].write_text(f"name: {name}\nrss_mb: 10\ncpu_share_percent: 10\nperiod_ms: 60000\n"
                                 "deadline_ms: 60000\nwcet_ms: 20\nisolated: {p95_ms: 10}\n")
        node = self.scratch / "node.yaml"
        node.write_text("name: node\ncores: 4\nmemory: 8GiB\n")
        asked = ("--together", *map(str, cards), "--node", str(node))
        self.assertEqual(self.history(*asked)["fits"], "unknown")
        answer = self.history(*asked, "--curves", str(curves))
        self.assertEqual(answer["fits"], "yes", answer)
        for goal in answer["goals"]:
            self.assertGreaterEqual(goal["expected_ms"], 10)

    def test_bad_input_is_one_sentence(self):
        self.measure("app:1.0", 20, repeat=1)
        node = self.scratch / "node.yaml"
        node.write_text("cores: 4\n")
        for arguments, word in ((("ap",), "did you mean app"), (("app", "--together", "app"), "--together"),
                                (("--together", "none"), "none"), (("--node", "x", "app"), "--together"),
                                (("--together", "app", "--node", "nowhere"), "nowhere"),
                                (("--together", "app", "--node", node), "memory"),
                                (("--together", "app", "--curves", node), "contend"),
                                (("app", "--html", "x", "--json"), "--html")):
            done = self.edgewise("history", *arguments)
            self.assertEqual(done.code, 2, (arguments, done.stderr))
            self.assert_one_sentence(done.stderr, word)


if __name__ == "__main__":
    unittest.main()

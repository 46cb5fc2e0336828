"""Spans of the in-app library, from a program to a card."""
import csv
import io
import json
import os
import signal
import subprocess
import unittest

from driving import EDGEWISE, PATIENCE_S, PYTHON, SOURCE, EdgewiseTest, program, wait_until


def span_of(run, name):
    return next(span for span in run["spans"] if span["name"] == name)


class SpansTest(EdgewiseTest):
    def test_every_record_of_a_program_arrives(self):
        run = self.run_json("--", *program("spans", "steady", 1000))
        for name in ("frame", "step", "control"):
            span = span_of(run, name)
            self.assertEqual((span["count"], span["dropped"]), (1000, 0), name)
            self.assertLessEqual(span["p50_ms"]["value"], span["max_ms"])
        self.assertEqual(span_of(run, "frame")["cpu_count"], 1000)
        self.assertEqual(span_of(run, "step")["cpu_count"], 0)
        self.assertIsNone(span_of(run, "step")["cpu_mean_ms"])
        self.assertEqual(span_of(run, "control")["jobs"]["response"]["count"], 1000)
        series = {entry["name"]: entry for entry in run["series"]}
        self.assertEqual((series["temperature_c"]["min"], series["temperature_c"]["max"]), (40, 42))
        self.assertEqual(series["seen"]["last"], 1000)
        self.assertEqual(series["fps"]["count"], 999)
        client, = run["clients"]
        self.assertEqual((client["dropped"], client["open_spans"]), (0, []))

    def test_children_report_for_themselves(self):
        spans = " ".join(program("spans", "steady", 100))
        run = self.run_json("--", "sh", "-c", f"{spans} & {spans} & wait")
        self.assertEqual(span_of(run, "frame")["count"], 200)
        self.assertEqual(len(run["clients"]), 2)

    def test_a_program_that_is_killed_inside_a_span_has_it_named(self):
        process = self.start("run", "--", *program("spans", "open"))
        self.assertEqual(process.stdout.readline(), b"inside\n")
        target = subprocess.run(["pgrep", "-f", "-x", " ".join(program("spans", "open"))], capture_output=True,
                                text=True, check=True).stdout.split()[0]
        os.kill(int(target), signal.SIGKILL)
        _, stderr = process.communicate(timeout=PATIENCE_S)
        self.assertEqual(process.returncode, 137)
        run = self.show()
        self.assertEqual(run["clients"][0]["open_spans"], ["outer", "inner"])
        self.assertIn(b"inner", stderr)
        self.assertEqual(run["signal"], 9)

    def test_a_full_ring_drops_and_counts(self):
        count = 1_000_000
        run = self.run_json("--env", "EDGEWISE_RING_BYTES=4096", "--", *program("spans", "flood", count))
        span, = run["spans"]
        client, = run["clients"]
        self.assertGreater(client["dropped"], 0)
        self.assertEqual(span["dropped"], client["dropped"])
        self.assertEqual(span["count"] + span["dropped"], count)
        self.assertTrue(any("were lost" in warning for warning in run["warnings"]), run["warnings"])
        self.assertIn("dropped", self.edgewise("show").stdout)

    def test_drops_are_counted_for_the_span_they_belong_to(self):
        run = self.run_json("--env", "EDGEWISE_RING_BYTES=4096", "--", *program("spans", "flood2", 1_000_000))
        client, = run["clients"]
        self.assertGreater(client["dropped"], 0)
        for name in ("outside", "inside"):
            span = span_of(run, name)
            self.assertEqual(span["count"] + span["dropped"], 500_000)
            self.assertTrue(any(f"of '{name}' were lost" in warning for warning in run["warnings"]), run["warnings"])

    def test_a_program_without_edgewise_around_it_is_not_slowed_or_changed(self):
        done = subprocess.run(program("spans", "steady", 200), env=self.environment, capture_output=True, check=False,
                              cwd=self.scratch, timeout=PATIENCE_S)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))
        self.assertFalse(self.home.exists())

    def test_spans_reach_the_store_while_the_program_runs(self):
        process = self.start("run", "--", *program("spans", "endless"))
        process.stdout.read(10)
        wait_until(lambda: any(span["count"] > 100 for span in self.show()["spans"]), "spans in the store")
        self.assertEqual(self.show()["state"], "running")


@unittest.skipUnless((SOURCE / "clients/python/edgewise/__init__.py").exists(), "clients/python is not there")
class PythonTest(EdgewiseTest):
    SCRIPT = """
import edgewise
for i in range(200):
    with edgewise.measure("frame_process", meta={"src": "camera"}):
        sum(range(1000))
"""

    def test_spans_of_python_arrive(self):
        script = self.scratch / "app.py"
        script.write_text(self.SCRIPT)
        run = self.run_json("--env", f"PYTHONPATH={SOURCE / 'clients/python'}",
                            "--env", f"EDGEWISE_CLIENT_LIB={EDGEWISE.parent / 'libedgewise_client.so'}",
                            "--env", "PYTHONDONTWRITEBYTECODE=1", "--", PYTHON, script)
        span = span_of(run, "frame_process")
        self.assertEqual((span["count"], span["dropped"]), (200, 0))


class VerbsTest(EdgewiseTest):
    def ok(self, *arguments):
        done = self.edgewise(*arguments)
        self.assertEqual(done.code, 0, done.stderr)
        return done.stdout

    def test_a_card_rests_on_its_runs(self):
        run = self.run_json("--", *program("spans", "steady", 1000))
        card = self.ok("card", "last", "--span", "frame", "--period", "100ms", "--deadline", "100ms")
        for line in ("period_ms: 100", "deadline_ms: 100", "wcet_kind: quantile_bound"):
            self.assertIn(line, card)
        self.assertIn(run["id"], card)
        wcet_ms = next(float(line.split()[1]) for line in card.splitlines() if line.startswith("wcet_ms:"))
        frame = span_of(run, "frame")
        self.assertGreaterEqual(wcet_ms, frame["p50_ms"]["value"])
        self.assertLessEqual(wcet_ms, frame["max_ms"] * 1.001)

    def test_a_card_of_an_unknown_span_is_refused(self):
        self.run_json("--", *program("spans", "steady", 10))
        done = self.edgewise("card", "--span", "fram", "--period", "1s")
        self.assertEqual(done.code, 2)
        self.assert_one_sentence(done.stderr, "fram", "frame")

    def test_compare_sees_what_became_slower(self):
        for label, cpu_ms in (("fast", 20), ("slow", 150)):
            self.run_json("--label", label, "--repeat", 6, "--", *program("burn", cpu_ms, 1))
        comparison = json.loads(self.ok("compare", "fast", "slow", "--json"))
        self.assertEqual((len(comparison["a"]["runs"]), len(comparison["b"]["runs"])), (6, 6))
        cpu = next(total for total in comparison["totals"] if total["name"].startswith("cpu"))
        self.assertEqual(cpu["verdict"], "slower", comparison["totals"])
        self.assertGreater(cpu["low"], 1)
        self.assertIn("slower", self.ok("compare", "fast", "slow"))
        self.assertEqual(self.edgewise("compare", "fast", "slow", "--fail-if-slower").code, 1)

    def test_compare_has_a_ratio_for_every_span(self):
        for how in ("steady", "slow"):
            self.run_json("--label", how, "--", *program("spans", how, 500))
        comparison = json.loads(self.ok("compare", "steady", "slow", "--json"))
        spans = {span["name"]: span for span in comparison["spans"]}
        self.assertEqual(set(spans), {"frame", "step", "control"})
        self.assertGreater(spans["step"]["median"]["ratio"], 3)
        # Whether an interval is possible depends on how noisy the machine is.
        self.assertIn(spans["step"]["median"]["verdict"], ("slower", "insufficient samples"))

    def test_ab_interleaves_and_judges(self):
        small, large = (" ".join(program("burn", ms, 1)) for ms in (20, 150))
        comparison = json.loads(self.ok("ab", "--json", "--repeat", 6, small, large))
        self.assertTrue(comparison["interleaved"])
        self.assertEqual((len(comparison["a"]["runs"]), len(comparison["b"]["runs"])), (6, 6))
        cpu = next(total for total in comparison["totals"] if total["name"].startswith("cpu"))
        self.assertEqual(cpu["verdict"], "slower", comparison["totals"])
        self.assertGreater(cpu["low"], 1)
        # In turns: no side has two more than the other at any time.
        roles = [run["group_role"] for run in self.stored()]
        self.assertTrue(all({roles[i], roles[i + 1]} == {"a", "b"} for i in range(0, 12, 2)), roles)

    def test_ab_says_when_a_command_fails(self):
        done = self.edgewise("ab", "--repeat", 2, "true", "false")
        self.assertIn("ended with code 1", done.stderr)

    def test_exported_csv_has_every_span(self):
        self.run_json("--", *program("spans", "steady", 50))
        rows = list(csv.DictReader(io.StringIO(self.ok("export", "--format", "csv"))))
        names = [row[next(key for key in row if "name" in key or key == "span")] for row in rows]
        self.assertEqual(names.count("frame"), 50)
        self.assertIn("src=left", self.ok("export", "--format", "csv"))
        self.assertIn("frame", self.ok("export", "--format", "markdown"))
        self.assertIn("frame", self.ok("export", "--format", "csv", "--what", "summary"))
        target = self.scratch / "out.json"
        self.ok("export", "--format", "json", "--output", target)
        self.assertEqual(json.loads(target.read_text()), self.show())

    def test_pywaggle_logs_are_imported(self):
        log = self.scratch / "data.ndjson"
        log.write_text("".join(
            json.dumps({"meta": {}, "name": "env.temp", "timestamp": f"2024-05-01T00:00:{i:02d}.000000000Z",
                        "value": 20 + i}) + "\n" for i in range(30)))
        self.ok("import", "pywaggle", log, "--label", "node")
        run = self.show("node")
        self.assertEqual(run["kind"], "import")
        series = next(series for series in run["series"] if series["name"] == "env.temp")
        self.assertEqual((series["count"], series["min"], series["max"]), (30, 20, 49))

    def test_a_reference_that_names_nothing_is_bad_input(self):
        self.run_json("--", "true")
        for arguments in (["show", "nothing"], ["compare", "last", "nothing"], ["card", "nothing"],
                          ["export", "nothing"], ["import", "pywaggle", "/no/such/file"]):
            with self.subTest(arguments=arguments):
                done = self.edgewise(*arguments)
                self.assertEqual(done.code, 2, done.stderr)
                self.assert_one_sentence(done.stderr)


if __name__ == "__main__":
    unittest.main()

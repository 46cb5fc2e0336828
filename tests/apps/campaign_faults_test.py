"""Campaigns of `edgewise contend --tenants` when something goes wrong. No time is compared with another."""
import csv
import json
import os
import signal
import unittest

from driving import PATIENCE_S, read_text, wait_until
from running import AppTest

CPU = min(os.sched_getaffinity(0))
# Answers lines while there is no file "fail".
FLAKY = """#!/usr/bin/python3
import pathlib, sys
for line in sys.stdin:
    if pathlib.Path("fail").exists():
        sys.exit("ValueError: out of luck")
    print(line, flush=True, end="")
"""
# The tenant program, but what it logs cannot be written in the end.
FULL = """#!/usr/bin/python3
import os, signal, subprocess, sys
child = subprocess.Popen([os.environ["REAL_TENANT"], *sys.argv[1:]])
for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, lambda number, _: child.send_signal(number))
child.wait()
sys.exit("tenant: --requests: 0.csv cannot be written: No space left on device")
"""


class CampaignFaultsTest(AppTest):
    def setUp(self):
        super().setUp()
        self.out = self.scratch / "campaign"

    def words(self, mode, *arguments, tenants="lstm", memory="4GiB"):
        return ["contend", mode, "--tenants", tenants, "--server", f"left=cpus:{CPU},memory:{memory}", "--out", self.out,
                "--duration", "500ms", "--warmup", "100ms", *arguments]

    def contend(self, mode, *arguments, code=0, **options):
        done = self.edgewise(*self.words(mode, *arguments, "--json", **options))
        self.assertEqual(done.code, code, done.stderr)
        return json.loads(done.stdout) if done.stdout else done

    def rows(self, name="deployments.csv"):
        return list(csv.DictReader((self.out / name).read_text().splitlines()))

    def program(self, name, text):
        path = self.scratch / name
        path.write_text(text)
        path.chmod(0o755)
        return path

    def test_one_command_at_a_time_writes_to_a_folder(self):
        first = self.start(*self.words("random"))
        wait_until(lambda: (read_text(self.out / "times.csv") or "").count("\n") > 1, "a deployment")
        done = self.edgewise(*self.words("random"))
        self.assertEqual(done.code, 3, done)
        self.assert_one_sentence(done.stderr, "another command is writing to", "campaign")
        first.send_signal(signal.SIGINT)
        self.assertEqual(first.wait(timeout=PATIENCE_S), 130)
        ids = [row["deployment"] for row in self.rows("times.csv")]
        self.assertEqual(len(set(ids)), len(ids))

    def test_requests_that_could_not_be_logged_are_a_failure(self):
        self.environment["REAL_TENANT"] = self.command("tenant")[0]
        self.environment["EDGEWISE_TENANT"] = str(self.program("full.py", FULL))
        report = self.contend("baseline", code=1)
        self.assertEqual(report["measured"], 0)
        self.assertRegex(report["warnings"][0], "lstm did not end well: exit code .*No space left on device")
        self.assertFalse((self.out / "deployments.csv").exists())

    def test_what_failed_once_is_not_tried_for_ever(self):
        flaky = self.program("flaky.py", FLAKY)
        (self.scratch / "tenant.yaml").write_text(
            f"tenants:\n  - {{name: a, command: {flaky}, ask: {{line: x}}, memory: 20MiB}}\n"
            f"  - {{name: b, command: {flaky}, ask: {{line: x}}, memory: 20MiB}}\n")
        tenants = str(self.scratch / "tenant.yaml")
        self.contend("baseline", tenants=tenants)
        (self.scratch / "fail").touch()
        done = self.edgewise(*self.words("random", "--deployments", 1, tenants=tenants))
        self.assertEqual(done.code, 3, done)
        self.assert_one_sentence(done.stderr, "three deployments in a row failed", "ValueError: out of luck")
        failed = [row["deployment"] for row in self.rows("times.csv") if row["mode"] == "random"]
        self.assertEqual(failed, ["r0001", "r0002", "r0003"])
        (self.scratch / "fail").unlink()
        self.contend("random", "--deployments", 1, tenants=tenants)
        self.assertEqual({row["deployment"] for row in self.rows() if row["kind"] == "random"}, {"r0004"})

    def test_baselines_are_repeated_at_both_loads(self):
        self.contend("baseline")
        self.contend("baseline", "--repeat", 2)
        rows = self.rows()
        self.assertEqual([row["repeat_of"] for row in rows], ["", "", "b0001", "b0002"])
        rates = [float(row["rate_per_s"]) for row in rows]
        self.assertEqual(rates[:2], rates[2:])
        self.assertLess(rates[0], rates[1])

    def test_another_server_does_not_go_on(self):
        self.contend("baseline")
        done = self.edgewise(*self.words("baseline", memory="1GiB"))
        self.assertEqual(done.code, 2, done)
        self.assert_one_sentence(done.stderr, "4 GiB of memory", "another --out")


if __name__ == "__main__":
    unittest.main()

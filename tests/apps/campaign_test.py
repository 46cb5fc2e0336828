"""`edgewise contend --tenants` with real tenants, each measured for a second or less.

No time is compared with another: the machine is shared.
"""
import csv
import json
import os
import pathlib
import signal
import tempfile
import unittest

import images
from driving import PATIENCE_S, processes_with, read_text, wait_until
from running import AppTest

COLUMNS = ("deployment,kind,repeat_of,server,cores,tenant,replicas,rate_per_s,quota_cores,stressor,dial,seconds,arrived,"
           "completed,censored,dropped,service_mean_ms,service_sd_ms,response_mean_ms,response_p50_ms,response_p75_ms,"
           "response_p95_ms,response_p99_ms,queueing_mean_ms,cpu_cores,memory_bytes")
REQUEST_COLUMNS = "service,replica,arrival_s,departure_s,interarrival_s,queueing_s,queue_length,censored"
CPU = min(os.sched_getaffinity(0))
SHORT = ("--duration", "600ms", "--warmup", "100ms")


class CampaignTest(AppTest):
    def setUp(self):
        super().setUp()
        self.out = self.scratch / "campaign"

    def words(self, mode, *arguments, tenants="lstm,gcn"):
        return ["contend", mode, "--tenants", tenants, "--server", f"left=cpus:{CPU},memory:4GiB", "--out", self.out,
                *SHORT, *arguments]

    def contend(self, mode, *arguments, code=0, **options):
        done = self.edgewise(*self.words(mode, *arguments, "--json", **options))
        self.assertEqual(done.code, code, done.stderr)
        return json.loads(done.stdout)

    def rows(self):
        text = (self.out / "deployments.csv").read_text()
        self.assertEqual(text.splitlines()[0], COLUMNS)
        return list(csv.DictReader(text.splitlines()))

    def test_a_campaign_is_measured_stored_and_gone_on_with(self):
        report = self.contend("random", "--deployments", 2)
        self.assertEqual((report["end"], report["deployments"]), ("plan-done", {"baseline": 4, "random": 2}))
        rows = self.rows()
        self.assertEqual({row["deployment"] for row in rows}, {"b0001", "b0002", "b0003", "b0004", "r0001", "r0002"})
        for row in rows:
            self.assertEqual((row["server"], row["cores"], row["stressor"], row["dial"]), ("left", "1", "", ""))
            self.assertGreater(int(row["arrived"]), 0)
            self.assertEqual(int(row["arrived"]), int(row["completed"]) + int(row["censored"]) + int(row["dropped"]))
            self.assertGreater(int(row["memory_bytes"]), 1 << 20)
        self.assertEqual(len([row for row in rows if row["deployment"] == "r0001"]), 2)
        self.assertRegex((self.out / "campaign.yaml").read_text(), "(?s)server:.*name: left.*tenants:.*lstm")
        lines = (self.out / "requests/r0001.csv").read_text().splitlines()
        self.assertEqual(lines[0], REQUEST_COLUMNS)
        mine = [row for row in rows if row["deployment"] == "r0001"]
        self.assertEqual(len(lines) - 1, sum(int(row["arrived"]) - int(row["dropped"]) for row in mine))
        runs = self.stored()
        self.assertEqual(len(runs), 4 + 4)
        self.assertIn("r0001: gcn", {run["group_role"] for run in runs})
        # The same again: all is there. More: only what is new.
        self.assertEqual(self.contend("random", "--deployments", 2)["measured"], 0)
        self.assertEqual(self.contend("random", "--deployments", 3)["measured"], 1)
        self.assertEqual(self.rows()[:len(rows)], rows)
        self.assert_nothing_left()

    def test_sensitivity_is_beside_stressors(self):
        report = self.contend("sensitivity", "--stress", "cpu", "--dials", "40", tenants="lstm")
        self.assertEqual(report["deployments"], {"baseline": 2, "sensitivity": 1})
        [row] = [row for row in self.rows() if row["kind"] == "sensitivity"]
        self.assertEqual((row["tenant"], row["stressor"], row["dial"]), ("lstm", "cpu", "40"))
        self.assert_nothing_left()

    def test_pairwise_holds_every_pair(self):
        self.contend("pairwise", tenants="lstm,gcn,bert-tiny")
        pairs = {}
        for row in self.rows():
            if row["kind"] == "pairwise":
                pairs.setdefault(row["deployment"], set()).add(row["tenant"])
        self.assertEqual(sorted(map(sorted, pairs.values())),
                         [["bert-tiny", "gcn"], ["bert-tiny", "lstm"], ["gcn", "lstm"]])

    def test_a_budget_ends_it_in_order(self):
        report = self.contend("baseline", "--budget", "7s", tenants="nine")
        self.assertEqual(report["end"], "budget-spent")
        self.assertGreater(report["measured"], 0)
        self.assertLess(report["measured"], 18)

    def test_own_programs_are_tenants_too(self):
        server = self.script("exec /usr/bin/python3 -m http.server --bind 127.0.0.1 $1")
        (self.scratch / "tenant.yaml").write_text(
            "tenants:\n"
            "  - {name: echo, command: cat, ask: {line: hello}, memory: 4MiB, service_ms: 1, knobs: {replicas: 2, rate: 50}}\n"
            f"  - {{name: files, command: '{server} {{port}}', ask: {{http: 'http://127.0.0.1:{{port}}/'}},\n"
            "     memory: 40MiB, service_ms: 5}\n")
        self.contend("random", "--deployments", 1, tenants=str(self.scratch / "tenant.yaml"))
        self.assertEqual({row["tenant"] for row in self.rows() if row["kind"] == "random"}, {"echo", "files"})
        # On a busy machine a short measurement may end before an answer.
        for tenant in ("echo", "files"):
            self.assertGreater(sum(int(row["completed"]) for row in self.rows() if row["tenant"] == tenant), 0)
        self.assert_nothing_left()

    def test_containers_are_tenants_too(self):
        storage = pathlib.Path(tempfile.mkdtemp(prefix="ew-images-", dir="/tmp"))
        self.addCleanup(images.shutil.rmtree, storage, ignore_errors=True)
        engine = images.podman(storage)

        def fill(folder):
            images.add_busybox(folder)
            (folder / "www").mkdir()
            (folder / "www/index.html").write_text("42")
        engine.image("localhost/files:1", fill, 'ENTRYPOINT ["/bin/busybox", "httpd", "-f", "-h", "/www", "-p"]')
        (self.scratch / "tenant.yaml").write_text(
            "name: boxed\nimage: localhost/files:1\nargs: ['127.0.0.1:{port}']\n"
            "ask: {http: 'http://127.0.0.1:{port}/index.html'}\nmemory: 20MiB\nservice_ms: 5\n")
        self.environment["PATH"] = engine.path
        self.contend("baseline", tenants=str(self.scratch / "tenant.yaml"))
        rows = self.rows()
        self.assertEqual([row["tenant"] for row in rows], ["boxed", "boxed"])
        self.assertGreater(sum(int(row["completed"]) for row in rows), 0)
        self.assertEqual(engine.containers(), [])
        self.assert_nothing_left()

    def test_kill_9_leaves_nothing_and_the_campaign_goes_on(self):
        words = self.words("random", "--deployments", 1)
        process = self.start(*words)
        wait_until(self.some_measured, "a deployment")
        wait_until(self.tenants_alive, "the next one")
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=PATIENCE_S)
        wait_until(lambda: not self.tenants_alive(), "tenants to end")
        before = self.rows()
        self.contend("random", "--deployments", 1)
        self.assertEqual(self.rows()[:len(before)], before)
        self.assertEqual(len({row["deployment"] for row in self.rows()}), 5)
        self.assert_nothing_left()

    def some_measured(self):
        return (read_text(self.out / "times.csv") or "").count("\n") > 1

    def tenants_alive(self):
        return [pid for pid in processes_with(f"EDGEWISE_HOME={self.home}") if read_text(f"/proc/{pid}/comm") == "tenant\n"]

    def test_a_signal_cancels_it_in_order(self):
        process = self.start(*self.words("random"))
        wait_until(self.some_measured, "a deployment")
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=PATIENCE_S), 130)
        self.assertEqual(self.tenants_alive(), [])
        self.assertGreater(len(self.rows()), 0)
        self.assert_nothing_left()

    def test_a_tenant_that_never_answers_is_named(self):
        (self.scratch / "tenant.yaml").write_text("{name: broken, command: 'false', ask: {line: x}, memory: 1MiB}")
        done = self.edgewise(*self.words("baseline", tenants=str(self.scratch / "tenant.yaml")))
        self.assertEqual(done.code, 1, done.stderr)
        said = " ".join(done.stdout.split())
        self.assertRegex(said, 'broken ended too early: exit code 3: "false" ended without an answer')
        self.assertNotIn("--requests", said)
        self.assert_one_sentence(done.stderr, "nothing could be measured")

    def test_bad_input_is_one_sentence(self):
        def refused(words, *said, code=2):
            done = self.edgewise(*words)
            self.assertEqual(done.code, code, (words, done))
            self.assert_one_sentence(done.stderr, *said)
        start = ["contend", "random", "--tenants", "nine"]
        out = ["--out", self.out]
        refused([*start], "--out is needed")
        refused(["contend", "random", "--tenants", "gnc", *out], "did you mean gcn?")
        refused(["contend", "random", "--tenants", "gcn,gcn", *out], "twice")
        refused(["contend", "check", "--tenants", "nine", *out], "check is for --app")
        refused(["contend", "pairwise", "--tenants", "gcn", *out], "at least two")
        refused([*start, *out, "--app", "a=true"], "--app is for --app and not for --tenants")
        refused([*start, *out, "--server", "left=cpus:x"], "--server")
        refused([*start, *out, "--server", "left=cpus:4000"], "core 4000 is not there")
        refused([*start, *out, "--server", "left=disk:1"], "--server")
        refused([*start, *out, "--server", "left=memory:1MiB"], "gcn needs")
        refused([*start, *out, "--target", "none"], "--target")
        refused([*start, *out, "--budget", "1s"], "too short for one deployment")
        refused(["contend", "sensitivity", "--tenants", "nine", *out, "--dials", "0"], "--dials")
        for mode, flag in (("random", "--dials"), ("random", "--stress"), ("baseline", "--target"), ("pairwise", "--quotas"),
                           ("sensitivity", "--deployments")):
            value = {"--dials": "50", "--stress": "cpu", "--deployments": "3"}.get(flag, "10%")
            refused(["contend", mode, "--tenants", "nine", *out, flag, value], f"{flag} is for ")
        refused([*start, *out, "--server", "left=cpus:"], "--server")
        refused([*start, *out, "--server", "left=memory:,cpus:0"], "--server")
        refused([*start, *out, "--server", "left="], "--server")
        for text, said in (("service: gnc", "did you mean gcn?"), ("command: /no/such, ask: {line: x}", "a: \"/no/such\"")):
            (self.scratch / "tenant.yaml").write_text(f"{{name: a, memory: 1MiB, {text}}}")
            refused(["contend", "baseline", "--tenants", self.scratch / "tenant.yaml", *out], said)
        refused(["contend", "random", "--app", "a=true", "--budget", "5m"], "--budget is for tenants")
        self.assertFalse(self.out.exists())
        (self.out / "requests").mkdir(parents=True)
        (self.out / "campaign.yaml").write_text("version: 1\nserver: {name: other, cpus: 0}\n")
        refused([*start, *out, "--server", "left"], "holds a campaign of server other")
        refused([*start, *out], "holds a campaign of server other", code=2)


if __name__ == "__main__":
    unittest.main()

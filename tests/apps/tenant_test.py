"""The tenant program: services that answer requests as they arrive.

No time is compared with another: the machine is shared.
"""
import csv
import json
import signal
import socket
import subprocess
import unittest

from driving import PATIENCE_S, wait_until
from running import AppTest

SERVICES = ("gcn", "forest", "lstm", "gru-kalman", "mobilenetv3", "efficientnet", "mobilevit", "bert-small", "bert-tiny")
COLUMNS = ["service", "replica", "arrival_s", "departure_s", "interarrival_s", "queueing_s", "queue_length", "censored",
           "dropped"]


class TenantTest(AppTest):
    def rows(self, name="requests.csv"):
        with open(self.scratch / name, encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            rows = list(reader)
            self.assertEqual(reader.fieldnames, COLUMNS)
            return rows

    def test_every_service_answers_the_same_to_the_same_requests(self):
        listed = [line.split()[0] for line in self.app("tenant", "--list").stdout.splitlines()]
        self.assertEqual(tuple(listed), SERVICES)
        seen = set()
        for service in SERVICES:
            with self.subTest(service=service):
                first, again = (self.result("tenant", "--service", service, "--rate", 200, "--items", 6, "--seed", seed)
                                for seed in (1, 2))
                self.assertEqual((first["arrived"], first["completed"], first["censored"], first["dropped"]), (6, 6, 0, 0))
                # Seeds choose when requests come, not what they ask.
                self.assertEqual(first["checksum"], again["checksum"])
                other = self.result("tenant", "--service", service, "--rate", 200, "--items", 5)
                self.assertNotEqual(first["checksum"], other["checksum"])
                seen.add(first["checksum"])
        self.assertEqual(len(seen), len(SERVICES))

    def test_a_request_of_scale_two_is_two_inferences(self):
        one = self.result("tenant", "--service", "lstm", "--rate", 500, "--items", 8)
        two = self.result("tenant", "--service", "lstm", "--rate", 500, "--items", 4, "--scale", 2)
        self.assertEqual(one["checksum"], two["checksum"])

    def test_every_request_has_a_row_and_three_spans(self):
        run, spans = self.measured("tenant", "--service", "gcn", "--rate", 100, "--replicas", 2, "--items", 20,
                                   "--requests", self.scratch / "requests.csv")
        self.assertEqual(run["exit_code"], 0)
        self.assertEqual({name: span["count"] for name, span in spans.items()},
                         {"service": 40, "queueing": 40, "response": 40})
        rows = self.rows()
        self.assertEqual(len(rows), 40)
        for replica in ("0", "1"):
            own = [row for row in rows if row["replica"] == replica]
            self.assertEqual(len(own), 20)
            self.assertEqual(own[0]["interarrival_s"], "")
            for before, after in zip(own, own[1:]):
                gap = float(after["arrival_s"]) - float(before["arrival_s"])
                self.assertAlmostEqual(gap, float(after["interarrival_s"]), places=6)
                # One at a time, in order of arrival.
                start = float(after["arrival_s"]) + float(after["queueing_s"])
                self.assertGreaterEqual(start + 1e-6, float(before["departure_s"]))

    def test_arrivals_do_not_wait_for_answers(self):
        """Far more than it can answer: all arrive on time, most are dropped, what waits at the end is censored."""
        result = self.result("tenant", "--service", "efficientnet", "--rate", 2000, "--queue", 5, "--duration", "1s",
                             "--requests", self.scratch / "requests.csv")
        self.assertEqual(result["arrived"], result["completed"] + result["censored"] + result["dropped"])
        self.assertGreater(result["dropped"], 500)
        self.assertGreaterEqual(result["censored"], 5)
        # Poisson with a mean of 2000: five standard deviations.
        self.assertAlmostEqual(result["arrived"], 2000, delta=225)
        rows = self.rows()
        self.assertEqual(len(rows), result["arrived"])
        for row in rows:
            if row["dropped"] == "1":
                self.assertEqual((row["departure_s"], row["censored"], row["queue_length"]), ("", "0", "5"))
            else:
                self.assertEqual(row["departure_s"] == "", row["censored"] == "1")

    def test_the_same_seed_gives_the_same_arrivals(self):
        def arrivals(seed):
            self.result("tenant", "--service", "lstm", "--rate", 300, "--items", 10, "--seed", seed, "--requests",
                        self.scratch / "requests.csv")
            return [row["interarrival_s"] for row in self.rows()]
        self.assertEqual(arrivals(3), arrivals(3))
        self.assertNotEqual(arrivals(3), arrivals(4))

    def test_a_trace_is_followed_by_replicas_in_turns(self):
        (self.scratch / "trace").write_text("# seconds\n0\n0.01\n0.02  # third\n0.05\n")
        result = self.result("tenant", "--service", "lstm", "--trace", self.scratch / "trace", "--replicas", 2,
                             "--requests", self.scratch / "requests.csv")
        self.assertEqual(result["completed"], 4)
        arrived = {replica: [float(row["arrival_s"]) for row in self.rows() if row["replica"] == replica]
                   for replica in ("0", "1")}
        self.assertAlmostEqual(arrived["0"][1] - arrived["0"][0], 0.02, places=6)
        self.assertAlmostEqual(arrived["1"][1] - arrived["1"][0], 0.04, places=6)

    def test_a_signal_ends_it_with_a_report(self):
        file = self.scratch / "requests.csv"
        process = subprocess.Popen(self.command("tenant", "--service", "gcn", "--rate", 50, "--json", "--requests", file),
                                   env=self.environment, stdout=subprocess.PIPE, cwd=self.scratch)
        wait_until(file.exists, "the tenant")
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=PATIENCE_S)
        self.assertEqual(process.returncode, 0)
        result = json.loads(output)
        self.assertEqual(result["arrived"], result["completed"] + result["censored"])
        self.assertEqual(len(self.rows()), result["arrived"])

    def test_programs_answer_lines(self):
        result = self.result("tenant", "--lines", "hello", "--name", "echo", "--rate", 100, "--items", 10, "--replicas", 2,
                             "--requests", self.scratch / "requests.csv", "--", "cat")
        self.assertEqual((result["name"], result["completed"]), ("echo", 20))
        self.assertEqual({row["service"] for row in self.rows()}, {"echo"})

    def test_servers_answer_over_http(self):
        (self.scratch / "answer.txt").write_text("42")
        done = self.app("tenant", "--http", "http://127.0.0.1:{port}/answer.txt", "--rate", 50, "--items", 10, "--replicas",
                        2, "--json", "--", "/usr/bin/python3", "-m", "http.server", "--bind", "127.0.0.1", "{port}")
        self.assertEqual(done.code, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["completed"], 20)

    def test_a_service_that_hangs_is_censored_not_waited_for(self):
        result = self.result("tenant", "--lines", "x", "--rate", 100, "--duration", "300ms", "--", "sleep", "1000")
        self.assertEqual(result["completed"], 0)
        self.assertEqual(result["censored"], result["arrived"])

    def test_a_service_that_fails_is_an_error(self):
        self.refused("tenant", "--lines", "x", "--rate", 100, "--", "true", code=3, words=["ended without an answer"])
        self.refused("tenant", "--http", "http://127.0.0.1:{port}/", "--rate", 100, "--", "true", "{port}", code=3,
                     words=["ended before it could be asked"])

    def test_answers_that_get_out_of_step_are_an_error(self):
        twice = self.script("while read line; do echo a; echo b; done", name="twice.sh")
        greeting = self.script("echo ready; exec cat", name="greeting.sh")
        for service in (twice, greeting):
            self.refused("tenant", "--lines", "x", "--rate", 500, "--", service, code=3,
                         words=["answers by more than one line"])

    def test_a_server_that_was_there_before_is_not_measured(self):
        with socket.create_server(("127.0.0.1", 0)) as other:
            port = other.getsockname()[1]
            self.refused("tenant", "--http", f"http://127.0.0.1:{port}/", "--rate", 100, "--", "sleep", "1000", code=3,
                         words=["before the service is started"])

    def test_words_of_a_command_stay_as_they_are(self):
        echo = self.script('printf "%s\\n" "$@" > words; exec cat')
        self.result("tenant", "--lines", "x", "--rate", 100, "--items", 1, "--", echo, "[1,2]", "a,b", "--rate", "--")
        self.assertEqual((self.scratch / "words").read_text(), "[1,2]\na,b\n--rate\n--\n")

    def test_without_a_queue_an_idle_replica_still_answers(self):
        (self.scratch / "trace").write_text("0.01\n")
        result = self.result("tenant", "--service", "lstm", "--trace", self.scratch / "trace", "--queue", 0)
        self.assertEqual((result["completed"], result["dropped"]), (1, 0))

    def test_requests_that_never_come_do_not_keep_it(self):
        result = self.result("tenant", "--service", "lstm", "--rate", "1e-6", "--duration", "100ms")
        self.assertEqual(result["arrived"], 0)

    def test_a_signal_ends_it_while_a_service_starts(self):
        started = self.scratch / "started"
        service = self.script(f"touch {started}; exec sleep 1000")
        process = subprocess.Popen(self.command("tenant", "--http", "http://127.0.0.1:{port}/", "--rate", 5, "--json", "--",
                                                service, "{port}"), env=self.environment, stdout=subprocess.PIPE)
        wait_until(started.exists, "the service")
        process.send_signal(signal.SIGTERM)
        output, _ = process.communicate(timeout=PATIENCE_S)
        self.assertEqual((process.returncode, json.loads(output)["arrived"]), (0, 0))

    def test_bad_input_is_one_sentence(self):
        rate = ["--rate", 5]
        cases = [
            ([], "one of --service, --lines and --http"),
            (["--service", "gnc", *rate], "did you mean gcn?"),
            (["--service", "gcn"], "--rate is needed"),
            (["--service", "gcn", "--rate", "nan"], "--rate"),
            (["--service", "gcn", "--rate", -1], "--rate"),
            (["--service", "gcn", "--rate", 0], "--rate"),
            (["--service", "gcn", *rate, "--replicas", 0], "--replicas"),
            (["--service", "gcn", *rate, "--trace", "x"], "leave --rate out"),
            (["--service", "gcn", "--trace", "/nowhere"], "--trace"),
            (["--service", "gcn", "--arrivals", "trace", *rate], "needs --trace"),
            (["--service", "gcn", *rate, "--requests", "/nowhere/x.csv"], "--requests"),
            (["--service", "gcn", *rate, "--name", 'a"b'], "--name"),
            (["--lines", "x", *rate], "needs a command"),
            (["--http", "ftp://x", *rate], "--http"),
            (["--service", "gcn", *rate, "--duration", "soon"], "--duration"),
            (["--service", "gcn", "--rate", "1e-12"], "--rate"),
            (["--service", "gcn", *rate, "--name", "a\tb"], "--name"),
            (["--lines", "a\nb", *rate, "--", "cat"], "--lines"),
            (["--http", "http://127.0.0.1:8080/", *rate, "--replicas", 2, "--", "true"], "a port each"),
            (["--http", "http://127.0.0.1:{port}/", *rate, "--", "true"], "{port} must stand both"),
        ]
        for arguments, word in cases:
            with self.subTest(arguments=arguments):
                self.refused("tenant", *arguments, words=[word])
        for text, word in (("1\n0.5\n", "must ascend"), ("x\n", "arrival in seconds"), ("# none\n", "no arrivals")):
            (self.scratch / "trace").write_text(text)
            self.refused("tenant", "--service", "gcn", "--trace", self.scratch / "trace", words=[word])


if __name__ == "__main__":
    unittest.main()

"""`edgewise place`: a made-up cluster placed, kept, asked about and changed."""
import json
import pathlib
import signal
import unittest

from driving import EdgewiseTest, wait_until


def waits_for_sigint(pid):
    """Whether the process takes SIGINT when it likes to."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    blocked = int(next(line.split()[1] for line in status.splitlines() if line.startswith("SigBlk:")), 16)
    return blocked >> (signal.SIGINT - 1) & 1


class OrchestrateTest(EdgewiseTest):
    def setUp(self):
        super().setUp()
        self.folder = self.scratch / "cluster"
        self.kept = self.scratch / "placement.yaml"

    def place(self, *arguments, code=0):
        done = self.edgewise("place", *arguments)
        self.assertEqual(done.code, code, done.stderr + done.stdout[-2000:])
        return done

    def files(self):
        return (self.folder / "requests.yaml", "--servers", self.folder / "servers.yaml")

    def generate(self):
        return json.loads(self.place("--generate", "servers=3,requests=45,seed=2", "--save", self.folder, "--out",
                                     self.kept, "--time-limit", "500ms", "--baselines", "--json").stdout)

    def test_a_placement_has_revenue_bound_and_reasons(self):
        answer = self.generate()
        self.assertGreater(answer["revenue"], 0)
        self.assertGreaterEqual(answer["bound"], answer["revenue"])
        self.assertGreaterEqual(answer["gap"], 0)
        placed = [name for server in answer["servers"] for name in server["requests"]]
        self.assertEqual(len(placed), len(set(placed)))
        self.assertEqual(len(placed) + len(answer["refused"]), 45)
        self.assertTrue(all(refusal["why"] for refusal in answer["refused"]))
        self.assertTrue(all(server["strain"] <= 1 for server in answer["servers"]))
        self.assertEqual(len(answer["baselines"]), 5)
        self.assertTrue(all(revenue <= answer["revenue"] for revenue in answer["baselines"].values()))

    def test_files_and_pictures_are_written_and_read_again(self):
        self.generate()
        svg, html = self.scratch / "p.svg", self.scratch / "p.html"
        text = self.place(*self.files(), "--current", self.kept, "--move-cost", "1000", "--time-limit", "300ms",
                          "--svg", svg, "--html", html).stdout
        self.assertIn("No placement can earn", text)
        self.assertIn("</svg>", svg.read_text())
        self.assertIn("server3", html.read_text())

    def test_one_more_request_is_admitted_or_refused_with_a_reason(self):
        self.generate()
        one = self.scratch / "one.yaml"
        request = "requests:\n  - {name: new, app: gcn, rate: 0.01, pay: 1, sla: {delay_ms: %s}, memory: %s}\n"
        one.write_text(request % (0.001, "1MiB"))
        refused = json.loads(self.place(*self.files(), "--current", self.kept, "--admit", one, "--json", code=1).stdout)
        self.assertFalse(refused["admitted"])
        self.assertIn("even alone", refused["why"])
        empty = self.scratch / "empty.yaml"
        empty.write_text("placed: []\n")
        one.write_text(request % (5000, "1MiB"))
        admitted = json.loads(self.place(*self.files(), "--current", empty, "--admit", one, "--json").stdout)
        self.assertTrue(admitted["admitted"])

    def test_what_stands_already_or_is_several_is_not_admitted(self):
        self.generate()
        one, empty = self.scratch / "one.yaml", self.scratch / "empty.yaml"
        request = "requests:\n  - {name: new, app: gcn, rate: 1, pay: 1, sla: {delay_ms: 5000}%s}\n"
        one.write_text(request % ", replicas: 2, spread: true")
        empty.write_text("placed: []\n")
        done = self.place(*self.files(), "--current", empty, "--admit", one, code=2)
        self.assertIn("spread", done.stderr)
        one.write_text(request % "")
        empty.write_text("placed: [{request: new, server: server1}]\n")
        done = self.place(*self.files(), "--current", empty, "--admit", one, code=2)
        self.assertIn("new stands in", done.stderr)

    def test_what_is_made_up_can_be_read_back(self):
        self.place("--generate", "servers=10,seed=3", "--save", self.folder, "--time-limit", "1ms")
        self.place(*self.files(), "--time-limit", "1ms")

    def test_an_interrupted_search_tells_its_best_answer(self):
        process = self.start("place", "--generate", "servers=10,seed=1", "--time-limit", "10m", "--json", "--out", self.kept)
        wait_until(lambda: waits_for_sigint(process.pid), "the search")
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate()
        self.assertEqual(process.returncode, 130, stderr)
        answer = json.loads(stdout)
        self.assertGreater(answer["revenue"], 0)
        self.assertLess(answer["seconds"], 600)
        self.assertIn("placed:", self.kept.read_text())

    def test_what_if_a_server_were_gone(self):
        self.generate()
        fewer = json.loads(self.place(*self.files(), "--remove", "server1", "--time-limit", "300ms", "--json").stdout)
        self.assertEqual([server["name"] for server in fewer["servers"]], ["server2", "server3"])
        self.place(*self.files(), "--rate", "x2", "--time-limit", "300ms")

    def test_bad_input_is_one_sentence(self):
        self.generate()
        for arguments, words in (
                (("--generate", "servers=0"), "servers=0"),
                (("--generate", "servers=2", "--time-limit", "0s"), "--time-limit"),
                (("--generate", "servers=2", "--time-limit", ""), "--time-limit"),
                (("--generate", "servers=2", "--verify-time", ""), "--verify-time"),
                (("--generate", "servers=2", "--verify-time", "abc", "--time-limit", "10m"), "--verify-time"),
                (("--generate", "servers=2", "--confidence", "nan"), "--confidence"),
                (("--generate", "servers=2", "--move-cost", "nan"), "--move-cost"),
                (("--generate", "servers=2", "--seed", "-1"), "--seed"),
                ((self.folder / "requests.yaml",), "--servers"),
                ((*self.files(), "--remove", "nobody"), "nobody"),
                ((*self.files(), "--rate", "2"), "x2"),
                # Said before the search: else these took as long.
                ((*self.files(), "--manifests", "-", "--time-limit", "10m"), "image"),
                ((*self.files(), "--out", self.scratch / "no" / "folder", "--time-limit", "10m"), "no/folder"),
                ((*self.files(), "--admit", self.kept), "--current")):
            done = self.place(*arguments, code=2)
            self.assertIn(words, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)

    def test_each_goal_says_what_is_needed_at_least(self):
        for goal in ("servers", "tail", "energy"):
            answer = json.loads(self.place("--generate", "servers=3,requests=12,seed=2", "--goal", goal, "--time-limit",
                                           "1s", "--json").stdout)["goal"]
            self.assertEqual(answer["name"], goal)
            self.assertLessEqual(answer["cost"], answer["at_first"] * 1.0001)
            if goal != "tail":
                self.assertGreater(answer["bound"], 0)
            self.assertLessEqual(answer["bound"] or 0, answer["cost"] * 1.0001)
        self.assertIn("needless", self.place("--generate", "servers=3,requests=12,seed=2", "--goal", "servers",
                                             "--time-limit", "500ms").stdout.replace("\n", " "))

    def test_manifests_take_requests_and_limits_from_cards(self):
        self.generate()
        (self.folder / "requests.yaml").write_text(
            "requests:\n  - {name: cam, app: gcn, replicas: 2, spread: true, rate: 1, sla: {delay_ms: 5000}, pay: 1,"
            " image: lab/gcn}\n")
        cards = self.scratch / "cards"
        cards.mkdir()
        (cards / "gcn.yaml").write_text("name: gcn\nrss_mb: 120\nresources:\n  requests: {cpu: 350m, memory: 210Mi}\n"
                                        "  limits: {cpu: 500m, memory: 256Mi}\n")
        text = self.place(*self.files(), "--time-limit", "200ms", "--manifests", "-", "--cards", cards).stdout
        for words in ("name: cam-1\n", "name: cam-2\n", "cpu: 350m", "memory: 210Mi", "cpu: 500m", "memory: 256Mi",
                      "edgewise/app: gcn", 'edgewise/promise: "p95 within 5000 ms"'):
            self.assertIn(words, text)
        done = self.place(*self.files(), "--time-limit", "200ms", "--manifests", "-", "--cards", self.scratch / "none",
                          code=2)
        self.assertIn("--cards", done.stderr)

    def test_instances_that_cannot_be_meant_are_refused(self):
        servers = "servers:\n  - {name: big, memory: 8GiB}\n"

        def request(**changes):
            fields = {"name": "a", "app": "gcn", "rate": "1", "sla": "{delay_ms: 5000}", "pay": "1"} | changes
            return "  - {" + ", ".join(f"{key}: {value}" for key, value in fields.items()) + "}\n"

        self.folder.mkdir()
        for requests, there, words in (
                (request() + request(name="b", memory="64GiB"), servers, "no server can hold the request b"),
                (request(sla="{delay_ms: 0.01}"), servers, "no server can hold the request a"),
                (request() + request(sla="{delay_ms: 10}"), servers, "twice"),
                (request(sla="{delay_ms: 80, delay_ms: 90}"), servers, "delay_ms"),
                (request(app="gnc"), servers, "did you mean gcn"),
                (request(app="mystery"), servers, "contend sensitivity"),
                (request(), servers + "  - {name: tiny, memory: 1MiB}\n", "server tiny"),
                (request(rate=".nan"), servers, "rate"),
                (request(rate="-3"), servers, "rate"),
                (request(), "servers: []\n", "1 to 10,000 servers"),
                (request(), servers.replace("8GiB", "8GiB, cpus: x"), "servers.yaml"),
                (request(), servers.replace("8GiB", "8GiB, rank: 7"), "rank 7")):
            (self.folder / "requests.yaml").write_text("requests:\n" + requests)
            (self.folder / "servers.yaml").write_text(there)
            done = self.place(*self.files(), "--time-limit", "200ms", code=2)
            self.assertIn(words, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)
        for options, words in ((("--goal", "speed"), "--goal"), (("--goal", "tail", "--move-cost", "1"), "--move-cost"),
                               (("--goal", "energy"), "idle_watts"), (("--time-limit", "0"), "--time-limit")):
            (self.folder / "requests.yaml").write_text("requests:\n" + request())
            (self.folder / "servers.yaml").write_text(servers)
            done = self.place(*self.files(), *options, code=2)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main()

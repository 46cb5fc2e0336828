"""The HTTP service beside a real Prometheus that scrapes a cluster."""
import json
import os
import subprocess
import unittest

from broker import free_port
from driving import EdgewiseTest, wait_until
from monitoring import NODE_EXPORTER, PROMETHEUS, Exporter, Node, Prometheus
from serving import MODEL, SEED_CLUSTER, Served, on, promtool_complaints

SESAME = "$2b$04$6jMoVx8d29lmJaGcK.iVKOXgvWOGod8qnggrkycJZV.EdY1CdfC56"  # bcrypt of "sesame"
LOAD = 'rate(node_cpu_seconds_total{mode="idle"}[1m])'


@unittest.skipUnless(PROMETHEUS, "Debian's prometheus is not installed")
class Cluster(EdgewiseTest):
    def cluster(self, *nodes, jobs=(), web=None):
        self.exporter = Exporter(self, nodes)
        return Prometheus(self, self.scratch / "prometheus", self.exporter.jobs() + list(jobs), web=web)

    def serve(self, prometheus, *options):
        return Served(self, "--prometheus", f"127.0.0.1:{prometheus.port}", "--refresh", "200ms", *options)

    def settled(self, served, condition, what):
        """The first answer that fulfils the condition."""
        def answer():
            given = served.profile(MODEL)
            return given if given.status == 200 and condition(given.json["profiling_prediction"]) else None
        return wait_until(answer, what).json["profiling_prediction"]

    def test_chooses_the_fastest_node_that_fits(self):
        nodes = [Node("rpi-1", "Raspberry Pi 4 Model B Rev 1.4 ", busy=0.05, uuid="same"),
                 Node("rpi-2", "Raspberry Pi 4B", busy=0.9, uuid="same"),
                 Node("fast-1", "Raspberry Pi 5", busy=0.05, free=16 << 20, uuid="same"),
                 Node("strange-1", "Acme Board 7", busy=0.95, cores=1),
                 Node("blind-1", "Raspberry Pi 5", load=False)]
        prometheus = self.cluster(*nodes)
        prometheus.wait_for(LOAD, 3 * 4 + 1)
        prometheus.wait_for("char_node_device_model", 5)
        served = self.serve(prometheus)
        best = self.settled(served, lambda found: len(found["ranking"]) == 5, "five nodes")
        ranking = {entry["node"]: entry for entry in best["ranking"]}
        self.assertEqual(best["node"], "rpi-1")
        self.assertEqual((best["class"], best["device_model"], best["node_uuid"]),
                         ("Computer", "Raspberry Pi 4 Model B Rev 1.4", "same"))
        self.assertLess(best["metrics_age_s"], 60)
        self.assertFalse(ranking["fast-1"]["placeable"])
        self.assertIn("memory", ranking["fast-1"]["why_not"])
        self.assertFalse(ranking["blind-1"]["placeable"])
        self.assertIn("CPU load", ranking["blind-1"]["why_not"])
        self.assertGreater(ranking["rpi-2"]["predicted_execution_time"], ranking["rpi-1"]["predicted_execution_time"])
        self.assertEqual(ranking["strange-1"]["basis"], "spec_only")

        with self.subTest("placed from the command line"):
            (self.scratch / "model.json").write_text(json.dumps(MODEL))
            done = self.edgewise("predict", "model.json", "--place", "--image", "lab/detect:1", "--json",
                                 "--prometheus", f"127.0.0.1:{prometheus.port}")
            self.assertEqual(done.code, 0, done.stderr)
            placed = json.loads(done.stdout)
            self.assertEqual(placed["node"], "rpi-1")
            self.assertIn("- rpi-1\n", placed["manifest"])
            self.assertIn("memory", {node["node"]: node for node in placed["nodes"]}["fast-1"]["why_not"])

        with self.subTest("the seed's own request"):
            answer = served.profile(SEED_CLUSTER)
            self.assertEqual(answer.status, 200, answer.bytes)
            self.assertEqual(answer.json["model_characteristics"], json.loads(SEED_CLUSTER))
            prediction = answer.json["profiling_prediction"]
            self.assertLessEqual({"class", "device_model", "model", "node", "node_uuid", "predicted_execution_time"},
                                 set(prediction))
            self.assertTrue(prediction["out_of_distribution"])

        with self.subTest("a model that fits nowhere"):
            answer = served.profile(MODEL | {"total_parameters": 10**12})
            self.assertEqual((answer.status, answer.json["error"]["code"]), (422, "no_device_fits"))
            self.assertIn("memory", answer.json["error"]["message"])

        with self.subTest("a body with a device is about that device"):
            prediction = served.profile(MODEL | on("Raspberry Pi 4B")).json["profiling_prediction"]
            self.assertNotIn("node", prediction)

        with self.subTest("batches rank the nodes"):
            results = served.ask("POST", "/api/v1/predict", {"models": [MODEL]}).json["results"]
            self.assertEqual(results[0]["ranking"][0]["node"], "rpi-1")
            listed = {node["node"]: node for node in served.get("/api/v1/devices").json["nodes"]}
            self.assertEqual(listed["rpi-1"]["known_as"], listed["rpi-2"]["known_as"])
            self.assertIsNone(listed["strange-1"]["known_as"])
            self.assertIsNone(listed["blind-1"]["cpu_busy_percent"])
            self.assertAlmostEqual(listed["rpi-2"]["cpu_busy_percent"], 90, delta=1)

        with self.subTest("metrics"):
            text = served.get("/metrics").bytes
            self.assertEqual(promtool_complaints(text), "")
            self.assertIn(b"edgewise_cluster_nodes 5", text)

        with self.subTest("a node that is gone"):
            del self.exporter.nodes["rpi-1"]
            self.settled(served, lambda found: found["node"] != "rpi-1", "another node")

    def test_last_known_state_is_used_for_a_while(self):
        prometheus = self.cluster(Node("rpi-1", "Raspberry Pi 4B"))
        prometheus.wait_for(LOAD, 4)
        patient = self.serve(prometheus)
        strict = self.serve(prometheus, "--state-limit", "1ms")
        self.settled(patient, lambda found: True, "a node")
        prometheus.process.kill()
        prometheus.process.wait()
        found = self.settled(patient, lambda found: "warning" in found, "a warning")
        self.assertEqual(found["node"], "rpi-1")
        self.assertIn("Prometheus", found["warning"])
        away = wait_until(lambda: (lambda a: a if a.status == 503 else None)(strict.profile(MODEL)), "a refusal")
        self.assertEqual(away.json["error"]["code"], "prometheus_away")
        self.assertTrue(away.headers["Retry-After"].isdigit())
        self.assertEqual(strict.get("/readyz").status, 503)
        self.assertEqual(strict.get("/healthz").status, 200)
        self.assertEqual(strict.profile(MODEL | on("Raspberry Pi 4B")).status, 200)

    def test_prometheus_away_from_the_start(self):
        port = free_port()
        served = Served(self, env=self.environment | {"PROMETHEUS_IP": f"127.0.0.1:{port}"})
        answer = served.profile(MODEL)
        self.assertEqual((answer.status, answer.json["error"]["code"]), (503, "prometheus_away"))
        self.assertIn(str(port), answer.json["error"]["message"])

    def test_no_nodes_is_said(self):
        prometheus = self.cluster()
        prometheus.wait_for("vector(1)", 1)
        answer = self.serve(prometheus).profile(MODEL)
        self.assertEqual((answer.status, answer.json["error"]["code"]), (422, "no_device_fits"))

    @unittest.skipUnless(NODE_EXPORTER, "Debian's prometheus-node-exporter is not installed")
    def test_real_node_exporter_is_joined_by_host_name(self):
        port = free_port()
        exporter = subprocess.Popen([NODE_EXPORTER, f"--web.listen-address=127.0.0.1:{port}"],
                                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(self.finish, exporter)
        name = os.uname().nodename
        prometheus = self.cluster(
            Node(name, "Raspberry Pi 5", load=False),
            jobs=[{"job_name": "node", "static_configs": [{"targets": [f"127.0.0.1:{port}"]}]}])
        prometheus.wait_for("rate(node_cpu_seconds_total{mode=\"idle\"}[1m])", 1)
        prometheus.wait_for("char_node_device_model", 1)
        served = self.serve(prometheus)
        self.settled(served, lambda found: found["node"] == name, "this machine")
        node = served.get("/api/v1/devices").json["nodes"][0]
        self.assertTrue(0 <= node["cpu_busy_percent"] <= 100)
        with open("/proc/meminfo", encoding="ascii") as meminfo:
            total_bytes = int(meminfo.readline().split()[1]) * 1024
        self.assertTrue(0 < node["memory_available_bytes"] <= total_bytes)

    def test_credentials_and_certificates(self):
        certificate, key = self.scratch / "tls.crt", self.scratch / "tls.key"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
                        "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out",
                        certificate], check=True, capture_output=True)
        password = self.scratch / "password"
        password.write_text("sesame\n")
        web = {"tls_server_config": {"cert_file": str(certificate), "key_file": str(key)},
               "basic_auth_users": {"me": SESAME}}
        prometheus = self.cluster(Node("rpi-1", "Raspberry Pi 4B"), web=web)
        url = f"https://127.0.0.1:{prometheus.port}"

        def served(*options):
            return Served(self, "--prometheus", url, "--refresh", "200ms", *options)
        right = served("--prometheus-ca", certificate, "--prometheus-user", "me", "--prometheus-password-file",
                       password)
        self.settled(right, lambda found: found["node"] == "rpi-1", "a node over TLS")
        password.write_text("wrong\n")
        wrong = served("--prometheus-ca", certificate, "--prometheus-user", "me", "--prometheus-password-file",
                       password)
        self.assertIn("credentials", wrong.profile(MODEL).json["error"]["message"])
        self.assertIn("not trusted", served().profile(MODEL).json["error"]["message"])


if __name__ == "__main__":
    unittest.main()

"""A scheduler's questions, beside a real Prometheus that scrapes what kube-state-metrics would export."""
import http.server
import json
import threading
import unittest

from driving import EdgewiseTest, wait_until
from monitoring import PROMETHEUS, Prometheus
from serving import Served, check_schema

SERVERS = "servers:\n  - {name: edge-1, rank: 0, memory: 2GiB}\n  - {name: edge-2, rank: 0, memory: 2GiB}\n"
PROMISE = {"edgewise/app": "gcn", "edgewise/rate": "1", "edgewise/promise": "p95 within 5000 ms", "edgewise/memory": "1500Mi"}


def args(name, annotations=None, nodes=("edge-1", "edge-2")):
    return {"Pod": {"metadata": {"name": name, "namespace": "default", "annotations": annotations or {}}, "spec": {}},
            "Nodes": None, "NodeNames": list(nodes)}


class KubeStateMetrics:
    """The three series of pods, as kube-state-metrics 2 writes them."""

    def __init__(self, test):
        self.pods = {}  # name: (node, annotations, phase)
        metrics = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.send_response(200)
                self.end_headers()
                self.wfile.write(metrics.text().encode())

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        test.addCleanup(self.server.server_close)
        test.addCleanup(self.server.shutdown)

    def text(self):
        lines = []
        for name, (node, annotations, phase) in self.pods.items():
            own = f'namespace="default",pod="{name}",uid="uid-{name}"'
            more = "".join(f',annotation_{key.replace("/", "_")}="{value}"' for key, value in annotations.items())
            lines.append(f"kube_pod_annotations{{{own}{more}}} 1")
            lines.append(f'kube_pod_info{{{own},node="{node}",host_ip="10.0.0.1",created_by_kind="ReplicaSet"}} 1')
            lines += [f'kube_pod_status_phase{{{own},phase="{each}"}} {int(each == phase)}'
                      for each in ("Pending", "Succeeded", "Failed", "Running", "Unknown")]
        return "\n".join(lines) + "\n"

    def job(self):
        return {"job_name": "kube-state-metrics",
                "static_configs": [{"targets": [f"127.0.0.1:{self.server.server_address[1]}"]}]}


class Scheduling(EdgewiseTest):
    def folder(self):
        folder = self.scratch / "cluster"
        done = self.edgewise("place", "--generate", "servers=2,requests=2", "--time-limit", "100ms", "--save", str(folder))
        self.assertEqual(done.code, 0, done.stderr)
        (folder / "requests.yaml").unlink()
        (folder / "servers.yaml").write_text(SERVERS)
        return folder

    @unittest.skipUnless(PROMETHEUS, "Debian's prometheus is not installed")
    def test_what_runs_comes_from_prometheus(self):
        metrics = KubeStateMetrics(self)
        metrics.pods = {"old": ("edge-1", PROMISE, "Running"), "ended": ("edge-2", PROMISE, "Succeeded"),
                        "proxy": ("edge-2", {}, "Running")}
        prometheus = Prometheus(self, self.scratch / "prometheus", [metrics.job()])
        prometheus.wait_for("kube_pod_info", 3)
        served = Served(self, "--scheduler", self.folder(), "--prometheus", f"127.0.0.1:{prometheus.port}",
                        "--refresh", "200ms")
        wait_until(lambda: served.get("/readyz").status == 200, "pods were read")
        found = served.ask("POST", "/scheduler/filter", args("new", PROMISE))
        self.assertEqual(found.status, 200, found.bytes)
        self.assertEqual((found.json["NodeNames"], found.json["Nodes"], found.json["Error"]), (["edge-2"], None, ""))
        self.assertIn("are free", found.json["FailedNodes"]["edge-1"])

        with self.subTest("scores"):
            scores = served.ask("POST", "/scheduler/prioritize", args("new", PROMISE, ["edge-2"])).json
            self.assertEqual([each["Host"] for each in scores], ["edge-2"])
            self.assertTrue(0 < scores[0]["Score"] <= 10, scores)
        with self.subTest("what was just scored counts before it is seen"):
            next_one = served.ask("POST", "/scheduler/filter", args("next", PROMISE)).json
            self.assertEqual(next_one["NodeNames"], [])
            self.assertEqual(set(next_one["FailedNodes"]), {"edge-1", "edge-2"})
        with self.subTest("a pod that goes makes room"):
            metrics.pods = {"proxy": ("edge-2", {}, "Running")}
            wait_until(lambda: "edge-1" in served.ask("POST", "/scheduler/filter", args("next", PROMISE)).json["NodeNames"],
                       "room on edge-1")
        with self.subTest("answers are as the document says"):
            document = served.get("/openapi.json").json
            for path, schema in (("filter", "ExtenderFilterResult"), ("prioritize", "HostPriorityList")):
                answer = served.ask("POST", f"/scheduler/{path}", args("new", PROMISE)).json
                check_schema(self, document, {"$ref": schema}, answer, path)

    @unittest.skipUnless(PROMETHEUS, "Debian's prometheus is not installed")
    def test_a_prometheus_without_pods_is_no_empty_cluster(self):
        prometheus = Prometheus(self, self.scratch / "prometheus", [])
        wait_until(lambda: self.answers(prometheus), "Prometheus")
        served = Served(self, "--scheduler", self.folder(), "--prometheus", f"127.0.0.1:{prometheus.port}")
        found = served.ask("POST", "/scheduler/filter", args("new", PROMISE)).json
        self.assertIn("kube-state-metrics", found["Error"])
        self.assertIsNone(found["NodeNames"])
        self.assertEqual(served.get("/readyz").status, 503)

    @staticmethod
    def answers(prometheus):
        try:
            prometheus.query("1")
            return True
        except OSError:
            return False

    def test_without_prometheus_the_placement_says_what_runs(self):
        folder = self.folder()
        served = Served(self, "--scheduler", folder)
        found = served.ask("POST", "/scheduler/filter", args("new", PROMISE)).json
        self.assertEqual(found["NodeNames"], ["edge-1", "edge-2"])
        (folder / "requests.yaml").write_text(
            "requests:\n  - {name: a, app: gcn, rate: 1, sla: {delay_ms: 5000}, pay: 1, memory: 1GiB}\n")
        (folder / "placement.yaml").write_text("placed:\n  - {request: a, server: edge-1}\n")
        found = served.ask("POST", "/scheduler/filter", args("new", PROMISE)).json
        self.assertEqual(found["NodeNames"], ["edge-2"])
        other = served.ask("POST", "/scheduler/filter", args("web"))
        self.assertEqual(other.json["NodeNames"], ["edge-1", "edge-2"])
        wrong = served.ask("POST", "/scheduler/filter", args("bad", PROMISE | {"edgewise/rate": "NaN"})).json
        self.assertIn("edgewise/rate", wrong["Error"])
        self.assertEqual(served.ask("POST", "/scheduler/filter", {"Pod": {}}).status, 400)

    def test_a_state_that_is_always_too_old_is_refused(self):
        done = self.edgewise("serve", "--port", 0, "--scheduler", self.folder(), "--prometheus", "127.0.0.1:9", "--state-limit", "1s")
        self.assertEqual(done.code, 2, done.stderr)
        self.assertIn("--refresh", done.stderr)
        done = self.edgewise("serve", "--port", 0, "--scheduler", self.folder(), "--scheduler-confidence", "nan")
        self.assertEqual(done.code, 2, done.stderr)

    def test_a_folder_that_lacks_files_is_refused(self):
        for taken, part in (("servers.yaml", "servers.yaml"), ("pressures.yaml", "pressures.yaml")):
            folder = self.folder()
            (folder / taken).unlink()
            done = self.edgewise("serve", "--port", 0, "--scheduler", folder)
            self.assertEqual(done.code, 2, done.stderr)
            self.assertIn(part, done.stderr)


if __name__ == "__main__":
    unittest.main()

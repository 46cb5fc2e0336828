"""What the agent exports, read by a real Prometheus and a real Pushgateway."""
import http.server
import json
import shutil
import subprocess
import threading
import unittest
import urllib.error
import urllib.parse
import urllib.request

from broker import answers_at, free_port
from driving import SOURCE, wait_until
from live import AgentTest, metric, sample

PATHS = "/usr/bin:/usr/sbin:/usr/local/bin"
PROMETHEUS = shutil.which("prometheus", path=PATHS)
PROMTOOL = shutil.which("promtool", path=PATHS)
PUSHGATEWAY = shutil.which("prometheus-pushgateway", path=PATHS)
OPEN_METRICS = "application/openmetrics-text; version=1.0.0"


class PlainTextProxy(http.server.BaseHTTPRequestHandler):
    """Passes a scrape on without its Accept header, as a client that knows only the old format."""

    def do_GET(self):
        with urllib.request.urlopen(self.server.target + self.path, timeout=60) as answer:
            body = answer.read()
            self.send_response(200)
            self.send_header("Content-Type", answer.headers["Content-Type"])
            self.server.seen.add(answer.headers["Content-Type"])
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class ExportTest(AgentTest):
    def setUp(self):
        super().setUp()
        self.running = self.agent("--old-names", "tegra,char,waggle")
        self.app(50, env={"EDGEWISE_APP": 'cam "north"'})
        self.wait_for_app('cam "north"', lambda app: app["system"] and
                          (metric(app, "frame") or {"count": 0})["count"] > 100, "to work")

    def test_the_text_format_is_default_and_openmetrics_by_accept_header(self):
        text, headers = self.get(self.running.url + "/metrics")
        self.assertIn("version=0.0.4", headers["Content-Type"])
        self.assertGreater(sample(text, "edgewise_app_records_total", app='cam \\"north\\"'), 100)
        self.assertEqual(sample(text, "edgewise_app_up", app='cam \\"north\\"', instance="0"), 1)
        self.assertGreater(sample(text, "edgewise_node_memory_total_bytes"), 1 << 20)
        self.assertGreater(sample(text, "edgewise_agent_memory_rss_bytes"), 1 << 20)
        self.assertGreater(sample(text, "char_node_cpu_total_cores"), 0)
        text, headers = self.get(self.running.url + "/metrics", OPEN_METRICS)
        self.assertIn("openmetrics-text", headers["Content-Type"])
        self.assertTrue(text.endswith("# EOF\n"))
        self.assertIn("# TYPE edgewise_app_cpu_seconds counter", text)

    @unittest.skipUnless(PROMTOOL, "promtool is not installed")
    def test_promtool_finds_nothing_wrong(self):
        plain = self.agent_without_old_names()
        done = subprocess.run([PROMTOOL, "check", "metrics"], input=plain, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr, done.stdout), (0, "", ""))
        for rules in (SOURCE / "integrations").rglob("*rules*.yml"):
            done = subprocess.run([PROMTOOL, "check", "rules", rules], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr + done.stdout)

    def agent_without_old_names(self):
        """Their names are as they are; promtool has opinions on them."""
        text, _ = self.get(self.running.url + "/metrics")
        lines = text.splitlines(keepends=True)
        return "".join(line for line in lines if "edgewise_" in line.split("{")[0].split(" 0")[0]
                       and not line.startswith(("# HELP app0", "# TYPE app0", "app0")))

    def query(self, port, text):
        url = f"http://127.0.0.1:{port}/api/v1/query?" + urllib.parse.urlencode({"query": text})
        with urllib.request.urlopen(url, timeout=60) as answer:
            return json.load(answer)["data"]["result"]

    def prometheus(self, target_port):
        port = free_port()
        folder = self.scratch / f"prometheus-{port}"
        folder.mkdir()
        (folder / "prometheus.yml").write_text(
            "global: {scrape_interval: 1s}\nscrape_configs:\n- job_name: edgewise\n  honor_labels: true\n"
            f"  static_configs: [{{targets: ['127.0.0.1:{target_port}']}}]\n")
        process = subprocess.Popen(
            [PROMETHEUS, f"--config.file={folder}/prometheus.yml", f"--storage.tsdb.path={folder}/data",
             f"--web.listen-address=127.0.0.1:{port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(self.finish, process)
        wait_until(lambda: self.is_ready(port), "Prometheus")
        return port

    def is_ready(self, port):
        try:
            return self.get(f"http://127.0.0.1:{port}/-/ready")
        except OSError:
            return None

    def assert_scraped(self, port):
        """What Prometheus has is what the agent says."""
        app = '{app="cam \\"north\\"",instance="0"}'
        wait_until(lambda: self.query(port, f"edgewise_app_records_total{app} > 100"), "the app in Prometheus")
        up, = self.query(port, f"edgewise_app_up{app}")
        self.assertEqual(up["value"][1], "1")
        count, = self.query(port, f"edgewise_app_span_duration_seconds_count{app}")
        self.assertGreater(float(count["value"][1]), 100)
        self.assertEqual(count["metric"]["span"], "frame")
        # All frames sleep for a millisecond: none is in the class below it.
        below, = self.query(port, 'edgewise_app_span_duration_seconds_bucket{le="0.0005"}')
        self.assertEqual(below["value"][1], "0")
        quantile, = self.query(port, "histogram_quantile(0.5, edgewise_app_span_duration_seconds_bucket)")
        self.assertGreater(float(quantile["value"][1]), 0.0009)
        memory, = self.query(port, "edgewise_node_memory_total_bytes")
        text, _ = self.get(self.running.url + "/metrics")
        self.assertEqual(float(memory["value"][1]), sample(text, "edgewise_node_memory_total_bytes"))
        self.assertTrue(self.query(port, "char_node_ram_total_bytes"))

    @unittest.skipUnless(PROMETHEUS, "prometheus is not installed")
    def test_prometheus_scrapes_openmetrics(self):
        self.assert_scraped(self.prometheus(self.running.port))

    @unittest.skipUnless(PROMETHEUS, "prometheus is not installed")
    def test_prometheus_scrapes_the_old_text_format(self):
        proxy = http.server.ThreadingHTTPServer(("127.0.0.1", 0), PlainTextProxy)
        proxy.target, proxy.seen = self.running.url, set()
        thread = threading.Thread(target=proxy.serve_forever)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(proxy.server_close)
        self.addCleanup(proxy.shutdown)
        self.assert_scraped(self.prometheus(proxy.server_address[1]))
        self.assertTrue(all("version=0.0.4" in kind for kind in proxy.seen), proxy.seen)

    def test_the_page_and_the_api_are_served(self):
        page, headers = self.get(self.running.url + "/")
        self.assertIn("text/html", headers["Content-Type"])
        self.assertIn("Content-Security-Policy", page)
        answer, _ = self.get(self.running.url + "/api/v1/apps")
        self.assertEqual(json.loads(answer)["apps"][0]["app"], 'cam "north"')
        self.get(self.running.url + "/healthz")

    def test_with_a_token_file_only_those_who_have_one_may_read(self):
        tokens = self.scratch / "tokens"
        tokens.write_text("0123456789abcdef0123\n")
        self.socket = self.scratch / "other.sock"
        agent = self.agent("--token-file", tokens)
        with self.assertRaises(urllib.error.HTTPError) as refused:
            self.get(agent.url + "/metrics")
        self.assertEqual(refused.exception.code, 401)
        refused.exception.close()
        request = urllib.request.Request(agent.url + "/metrics",
                                         headers={"Authorization": "Bearer 0123456789abcdef0123"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            self.assertEqual(answer.status, 200)


@unittest.skipUnless(PUSHGATEWAY, "prometheus-pushgateway is not installed")
class PushTest(AgentTest):
    def gateway(self, port):
        process = subprocess.Popen([PUSHGATEWAY, f"--web.listen-address=127.0.0.1:{port}"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(self.finish, process)
        wait_until(lambda: answers_at(port), "the gateway")
        return process

    def pushed(self, port):
        text, _ = self.get(f"http://127.0.0.1:{port}/metrics")
        return sample(text, "edgewise_agent_uptime_seconds", job="edgewise")

    def test_metrics_are_pushed_and_taken_back_at_the_end(self):
        port = free_port()
        self.gateway(port)
        agent = self.agent("--push", f"http://127.0.0.1:{port}", "--push-every", "200ms")
        wait_until(lambda: self.pushed(port) is not None, "the first push")
        self.end(agent)
        self.assertIsNone(self.pushed(port))

    def test_a_gateway_that_is_away_is_found_when_it_comes(self):
        port = free_port()
        agent = self.agent("--push", f"http://127.0.0.1:{port}", "--push-every", "200ms")
        self.assertIn("fails", agent.stderr.readline())
        self.gateway(port)
        wait_until(lambda: self.pushed(port) is not None, "the first push")
        self.assertIn("works again", agent.stderr.readline())


if __name__ == "__main__":
    unittest.main()

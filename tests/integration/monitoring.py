"""A real Prometheus of a test's own, and a small exporter that plays the nodes of a cluster."""
import http.server
import json
import shutil
import subprocess
import threading
import urllib.parse
import urllib.request

from broker import free_port
from driving import wait_until

PROMETHEUS = shutil.which("prometheus")
NODE_EXPORTER = shutil.which("prometheus-node-exporter")


class Node:
    """One node: what its agents would export."""

    def __init__(self, name, model, busy=0.1, ram=4 << 30, free=None, cores=4, uuid=None, load=True):
        self.name, self.model, self.busy, self.cores, self.load = name, model, busy, cores, load
        self.ram, self.free = ram, ram // 2 if free is None else free
        self.uuid = uuid or f"uuid-of-{name}"
        self.ticks = 0

    def text(self):
        # Each scrape adds one second of all modes' time.
        self.ticks += 1
        labels = f'char_node_name="{self.name}",char_node_class="Computer",char_node_uuid="{self.uuid}"'
        lines = [
            f'char_node_device_model{{{labels},char_node_device_model_name="{self.model}"}} 1',
            f"char_node_ram_total_bytes{{{labels}}} {self.ram}",
            f'char_node_cpu_total_cores{{{labels},char_node_cpu_brand="Cortex-A72",char_node_cpu_arch="aarch64"}} {self.cores}',
        ]
        if self.load:
            for mode, share in (("idle", 1 - self.busy), ("user", self.busy)):
                lines += [f'node_cpu_seconds_total{{cpu="{cpu}",mode="{mode}"}} {share * self.ticks}'
                          for cpu in range(self.cores)]
            lines += [f"node_memory_MemAvailable_bytes {self.free}",
                      'node_filesystem_avail_bytes{mountpoint="/"} 40', 'node_filesystem_size_bytes{mountpoint="/"} 100']
        return "\n".join(lines) + "\n"


class Exporter:
    """Serves /metrics/NAME for each node, on one port."""

    def __init__(self, test, nodes):
        self.nodes = {node.name: node for node in nodes}
        exporter = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                node = exporter.nodes.get(self.path.removeprefix("/metrics/"))
                self.send_response(200 if node else 404)
                self.end_headers()
                if node:
                    self.wfile.write(node.text().encode())

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        thread.start()
        test.addCleanup(self.server.server_close)
        test.addCleanup(self.server.shutdown)

    def jobs(self):
        """Scrape jobs, one a node, under the node's name as its instance."""
        return [{"job_name": name, "metrics_path": f"/metrics/{name}",
                 "static_configs": [{"targets": [f"127.0.0.1:{self.port}"], "labels": {"instance": name}}]}
                for name in self.nodes]


class Prometheus:
    """Scrapes every second; killed when the test ends."""

    def __init__(self, test, folder, jobs, port=None, web=None):
        self.port = port or free_port()
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "prometheus.yml").write_text(json.dumps(
            {"global": {"scrape_interval": "1s", "scrape_timeout": "1s"}, "scrape_configs": jobs}))
        options = []
        if web:
            (folder / "web.yml").write_text(json.dumps(web))
            options = [f"--web.config.file={folder / 'web.yml'}"]
        self.process = subprocess.Popen(
            [PROMETHEUS, f"--config.file={folder / 'prometheus.yml'}", f"--storage.tsdb.path={folder / 'data'}",
             f"--web.listen-address=127.0.0.1:{self.port}", *options],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        test.addCleanup(test.finish, self.process)

    def query(self, expression):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/api/v1/query?"
                                    + urllib.parse.urlencode({"query": expression}), timeout=10) as answer:
            return json.load(answer)["data"]["result"]

    def wait_for(self, expression, count):
        """Until the expression has so many series."""
        def there():
            try:
                return len(self.query(expression)) >= count
            except OSError:
                return False
        wait_until(there, f"{count} series of {expression}")

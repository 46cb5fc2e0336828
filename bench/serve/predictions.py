"""Predictions for a cluster of 100 nodes over 64 connections, beside /healthz of the same server in the same run.

    predictions.py EDGEWISE

wrk (Debian's) drives it from the same machine; the two are measured in turns, and each ratio is of neighbours.
"""
import http.server
import json
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

EDGEWISE = sys.argv[1]
NODES, CONNECTIONS, ROUNDS, SECONDS = 100, 64, 5, 2
BOARDS = ["Raspberry Pi 4 Model B Rev 1.4", "Raspberry Pi 5", "Raspberry Pi 3B+", "Acme Board 7"]
# One body again and again, and one that is new each time.
SAME = """wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = '{"model":"m","conv_layers":52,"pool_layers":1,"fc_layers":1,"filter_details":17000,"total_parameters":3504872,"model_input_size":602112,"model_output_size":4000}'
"""
NEW = SAME + """
local count = 0
request = function()
  count = count + 1
  return wrk.format(nil, nil, nil, '{"model":"m' .. count .. '","conv_layers":52,"pool_layers":1,"fc_layers":1,"filter_details":17000,"total_parameters":' .. (3504872 + count) .. ',"model_input_size":602112,"model_output_size":4000}')
end
"""


def samples(query):
    """What a Prometheus with 100 nodes would answer."""
    for i in range(NODES):
        name = f"node-{i}"
        labels = {"char_node_name": name, "char_node_class": "Computer", "char_node_uuid": f"uuid-{i}"}
        now = time.time()
        if query == "char_node_device_model":
            yield labels | {"char_node_device_model_name": BOARDS[i % len(BOARDS)]}, 1
        elif query.startswith("timestamp(char"):
            yield labels, now
        elif query.startswith("char_node_ram"):
            yield labels, 4 << 30
        elif query.startswith("char_node_cpu"):
            yield labels | {"char_node_cpu_brand": "Cortex-A72"}, 4
        elif "MemAvailable" in query:
            yield {"instance": name}, 2 << 30
        elif "timestamp(node" in query:
            yield {"instance": name}, now
        elif "node_cpu" in query:
            yield {"instance": name}, i / NODES
        elif "filesystem" in query:
            yield {"instance": name}, 0.5


class Monitoring(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)["query"][0]
        result = [{"metric": labels, "value": [time.time(), str(value)]} for labels, value in samples(query)]
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps({"status": "success", "data": {"resultType": "vector", "result": result}}).encode())

    def log_message(self, *_):
        pass


def line(name, value, unit, bar="-", passed=None):
    verdict = "-" if passed is None else "pass" if passed else "fail"
    print(f"{name}\t{value:.4g}\t{unit}\t{bar}\t{verdict}")


def drive(url, script=None):
    """Answers a second, and the 99th percentile of their time in ms."""
    done = subprocess.run(["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{SECONDS}s", "--latency", *(["-s", script] if script else []), url],
                          stdout=subprocess.PIPE, check=True, text=True)
    if "Non-2xx" in done.stdout:
        sys.exit(f"bench/serve: {url} was not answered:\n{done.stdout}")
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", done.stdout).group(1))
    value, unit = re.search(r"99%\s+([\d.]+)(us|ms|s)\b", done.stdout).groups()
    return rate, float(value) * {"us": 1e-3, "ms": 1, "s": 1e3}[unit]


def main():
    if not shutil.which("wrk"):
        print("bench/serve: wrk is not installed.", file=sys.stderr)
        return
    monitoring = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Monitoring)
    threading.Thread(target=monitoring.serve_forever, daemon=True).start()
    server = subprocess.Popen([EDGEWISE, "serve", "--port", "0", "--prometheus", f"127.0.0.1:{monitoring.server_address[1]}"],
                              stderr=subprocess.PIPE, text=True)
    try:
        url = re.search(r"http://\S+", server.stderr.readline()).group(0)
        with tempfile.NamedTemporaryFile("w", suffix=".lua") as same, tempfile.NamedTemporaryFile("w", suffix=".lua") as new:
            same.write(SAME)
            same.flush()
            new.write(NEW)
            new.flush()
            rounds = [(drive(f"{url}/healthz"), drive(f"{url}/api/profiling", same.name),
                       drive(f"{url}/api/profiling", new.name)) for _ in range(ROUNDS)]
    finally:
        server.terminate()
        server.wait()
        monitoring.shutdown()
    line("serve: /healthz, 64 connections", statistics.median(health[0] for health, _, _ in rounds), "1/s")
    for name, which in (("one model asked again and again", 1), ("a new model each time", 2)):
        rate = statistics.median(each[which][0] for each in rounds)
        ratio = statistics.median(100 * each[which][0] / each[0][0] for each in rounds)
        late = statistics.median(each[which][1] for each in rounds)
        line(f"serve: predictions for 100 nodes, {name}", rate, "1/s")
        bars = [(">= 50", ratio >= 50), ("<= 20", late <= 20)] if which == 1 else [("-", None)] * 2
        line(f"serve: that against /healthz, {name}", ratio, "%", *bars[0])
        line(f"serve: p99, {name}", late, "ms", *bars[1])


if __name__ == "__main__":
    main()

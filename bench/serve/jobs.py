"""A thousand jobs handed over to `edgewise serve`, one after the other over one connection; then the server is killed.

    jobs.py EDGEWISE

All of them must be there when it is started again.
"""
import http.client
import json
import re
import subprocess
import sys
import tempfile
import time

EDGEWISE = sys.argv[1]
JOBS = 1000
BODY = "name: bench\nimage: localhost/none\n"


def line(name, value, unit, bar="-", passed=None):
    verdict = "-" if passed is None else "pass" if passed else "fail"
    print(f"{name}\t{value:.4g}\t{unit}\t{bar}\t{verdict}")


def serve(home):
    server = subprocess.Popen([EDGEWISE, "serve", "--home", home, "--port", "0", "--allow-image", "localhost/*"],
                              stderr=subprocess.PIPE, text=True)
    port = int(re.search(r"http://\S+:(\d+)", server.stderr.readline()).group(1))
    return server, http.client.HTTPConnection("127.0.0.1", port, timeout=60)


def ask(connection, method, path, body=None):
    connection.request(method, path, body, {"Content-Type": "application/yaml"} if body else {})
    answer = connection.getresponse()
    text = answer.read()
    if answer.status >= 300:
        sys.exit(f"bench/serve: {path} answered {answer.status}: {text.decode()}")
    return json.loads(text)


def resident_mib(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return int(next(each for each in status if each.startswith("VmRSS")).split()[1]) / 1024


def main():
    with tempfile.TemporaryDirectory(prefix="edgewise-bench-") as home:
        server, connection = serve(home)
        try:
            ask(connection, "GET", "/healthz")
            idle = resident_mib(server.pid)
            begin = time.monotonic()
            ids = {ask(connection, "POST", "/api/v1/jobs", BODY)["id"] for _ in range(JOBS)}
            taken = time.monotonic() - begin
        finally:
            server.kill()
            server.wait()
        server, connection = serve(home)
        try:
            kept = {job["id"] for job in ask(connection, "GET", "/api/v1/jobs?limit=2000")["jobs"]}
        finally:
            server.kill()
            server.wait()
    line("serve: resident when idle", idle, "MiB", "<= 20", idle <= 20)
    line("serve: 1,000 jobs handed over", taken, "s", "< 2", taken < 2)
    line("serve: of these there after kill -9", len(ids & kept), "jobs", "= 1000", len(ids & kept) == JOBS)


if __name__ == "__main__":
    main()

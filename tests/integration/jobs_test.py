"""Jobs: handed over, run in turn, followed, cancelled, and kept whatever happens to the server."""
import base64
import http.client
import json
import os
import re
import signal
import unittest

from driving import EdgewiseTest, wait_until
from serving import Served, check_schema, promtool_complaints

TOKEN = "0123456789abcdef"
YAML = {"Content-Type": "application/yaml"}


class JobsTest(EdgewiseTest):
    def serve(self, *options):
        return Served(self, *options)

    def app(self, shell, name="app", more=""):
        path = self.scratch / f"{name}.yaml"
        path.write_text(f"name: {name}\ncommand: [/bin/sh, -c, {json.dumps(shell)}]\n{more}")
        return path

    def submit(self, served, file, *options, env=None):
        return self.edgewise("submit", file, "--server", f"http://127.0.0.1:{served.port}", *options, env=env)

    def hand_over(self, served, file, query=""):
        answer = served.ask("POST", f"/api/v1/jobs{query}", file.read_text(), YAML)
        self.assertEqual(answer.status, 201, answer.bytes)
        self.assertEqual(answer.headers["Location"], f"/api/v1/jobs/{answer.json['id']}")
        return answer.json["id"]

    def state(self, served, job):
        return served.get(f"/api/v1/jobs/{job}").json["state"]

    def wait_for(self, served, job, *states):
        return wait_until(lambda: self.state(served, job) in states and self.state(served, job), f"{job} to be {states}")


class Life(JobsTest):
    def test_submit_waits_shows_the_log_and_has_the_jobs_exit_code(self):
        served = self.serve("--allow-commands")
        done = self.submit(served, self.app("echo hello from the job; exit 3"), "--wait")
        self.assertEqual(done.code, 3, done.stderr)
        self.assertIn("hello from the job", done.stdout)
        self.assertIn("failed", done.stderr)
        done = self.submit(served, self.app("exit 0"), "--wait", "--json")
        self.assertEqual(done.code, 0, done.stderr)
        job = json.loads(done.stdout)
        self.assertEqual((job["state"], len(job["runs"])), ("done", 1))
        # Its Run is in the store like any other.
        self.assertIn(job["runs"][0], [run["id"] for run in self.stored()])

    def test_what_came_out_can_be_fetched(self):
        served = self.serve("--allow-commands")
        done = self.submit(served, self.app("echo one; sleep 0.3"), "--wait", "--json")
        job = json.loads(done.stdout)
        folder = self.scratch / "results"
        fetched = self.edgewise("jobs", job["id"], "--server", f"http://127.0.0.1:{served.port}", "--artifacts", folder)
        self.assertEqual(fetched.code, 0, fetched.stderr)
        run = job["runs"][0]
        self.assertEqual(json.loads((folder / f"{run}.json").read_text())["id"], run)
        self.assertIn("<html", (folder / f"{run}.html").read_text())
        self.assertIn("one", (folder / "log.txt").read_text())
        self.assertIn("cpu_percent", (folder / f"{run}.series.csv").read_text())
        self.assertIn("name: app", (folder / "app.yaml").read_text())
        self.assertEqual(served.get(f"/api/v1/jobs/{job['id']}/artifacts/none").status, 404)

    def test_jobs_run_one_after_another(self):
        served = self.serve("--allow-commands")
        marks = self.scratch / "marks"
        ids = [self.hand_over(served, self.app(f"echo begin >> {marks}; sleep 0.1; echo end >> {marks}", f"app{i}"))
               for i in range(3)]
        for job in ids:
            self.wait_for(served, job, "done")
        self.assertEqual(marks.read_text().split(), ["begin", "end"] * 3)
        listed = served.get("/api/v1/jobs?state=done").json["jobs"]
        self.assertEqual([job["id"] for job in listed], ids[::-1])

    def test_slots_run_as_many_at_once_on_cores_of_their_own(self):
        cores = sorted(os.sched_getaffinity(0))
        if len(cores) < 2:
            self.skipTest("two slots need two cores")
        rules = self.scratch / "jobs.yaml"
        rules.write_text(f"commands: true\nslots: ['{cores[0]}', '{cores[1]}']\n")
        served = self.serve("--jobs", rules)
        # Each ends only once the other has begun.
        shell = ("touch {0}; grep Cpus_allowed_list /proc/self/status; "
                 "while [ ! -e {1} ]; do sleep 0.02; done")
        ids = [self.hand_over(served, self.app(shell.format(self.scratch / mine, self.scratch / others), mine))
               for mine, others in (("one", "two"), ("two", "one"))]
        allowed = set()
        for job in ids:
            self.wait_for(served, job, "done")
            log = served.get(f"/api/v1/jobs/{job}/log").bytes.decode()
            allowed.add(re.search(r"Cpus_allowed_list:\s*(\S+)", log).group(1))
        self.assertEqual(allowed, {str(cores[0]), str(cores[1])})

    def test_log_is_streamed_as_it_grows(self):
        served = self.serve("--allow-commands")
        gate = self.scratch / "gate"
        job = self.hand_over(served, self.app(f"echo first; while [ ! -e {gate} ]; do sleep 0.02; done; echo second"))
        connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
        self.addCleanup(connection.close)
        connection.request("GET", f"/api/v1/jobs/{job}/events")
        response = connection.getresponse()
        self.assertEqual(response.headers["Content-Type"].split(";")[0], "text/event-stream")
        seen = b""
        while b"first" not in seen:
            seen += response.readline()
        self.assertNotIn(b"second", seen)
        gate.touch()
        seen += response.read()  # to its end
        self.assertIn(b"second", seen)
        self.assertIn(b'"state":"done"', seen)

    def test_cancelled_jobs_end_and_waiting_ones_never_begin(self):
        served = self.serve("--allow-commands")
        running = self.hand_over(served, self.app("echo begun; sleep 600"))
        waiting = self.hand_over(served, self.app("touch begun", "second"))
        wait_until(lambda: b"begun" in served.get(f"/api/v1/jobs/{running}/log").bytes, "the job to begin")
        self.assertEqual(served.ask("DELETE", f"/api/v1/jobs/{waiting}").status, 202)
        done = self.edgewise("jobs", running, "--cancel", "--server", f"http://127.0.0.1:{served.port}")
        self.assertEqual(done.code, 0, done.stderr)
        self.wait_for(served, running, "cancelled")
        self.assertEqual(self.state(served, waiting), "cancelled")
        self.assertEqual(served.ask("POST", f"/api/v1/jobs/{running}/cancel").status, 409)
        served.end(signal.SIGTERM)
        self.assertFalse((self.home / "jobs" / waiting).exists())
        self.assert_nothing_left()

    def test_logs_are_bounded(self):
        rules = self.scratch / "jobs.yaml"
        rules.write_text("commands: true\nlog: 10KiB\n")
        served = self.serve("--jobs", rules)
        job = self.hand_over(served, self.app("yes | head -c 100000"))
        self.wait_for(served, job, "done")
        log = served.get(f"/api/v1/jobs/{job}/log").bytes
        self.assertLess(len(log), 11 << 10)
        self.assertIn(b"the log ends here", log)
        self.assertEqual(served.get(f"/api/v1/jobs/{job}/log?from={len(log) - 5}").bytes, log[-5:])


class Death(JobsTest):
    def test_queue_is_intact_after_kill_9(self):
        served = self.serve("--allow-commands")
        once = self.hand_over(served, self.app("echo begun; sleep 600", "once"))
        wait_until(lambda: b"begun" in served.get(f"/api/v1/jobs/{once}/log").bytes, "the job to begin")
        ids = [self.hand_over(served, self.app("exit 0", f"app{i}")) for i in range(20)]
        served.end(signal.SIGKILL)
        # The program goes with its server.
        self.assert_nothing_left()
        again = self.serve("--allow-commands")
        self.assertEqual(self.state(again, once), "interrupted")
        for job in ids:
            self.wait_for(again, job, "done")

    def test_job_is_retried_where_that_was_asked_for(self):
        served = self.serve("--allow-commands")
        mark = self.scratch / "mark"
        job = self.hand_over(served, self.app(f"test -e {mark} && exit 0; touch {mark}; sleep 600"), "?retry=true")
        wait_until(mark.exists, "the job to begin")
        served.end(signal.SIGKILL)
        again = self.serve("--allow-commands")
        self.wait_for(again, job, "done")
        self.assertEqual(again.get(f"/api/v1/jobs/{job}").json["interruptions"], 1)

    def test_orderly_end_interrupts_too(self):
        served = self.serve("--allow-commands")
        job = self.hand_over(served, self.app("echo begun; sleep 600"))
        wait_until(lambda: b"begun" in served.get(f"/api/v1/jobs/{job}/log").bytes, "the job to begin")
        self.assertEqual(served.end(signal.SIGTERM), 0)
        self.assert_nothing_left()
        self.assertEqual(self.state(self.serve(), job), "interrupted")

    def test_two_servers_do_not_share_a_queue(self):
        first = self.serve("--allow-commands")
        second = self.serve("--allow-commands")
        self.assertEqual(first.get("/api/v1/jobs").status, 200)
        self.assertEqual(second.get("/api/v1/jobs").status, 404)
        self.assertEqual(second.get("/healthz").status, 200)


class Refusals(JobsTest):
    def test_what_is_not_allowed_is_refused(self):
        served = self.serve("--allow-image", "localhost/*")
        cases = [("name: a\nimage: docker.io/x\n", 403, "docker.io/x"), ("name: a\ncommand: [/bin/sh]\n", 403, "/bin/sh"),
                 ("name: a\nimage: localhost/a\nengine_args: [--privileged]\n", 403, "--privileged"),
                 ("name: a\nimage: localhost/a\nengine_args: ['-v', '/etc:/etc:ro']\n", 403, "/etc"),
                 ("name: a\nimgae: localhost/a\n", 400, "image"), ("nonsense", 400, ""), ("name: a\n", 400, ""),
                 ("x" * 70_000, 413, "")]
        for body, status, word in cases:
            answer = served.ask("POST", "/api/v1/jobs", body, YAML)
            self.assertEqual(answer.status, status, (body[:50], answer.bytes))
            self.assertIn(word, answer.json["error"]["message"])
        self.assertEqual(served.get("/api/v1/jobs").json, {"jobs": []})
        plain = served.ask("POST", "/api/v1/jobs", "name: a\nimage: localhost/a\n", {"Content-Type": "text/plain"})
        self.assertEqual(plain.status, 415)
        foreign = served.ask("POST", "/api/v1/jobs", "name: a\nimage: localhost/a\n", YAML | {"Origin": "http://evil.example"})
        self.assertEqual((foreign.status, foreign.json["error"]["code"]), (403, "other_origin"))

    def test_submit_says_what_is_wrong_with_exit_codes(self):
        served = self.serve()
        done = self.submit(served, self.app("exit 0"))
        self.assertEqual(done.code, 3)
        self.assert_one_sentence(done.stderr, "images only")
        bad = self.scratch / "bad.yaml"
        bad.write_text("name: a\nimgae: x\n")
        done = self.submit(served, bad)
        self.assertEqual(done.code, 2)
        self.assert_one_sentence(done.stderr, "bad.yaml:2", "image")
        done = self.edgewise("submit", self.app("exit 0"), "--server", "http://127.0.0.1:9")
        self.assertEqual(done.code, 3)
        self.assert_one_sentence(done.stderr)
        done = self.edgewise("submit", self.app("exit 0"), "--server", "nowhere")
        self.assertEqual(done.code, 2)
        self.assert_one_sentence(done.stderr, "http://")

    def test_queue_is_bounded(self):
        rules = self.scratch / "jobs.yaml"
        rules.write_text("commands: true\nqueue: 2\n")
        served = self.serve("--jobs", rules)
        running = self.hand_over(served, self.app("sleep 600"))
        self.wait_for(served, running, "running")
        for _ in range(2):
            self.hand_over(served, self.app("exit 0"))
        full = served.ask("POST", "/api/v1/jobs", self.app("exit 0").read_text(), YAML)
        self.assertEqual((full.status, full.json["error"]["code"]), (503, "queue_full"))
        self.assertTrue(full.headers["Retry-After"])

    def test_off_loopback_jobs_need_a_token(self):
        without = self.serve("--listen", "0.0.0.0", "--open-predictions", "--allow-commands")
        self.assertEqual(without.get("/api/v1/jobs").status, 404)
        tokens = self.scratch / "tokens"
        tokens.write_text(TOKEN + "\n")
        served = self.serve("--listen", "0.0.0.0", "--token-file", tokens, "--allow-commands", "--open-predictions")
        for method, path in (("GET", "/api/v1/jobs"), ("POST", "/api/v1/jobs"), ("GET", "/api/v1/jobs/x/log"),
                             ("POST", "/job/x/buildWithParameters"), ("DELETE", "/api/v1/jobs/x"), ("GET", "/jobs")):
            self.assertEqual(served.ask(method, path, "" if method == "POST" else None).status, 401, path)
        done = self.submit(served, self.app("exit 0"), "--token-file", tokens, "--wait")
        self.assertEqual(done.code, 0, done.stderr)
        done = self.submit(served, self.app("exit 0"))
        self.assertEqual(done.code, 3)
        self.assert_one_sentence(done.stderr, "token")


class OldCallers(JobsTest):
    def test_former_profilers_request_becomes_a_job(self):
        tokens = self.scratch / "tokens"
        tokens.write_text(TOKEN + "\n")
        config = self.scratch / "work" / "config_dir"
        config.mkdir(parents=True)
        (config / "data-config.json").write_text("{}")
        rules = self.scratch / "jobs.yaml"
        rules.write_text(f"images: ['waggle/*']\nfolder: {self.scratch}/work\nmounts: [{self.scratch}/work]\n")
        served = self.serve("--token-file", tokens, "--jobs", rules)
        # As the seed's own curl line, slash at the end and all.
        body = ("app_args=-stream%20top_live%20-object%20car%20-interval%201&"
                "app_name=waggle%2Fplugin-objectcounter%3A0.0.0&"
                "app_docker_args=-v%20.%2Fconfig_dir%2Fdata-config.json%3A%2Frun%2Fwaggle%2Fdata-config.json")
        user = {"Content-Type": "application/x-www-form-urlencoded",
                "Authorization": "Basic " + base64.b64encode(f"user:{TOKEN}".encode()).decode()}
        path = "/job/nvidia-nx-profiling-pipeline/buildWithParameters/"
        answer = served.ask("POST", path, body, user)
        self.assertEqual(answer.status, 201, answer.bytes)
        where = answer.headers["Location"]
        kept = served.ask("GET", where + "/artifacts/app.yaml", headers=user).json
        self.assertEqual(kept["args"], ["-stream", "top_live", "-object", "car", "-interval", "1"])
        self.assertEqual(kept["engine_args"], ["-v", f"{config}/data-config.json:/run/waggle/data-config.json:ro"])
        refused = served.ask("POST", path, body.replace("waggle%2Fplugin", "other%2Fplugin"), user)
        self.assertEqual(refused.status, 403)
        self.assertEqual(served.ask("POST", path, "app_args=x", user).json["error"]["field"], "app_name")
        escape = served.ask("POST", path, "app_name=waggle%2Fx&app_docker_args=-v%20..%2F..%3A%2Fx", user)
        self.assertEqual(escape.status, 403)


class Document(JobsTest):
    def test_document_agrees_with_what_is_answered(self):
        served = self.serve("--allow-commands")
        done = json.loads(self.submit(served, self.app("exit 0"), "--wait", "--json").stdout)
        document = served.get("/openapi.json").json
        bodies = {"/api/v1/jobs": (self.app("exit 0").read_text(), YAML),
                  "/job/{name}/buildWithParameters": ("app_name=x", {"Content-Type": "application/x-www-form-urlencoded"})}
        checked = 0
        for pattern, operations in document["paths"].items():
            if "job" not in pattern:
                continue
            path = pattern.replace("{id}", done["id"]).replace("{name}", done["runs"][0] + ".json")
            for method, operation in operations.items():
                body, headers = bodies.get(pattern, (None, None)) if "requestBody" in operation else (None, None)
                self.assertEqual(body is None, "requestBody" not in operation, pattern)
                answer = served.ask(method.upper(), path, body, headers)
                self.assertIn(str(answer.status), operation["responses"], (method, pattern, answer.bytes))
                content = operation["responses"][str(answer.status)].get("content", {})
                for kind, media in content.items():
                    self.assertEqual(answer.headers["Content-Type"].split(";")[0], kind, pattern)
                    if "schema" in media:
                        check_schema(self, document, media["schema"], answer.json, pattern)
                checked += 1
            gone = served.ask("GET", path.replace(done["id"], "ffffffffffff"))
            if "{id}" in pattern:
                self.assertIn(gone.status, (404, 405), pattern)
        self.assertEqual(checked, 11)

    def test_metrics_and_page(self):
        served = self.serve()
        metrics = served.get("/metrics").bytes
        self.assertIn(b"edgewise_jobs_queued 0", metrics)
        self.assertEqual(promtool_complaints(metrics) if os.path.exists("/usr/bin/promtool") else "", "")
        page = served.get("/jobs")
        self.assertEqual(page.status, 200)
        self.assertIn(b"Content-Security-Policy", page.bytes)

    def test_stays_small_when_idle(self):
        served = self.serve("--allow-commands")
        job = self.hand_over(served, self.app("exit 0"))
        self.wait_for(served, job, "done")
        with open(f"/proc/{served.process.pid}/status", encoding="ascii") as status:
            resident_kib = int(next(line for line in status if line.startswith("VmRSS")).split()[1])
        self.assertLess(resident_kib, 20 << 10)


if __name__ == "__main__":
    unittest.main()

"""edgewise agent: apps come, go and come back; what they do is shown, recorded and captured."""
import json
import os
import socket
import stat
import subprocess
import unittest

from driving import PYTHON, SOURCE, alive, wait_until
from live import AgentTest, metric, sample


class CollectTest(AgentTest):
    def test_an_app_is_seen_with_its_name_figures_and_use(self):
        self.agent()
        self.app(50, env={"EDGEWISE_APP": "tracker", "EDGEWISE_LABELS": "site=north"})
        app = self.wait_for_app(
            "tracker", lambda app: app["system"] and (metric(app, "frame") or {"count": 0})["count"] > 100, "to work")
        self.assertEqual((app["instance"], app["alive"], app["restarts"], app["gaps"]), ("0", True, 0, 0))
        self.assertEqual(app["labels"], {"site": "north"})
        self.assertEqual(app["records_dropped"], 0)
        self.assertGreater(app["system"]["rss_bytes"], 100_000)
        frame = metric(app, "frame")
        # Each sleeps for a millisecond at least, whatever else runs.
        self.assertGreaterEqual(frame["windows"]["1m"]["p50"]["value"], 0.98)
        self.assertTrue(frame["windows"]["1m"]["p50"]["sufficient"])
        self.assertEqual(metric(app, "queue")["kind"], "gauge")
        self.assertGreaterEqual(metric(app, "frames")["last"], 100)

    def test_without_a_name_the_program_names_it_and_instances_are_numbered(self):
        self.agent("--no-http")
        first = self.app(20)
        self.wait_for_app("paced")
        self.app(20)
        apps = wait_until(lambda: len(self.apps()) == 2 and self.apps(), "two apps")
        self.assertEqual([app["instance"] for app in apps], ["0", "1"])
        self.assertEqual(apps[0]["pid"], first.pid)

    def test_a_restart_is_counted_and_an_app_that_stays_away_expires(self):
        self.agent("--no-http", "--keep-gone", "3s")
        app = self.app(50)
        self.wait_for_app("paced", lambda each: metric(each, "frames"))
        app.kill()
        app.wait()
        self.wait_for_app("paced", lambda each: not each["alive"], "to be gone")
        again = self.app(50)
        seen = self.wait_for_app("paced", lambda each: each["alive"], "to be back")
        self.assertEqual((seen["restarts"], seen["instance"], seen["pid"]), (1, "0", again.pid))
        again.kill()
        again.wait()
        wait_until(lambda: not self.apps(), "the app to expire")

    def test_apps_reconnect_to_a_new_agent_and_the_gap_is_marked(self):
        first = self.agent("--no-http")
        self.app(100)
        self.wait_for_app("paced", lambda each: metric(each, "frames"))
        first.kill()
        first.wait()
        self.agent("--no-http")
        app = self.wait_for_app("paced", lambda each: metric(each, "frame"), "to reconnect")
        self.assertEqual((app["gaps"], app["restarts"]), (1, 0))
        self.assertGreaterEqual(app["last_gap_s"], 0)
        self.assertLess(app["last_gap_s"], 60)

    def test_a_second_agent_refuses_and_the_first_goes_on(self):
        self.agent("--no-http")
        done = self.edgewise("agent", "--socket", self.socket, "--no-http")
        self.assertEqual(done.code, 3)
        self.assert_one_sentence(done.stderr, "Another collector listens", "stop it")
        self.app(20)
        self.wait_for_app("paced")

    def test_the_sockets_are_what_they_should_be_and_go_with_the_agent(self):
        agent = self.agent("--no-http", "--socket-mode", "0660")
        control = self.socket.with_name("agent.sock.control")
        self.assertEqual(stat.S_IMODE(self.socket.stat().st_mode), 0o660)
        self.assertEqual(stat.S_IMODE(control.stat().st_mode), 0o600)
        self.end(agent)
        self.assertFalse(self.socket.exists())
        self.assertFalse(control.exists())

    def test_spans_of_python_are_named_after_the_script(self):
        self.agent("--no-http")
        script = self.scratch / "car_counter.py"
        script.write_text("import sys, time\nsys.path.insert(0, sys.argv[1])\nimport edgewise\n"
                          "while True:\n    with edgewise.measure('count'):\n        time.sleep(0.01)\n")
        library = subprocess.run(["find", self.build_folder(), "-name", "libedgewise_client.so*", "-print", "-quit"],
                                 capture_output=True, text=True).stdout.strip()
        if not library:
            self.skipTest("libedgewise_client.so is not built")
        process = subprocess.Popen([PYTHON, script, SOURCE / "clients" / "python"],
                                   env={**self.app_environment, "EDGEWISE_CLIENT_LIB": library},
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(self.finish, process)
        app = self.wait_for_app("car_counter", lambda each: metric(each, "count"))
        self.assertEqual(app["pid"], process.pid)

    @staticmethod
    def build_folder():
        return os.path.dirname(os.environ["EDGEWISE_BINARY"])


class WaggleTest(AgentTest):
    def test_messages_of_the_old_library_arrive_however_they_are_cut(self):
        waggle = self.scratch / "metrics" / "live_metrics.sock"
        agent = self.agent("--waggle-socket", waggle, "--old-names", "waggle")
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(waggle))
            text = b"".join(json.dumps({name: {"value": value, "timestamp": 1.7e9 + value}}).encode() + b"\n\n"
                            for name, value in (("latency", 0.25), ("RAM_usage", 1000), ("latency", 0.5)))
            client.sendall(text[:20])
            client.sendall(text[20:70])
            client.sendall(text[70:] + b"rubbish\n\n" + b'{"fps": {"value": NaN}}\n\n')
            client.sendall(b'{"end": {"value": 1}}\n\n')
            app = wait_until(lambda: next((each for each in self.apps() if metric(each, "end")), None), "the metrics")
            self.assertEqual((metric(app, "latency")["count"], metric(app, "latency")["last"]), (2, 0.5))
            self.assertEqual(metric(app, "RAM_usage")["last"], 1000)
            self.assertIsNone(metric(app, "fps"))
            self.assertEqual(app["pid"], os.getpid())
            self.assertEqual(app["records_dropped"], 1)
            text, _ = self.get(agent.url + "/metrics")
            self.assertEqual(sample(text, "app0_latency_value"), 0.5)
            self.assertGreater(sample(text, "app0_latency_timestamp"), 1.7e9)
        wait_until(lambda: not self.apps()[0]["alive"], "the app to be gone")


class ShowTest(AgentTest):
    def test_top_shows_the_apps_once_into_a_pipe(self):
        self.agent("--no-http")
        self.app(100, env={"EDGEWISE_APP": "tracker"})
        self.wait_for_app("tracker", lambda app: (metric(app, "frame") or {"count": 0})["count"] > 50)
        done = self.edgewise("top", "--socket", self.socket)
        self.assertEqual(done.code, 0, done.stderr)
        self.assertIn("tracker/0", done.stdout)
        self.assertIn("frame", done.stdout)

    def test_without_an_agent_the_error_says_what_to_do(self):
        for arguments in (["top"], ["agent", "record", "--app", "x"], ["agent", "capture", "--app", "x"]):
            done = self.edgewise(*arguments, "--socket", self.socket)
            self.assertEqual(done.code, 3, arguments)
            self.assert_one_sentence(done.stderr, "no agent answers", "edgewise agent")

    def test_record_makes_a_run_of_what_the_app_does(self):
        self.agent("--no-http")
        app = self.app(100, env={"EDGEWISE_APP": "tracker"})
        self.wait_for_app("tracker")
        done = self.edgewise("agent", "record", "--app", "tracker", "--for", "1500ms", "--json", "--socket", self.socket)
        self.assertEqual(done.code, 0, done.stderr)
        run = json.loads(done.stdout)
        self.assertEqual((run["kind"], run["label"], run["end_reason"]), ("live", "tracker", "detached"))
        frame = next(span for span in run["spans"] if span["name"] == "frame")
        self.assertGreater(frame["count"], 20)
        self.assertTrue(alive(app.pid))
        shown = self.edgewise("show", run["id"])
        self.assertEqual(shown.code, 0, shown.stderr)
        card = self.edgewise("card", run["id"])
        self.assertEqual(card.code, 0, card.stderr)
        self.assertIn("tracker", card.stdout)

    def test_record_ends_with_the_app(self):
        self.agent("--no-http")
        app = self.app(100)
        self.wait_for_app("paced")
        process = self.start("agent", "record", "--app", "paced", "--for", "100s", "--json", "--socket", self.socket)
        wait_until(lambda: self.stored(), "the Run")
        app.kill()
        app.wait()
        output, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)
        self.assertEqual(json.loads(output)["end_reason"], "exited")

    def test_capture_samples_the_stacks_of_an_app(self):
        self.agent("--no-http")
        self.app("endless", name="spans")
        self.wait_for_app("spans")
        done = self.edgewise("agent", "capture", "--app", "spans", "--for", "1500ms", "--json", "--socket", self.socket)
        self.assertEqual(done.code, 0, done.stderr)
        run = json.loads(done.stdout)
        if not run.get("stacks"):
            self.skipTest("this machine cannot sample stacks")
        self.assertIn("Work", json.dumps(run))

    def test_an_unknown_app_is_named_with_those_that_are_there(self):
        self.agent("--no-http")
        self.app(20)
        self.wait_for_app("paced")
        done = self.edgewise("agent", "record", "--app", "pacer", "--socket", self.socket)
        self.assertEqual(done.code, 2)
        self.assert_one_sentence(done.stderr, "pacer", "paced/0")

    def test_an_app_that_leaves_its_card_is_marked(self):
        cards = self.scratch / "cards"
        cards.mkdir()
        (cards / "paced.yaml").write_text("name: paced\nwcet_ms: 0.5\n")
        agent = self.agent("--cards", cards)
        self.app(200)
        app = self.wait_for_app("paced", lambda each: each["anomalies"], "to be marked")
        self.assertEqual(app["anomalies"][0]["kind"], "latency")
        self.assertIn("frame", app["anomalies"][0]["evidence"])
        text, _ = self.get(agent.url + "/metrics")
        self.assertEqual(sample(text, "edgewise_app_anomaly", app="paced", kind="latency"), 1)

    def test_bad_options_get_one_sentence(self):
        for options, words in ((["--old-names", "tegro"], ["--old-names", "tegra"]),
                               (["--socket-mode", "9"], ["--socket-mode", "octal"]),
                               (["--cards", "/nonexistent"], ["/nonexistent"]),
                               (["--push", "gateway"], ["--push", "http://"]),
                               (["--keep-gone", "soon"], ["--keep-gone"])):
            done = self.edgewise("agent", "--socket", self.socket, "--no-http", *options)
            self.assertIn(done.code, (2, 3), options)
            self.assert_one_sentence(done.stderr, *words)
        done = self.edgewise("agent", "--socket", self.scratch / ("x" * 120), "--no-http")
        self.assertEqual(done.code, 2)
        self.assert_one_sentence(done.stderr, "shorter")


if __name__ == "__main__":
    unittest.main()

"""`edgewise mqtt` with a real broker: measurements, accounts, and bad luck."""
import json
import os
import signal
import subprocess
import time
import unittest

from broker import INSTALLED, free_port, start_broker
from driving import PATIENCE_S, EdgewiseTest, processes_with, program, read_text, wait_until

PATH_STAGES = ["late", "to processor", "queue", "work", "reply", "to consumer"]


@unittest.skipUnless(INSTALLED, "mosquitto and mosquitto-clients are not installed")
class MqttTest(EdgewiseTest):
    def broker(self, *lines, port=None):
        """A broker of the test's own; its port and process."""
        self.port = port or free_port()
        # Beside the folder that must be empty in the end.
        folder = self.scratch / "broker"
        folder.mkdir(exist_ok=True)
        return start_broker(self, folder, self.port, *lines)

    def address(self):
        return f"127.0.0.1:{self.port}"

    def bench(self, *arguments, code=0, **options):
        done = self.edgewise("mqtt", "bench", "--json", "--warm-up", 3, *arguments, **options)
        self.assertEqual(done.code, code, done.stderr + done.stdout[-2000:])
        return json.loads(done.stdout)

    @staticmethod
    def stages(cell):
        return {stage["name"]: stage for stage in cell["stages"]}

    def subscribe(self, topic, count):
        """Starts to wait for messages; returns when subscribed."""
        process = subprocess.Popen(["mosquitto_sub", "-h", "127.0.0.1", "-p", str(self.port), "-C", str(count), "-W",
                                    str(PATIENCE_S), "-t", topic, "-t", "subscribed", "-v"], stdout=subprocess.PIPE)
        self.addCleanup(self.finish, process)
        self.publish("subscribed", "yes", "-r")
        self.assertEqual(process.stdout.readline(), b"subscribed yes\n")
        return process

    def publish(self, topic, text, *flags):
        subprocess.run(["mosquitto_pub", "-h", "127.0.0.1", "-p", str(self.port), "-t", topic, "-m", text, *flags],
                       check=True, timeout=PATIENCE_S)


class MeasuringTest(MqttTest):
    def test_a_grid_is_a_group_of_runs_whose_stages_add_up(self):
        result = self.bench("--broker", "auto", "--qos", "0,1,2", "--payload", "1KiB", "--rate", 100, "--messages", 40)
        self.assertEqual([cell["details"]["qos"] for cell in result["cells"]], ["0", "1", "2"])
        for cell in result["cells"]:
            stages = self.stages(cell)
            counts = {name: stages[name]["count"] for name in [*PATH_STAGES, "total", "total, naive"]}
            self.assertEqual(set(counts.values()), {40}, counts)
            self.assertEqual("broker ack" in stages, cell["details"]["qos"] != "0")
            # The path is all of the total.
            total = stages["total"]["mean_ms"]
            self.assertAlmostEqual(sum(stages[name]["mean_ms"] for name in PATH_STAGES), total, delta=total / 1000)
            self.assertAlmostEqual(sum(stages[name]["share"]["value"] for name in PATH_STAGES), 1, places=3)
            self.assertLessEqual(stages["total, naive"]["mean_ms"], total)
            messages = cell["messages"]
            self.assertEqual((messages["sent"], messages["received"], messages["lost"], messages["duplicated"]),
                             (40, 40, 0, 0))
            self.assertEqual({role["name"] for role in cell["roles"]},
                             {"producer", "broker", "processor", "consumer", "conductor"})
            details = cell["details"]
            self.assertEqual((details["tcp_nodelay"], details["tls"], details["mqtt_version"], details["impairment"]),
                             ("yes", "no", "5", "none"))
            self.assertIn("mosquitto version", details["broker_version"])
        runs = self.stored()
        self.assertEqual({run["group"] for run in runs}, {result["group"]})
        # The Runs are Runs like any other.
        shown = self.show(result["cells"][0]["run"])
        self.assertEqual(shown["details"]["qos"], "0")
        first, second = result["cells"][0]["run"], result["cells"][2]["run"]
        self.assertIn(self.edgewise("compare", first, second, "--json").code, (0, 1))
        card = self.edgewise("card", first, "--span", "total")
        self.assertEqual(card.code, 0, card.stderr)
        again = self.edgewise("mqtt", "show", first, "--html", "page.html", "--svg", "pictures")
        self.assertEqual(again.code, 0, again.stderr)
        self.assertIn("QoS 2, 1 KiB", again.stdout)
        self.assertIn("to processor", (self.scratch / "page.html").read_text())
        self.assertTrue((self.scratch / "pictures/waterfall-3.svg").read_text().startswith("<svg"))
        self.assert_nothing_left()

    def test_a_driven_program_works_once_a_message(self):
        result = self.bench("--broker", "auto", "--qos", 1, "--rate", 50, "--messages", 20, "--",
                            *program("task", "steady", 3000))
        [cell] = result["cells"]
        work = self.stages(cell)["work"]
        self.assertEqual(work["count"], 20)
        self.assertGreater(work["p50_ms"]["value"], 2.5)
        self.assertIn("app", {role["name"] for role in cell["roles"]})

    def test_any_program_works_with_one_process_for_each_message(self):
        self.broker()
        listener = self.subscribe("lab/e2e/processed", 2)
        result = self.bench("--broker", self.address(), "--rate", 20, "--messages", 10, "--payload", "600", "--per-message",
                            "--", "wc", "-c")
        self.assertEqual(self.stages(result["cells"][0])["work"]["count"], 10)
        payload = json.loads(listener.stdout.readline().partition(b" ")[2])
        self.assertEqual(payload["out"], "600")

    def test_without_a_processor_in_binary_over_the_older_version(self):
        result = self.bench("--broker", "auto", "--direct", "--format", "binary", "--payload", "200KiB", "--mqtt-version",
                            "3.1.1", "--qos", "0,2", "--rate", 50, "--messages", 20, "--arrivals", "poisson")
        for cell in result["cells"]:
            self.assertEqual(cell["messages"]["received"], 20)
            self.assertEqual(set(self.stages(cell)) - {"broker ack"}, {"late", "to consumer", "total", "total, naive"})
            self.assertEqual((cell["details"]["format"], cell["details"]["mqtt_version"]), ("binary", "3.1.1"))

    def test_impairment_is_compared_with_none_in_a_matrix(self):
        result = self.bench("--broker", "auto", "--qos", 1, "--rate", 20, "--messages", 20, "--impair", "delay=15ms",
                            "--compare-impairment", "--svg", "pictures")
        plain, impaired = result["cells"]
        self.assertEqual(impaired["details"]["impairment"], "delay=15ms")
        self.assertIn(impaired["details"]["impaired_by"], ("proxy", "netem"))
        # To the broker and from it, twice.
        self.assertGreaterEqual(self.stages(impaired)["total"]["p50_ms"]["value"], 60)
        self.assertGreaterEqual(self.stages(impaired)["broker ack"]["p50_ms"]["value"], 30)
        self.assertEqual(impaired["messages"]["lost"], 0)
        self.assertIn("delay=15ms", (self.scratch / "pictures/matrix.svg").read_text())

    def test_disconnections_on_purpose_lose_nothing_of_qos_1(self):
        result = self.bench("--broker", "auto", "--qos", 1, "--rate", 50, "--messages", 100, "--impair",
                            "disconnect=every:700ms")
        [cell] = result["cells"]
        self.assertEqual(cell["messages"]["lost"], 0, cell)
        self.assertGreater(sum(role["reconnects"] or 0 for role in cell["roles"]), 0)


class ListeningTest(MqttTest):
    def lab_message(self, number, done=False):
        now = time.time_ns()
        message = {"id": number, "t_pub_ns": now - 20_000_000}
        if done:
            message["t_done_ns"] = now - 5_000_000
        return json.dumps(message)

    def test_messages_of_the_labs_programs_are_broken_down(self):
        self.broker()
        witness = self.subscribe("lab/e2e/#", 2)
        process = self.start("mqtt", "listen", "--broker", self.address(), "--topic", "lab/e2e/#", "--json")
        # Once it has subscribed it asks for others' clocks.
        self.assertTrue(witness.stdout.readline())
        for number in range(10):
            self.publish("lab/e2e", self.lab_message(number))
            self.publish("lab/e2e/processed", self.lab_message(number, done=True))
            self.publish("lab/e2e/processed", "what is this")
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=PATIENCE_S)
        self.assertEqual(process.returncode, 0, stderr)
        [cell] = json.loads(stdout)["cells"]
        stages = self.stages(cell)
        self.assertGreater(stages["to done"]["count"], 0)
        self.assertAlmostEqual(stages["to done"]["p50_ms"]["value"], 15, places=3)
        self.assertGreaterEqual(stages["total, naive"]["p50_ms"]["value"], 20)
        # One after each result, and nothing of what edgewise itself says there.
        self.assertLessEqual(abs(cell["messages"]["foreign"] - stages["to done"]["count"]), 1)
        self.assertNotIn("work", stages)
        self.assert_nothing_left()

    def test_a_log_of_mosquitto_sub_is_imported(self):
        self.broker()
        listener = self.subscribe("lab/e2e/processed", 13)
        for number in range(12):
            self.publish("lab/e2e/processed", self.lab_message(number, done=True))
        lines = [f"{time.time_ns()} {listener.stdout.readline().decode()}" for _ in range(12)]
        log = self.scratch / "mqtt_log.txt"
        log.write_text("".join(lines))
        done = self.edgewise("mqtt", "import", log, "--label", "lab", "--json")
        self.assertEqual(done.code, 0, done.stderr)
        [cell] = json.loads(done.stdout)["cells"]
        self.assertEqual(self.stages(cell)["to done"]["count"], 12)
        self.assertIsNone(cell["messages"]["sent"])
        self.assertEqual(self.show("lab")["kind"], "import")
        empty = self.edgewise("mqtt", "import", "/dev/null")
        self.assertEqual(empty.code, 2)
        self.assert_one_sentence(empty.stderr, "mosquitto_sub")


class BadLuckTest(MqttTest):
    def signal_all(self, number):
        for pid in processes_with(f"EDGEWISE_HOME={self.home}"):
            os.kill(pid, number)

    def wait_until_written(self, database):
        """Until the broker, to which nobody speaks, has nothing more to write."""
        seen = []

        def unchanged():
            seen.append(database.stat().st_mtime_ns if database.exists() else None)
            time.sleep(0.1)
            return len(seen) > 5 and seen[-1] is not None and len(set(seen[-5:])) == 1

        wait_until(unchanged, "the broker's disk")

    def killed_and_restarted(self, qos, number=signal.SIGKILL, autosave="autosave_on_changes false", at_rest=False):
        persistence = ["allow_anonymous true", "persistence true", f"persistence_location {self.scratch}/broker/",
                       "autosave_interval 1", autosave, "max_inflight_messages 500", "max_queued_messages 10000"]
        broker = self.broker(*persistence)
        listener = self.subscribe("lab/e2e/processed", 1000)
        process = self.start("mqtt", "bench", "--json", "--broker", self.address(), "--qos", qos, "--rate", 50,
                             "--messages", 220, "--drain", "5s")
        # Long enough that the broker has written down who listens.
        for _ in range(110):
            self.assertTrue(listener.stdout.readline())
        if at_rest:
            self.signal_all(signal.SIGSTOP)
            self.wait_until_written(self.scratch / "broker/mosquitto.db")
        broker.send_signal(number)
        broker.wait()
        self.broker(*persistence, port=self.port)
        if at_rest:
            self.signal_all(signal.SIGCONT)
        stdout, stderr = process.communicate(timeout=PATIENCE_S)
        self.assertEqual(process.returncode, 0, stderr)
        [cell] = json.loads(stdout)["cells"]
        messages = cell["messages"]
        self.assertEqual(messages["sent"], 220)
        self.assertEqual(messages["lost"], 220 - (messages["received"] - messages["duplicated"]))
        for role in cell["roles"]:
            if role["name"] in ("producer", "processor", "consumer"):
                self.assertGreaterEqual(role["reconnects"], 1, role)
        return messages

    def test_qos_1_loses_nothing_when_the_broker_is_killed_and_restarted(self):
        self.assertEqual(self.killed_and_restarted(1)["lost"], 0)

    def test_qos_2_loses_nothing_when_the_broker_is_ended_and_restarted(self):
        self.assertEqual(self.killed_and_restarted(2, signal.SIGTERM)["lost"], 0)

    def test_qos_2_loses_nothing_when_the_broker_is_killed_and_restarted(self):
        # A broker that promised to pass a message on and dies before its disk knows loses it, whatever clients do: it is
        # killed with handshakes half done, but what it promised written down.
        messages = self.killed_and_restarted(2, autosave="autosave_on_changes true", at_rest=True)
        self.assertEqual(messages["lost"], 0)

    def test_qos_0_losses_are_counted_when_the_broker_is_killed_and_restarted(self):
        messages = self.killed_and_restarted(0)
        # 50 a second, and connecting again takes a moment.
        self.assertGreater(messages["lost"], 0)
        self.assertLess(messages["lost"], 220)

    def test_an_absent_broker_is_waited_for_and_said(self):
        self.port = free_port()
        done = self.edgewise("mqtt", "bench", "--broker", self.address(), "--wait", "300ms")
        self.assertEqual(done.code, 3)
        self.assert_one_sentence(done.stderr, "no broker answers", self.address(), "Connection refused", "--broker")
        self.assert_nothing_left()

    def test_a_broker_that_comes_late_is_found(self):
        self.port = free_port()
        process = self.start("mqtt", "bench", "--json", "--broker", self.address(), "--wait", "60s", "--messages", 5)
        wait_until(lambda: processes_with(f"EDGEWISE_HOME={self.home}"), "its start")
        self.broker(port=self.port)
        stdout, stderr = process.communicate(timeout=PATIENCE_S)
        self.assertEqual(process.returncode, 0, stderr)
        self.assertEqual(json.loads(stdout)["cells"][0]["messages"]["lost"], 0)

    def test_wrong_credentials_are_said_and_right_ones_are_kept_secret(self):
        passwords = self.scratch / "passwords"
        passwords.write_text("")
        subprocess.run(["mosquitto_passwd", "-b", passwords, "me", "secret-of-mine"], check=True,
                       stderr=subprocess.DEVNULL)
        passwords.chmod(0o644)
        self.broker("allow_anonymous false", f"password_file {passwords}")
        arguments = ["mqtt", "bench", "--json", "--broker", self.address(), "--messages", 5]
        nobody = self.edgewise(*arguments)
        self.assertEqual(nobody.code, 3)
        self.assert_one_sentence(nobody.stderr, "refuses", "--user")
        self.environment["EDGEWISE_MQTT_PASSWORD"] = "wrong"
        wrong = self.edgewise(*arguments, "--user", "me")
        self.assertEqual(wrong.code, 3)
        self.assert_one_sentence(wrong.stderr, "refuses user me", "EDGEWISE_MQTT_PASSWORD")
        self.environment["EDGEWISE_MQTT_PASSWORD"] = "secret-of-mine"
        right = self.edgewise(*arguments, "--user", "me")
        self.assertEqual(right.code, 0, right.stderr)
        del self.environment["EDGEWISE_MQTT_PASSWORD"]
        (self.scratch / "pw").write_text("secret-of-mine\n")
        by_file = self.edgewise(*arguments, "--user", "me", "--password-file", self.scratch / "pw")
        self.assertEqual(by_file.code, 0, by_file.stderr)
        for path in self.home.rglob("*"):
            if path.is_file():
                self.assertNotIn(b"secret-of-mine", path.read_bytes(), path)

    def test_a_payload_above_the_brokers_limit_is_said(self):
        self.broker("allow_anonymous true", "message_size_limit 2000")
        for qos in (0, 1):
            done = self.edgewise("mqtt", "bench", "--broker", self.address(), "--qos", qos, "--payload", "4KiB",
                                 "--messages", 5)
            self.assertEqual(done.code, 2, done.stderr)
            self.assert_one_sentence(done.stderr, "4096 bytes", "message_size_limit", "--payload")

    def test_foreign_messages_are_counted_and_ignored(self):
        self.broker()
        process = self.start("mqtt", "bench", "--json", "--broker", self.address(), "--rate", 50, "--messages", 60)
        listener = self.subscribe("lab/e2e/processed", 1000)
        for _ in range(10):
            listener.stdout.readline()
        for text in ("hello", "{}", json.dumps({"id": 1, "t_pub_ns": time.time_ns()}), "EWMQ"):
            self.publish("lab/e2e", text)
            self.publish("lab/e2e/processed", text)
        stdout, stderr = process.communicate(timeout=PATIENCE_S)
        self.assertEqual(process.returncode, 0, stderr)
        [cell] = json.loads(stdout)["cells"]
        self.assertEqual((cell["messages"]["received"], cell["messages"]["lost"]), (60, 0))
        self.assertEqual(cell["messages"]["foreign"], 8)

    def test_a_program_that_dies_is_said_and_what_it_lost_is_counted(self):
        done = self.edgewise("mqtt", "bench", "--json", "--broker", "auto", "--rate", 50, "--messages", 500, "--warm-up",
                             0, "--", *program("task", "leaves", 8))
        self.assertEqual(done.code, 1, done.stderr)
        self.assert_one_sentence(done.stderr, "task", "exit code 3")
        messages = json.loads(done.stdout)["cells"][0]["messages"]
        self.assertLess(messages["sent"], 500)
        self.assertEqual(messages["lost"], messages["sent"] - messages["received"])
        self.assert_nothing_left()

    def test_a_processor_slower_than_the_producer_drops_the_newest_and_says_so(self):
        result = self.bench("--broker", "auto", "--rate", 200, "--messages", 100, "--queue", 5, "--qos", 1, "--",
                            *program("task", "steady", 20_000))
        [cell] = result["cells"]
        messages = cell["messages"]
        self.assertGreater(messages["dropped"], 0)
        self.assertEqual(messages["lost"], messages["dropped"])
        self.assertTrue(any("full queue" in sentence for sentence in result["advice"]), result["advice"])

    def test_tls_with_an_authority_of_its_own(self):
        folder = self.scratch

        def openssl(*words):
            subprocess.run(["openssl", *words], check=True, cwd=folder, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)

        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=Test CA", "-keyout", "ca.key", "-out", "ca.pem")
        openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=localhost",
                "-keyout", "server.key", "-out", "server.csr")
        (folder / "names").write_text("subjectAltName=DNS:localhost")
        openssl("x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2",
                "-extfile", "names", "-out", "server.pem")
        for name in ("server.key", "server.pem", "ca.pem"):
            (folder / name).chmod(0o644)
        self.broker("allow_anonymous true", f"cafile {folder}/ca.pem", f"certfile {folder}/server.pem",
                    f"keyfile {folder}/server.key")
        address = f"mqtts://localhost:{self.port}"
        [cell] = self.bench("--broker", address, "--ca", folder / "ca.pem", "--messages", 10)["cells"]
        self.assertEqual((cell["details"]["tls"], cell["messages"]["lost"]), ("yes", 0))
        distrusted = self.edgewise("mqtt", "bench", "--broker", address, "--messages", 5, "--wait", "200ms")
        self.assertEqual(distrusted.code, 3)
        self.assert_one_sentence(distrusted.stderr, "TLS", "--ca")

    def test_nothing_is_left_after_kill_9(self):
        process = self.start("mqtt", "bench", "--broker", "auto", "--rate", 20, "--duration", "60s")
        wait_until(lambda: len(processes_with(f"EDGEWISE_HOME={self.home}")) >= 5, "all roles")
        process.kill()
        process.wait()
        self.assert_nothing_left()

    def test_ctrl_c_keeps_what_was_measured(self):
        self.broker()
        process = self.start("mqtt", "bench", "--json", "--broker", self.address(), "--rate", 50, "--duration", "60s",
                             "--warm-up", 0)
        listener = self.subscribe("lab/e2e/processed", 1000)
        counted = 0
        while counted < 10:
            counted += b"warm_up" not in listener.stdout.readline()
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=PATIENCE_S)
        self.assertEqual(process.returncode, 130, stderr)
        self.assertGreater(self.stages(json.loads(stdout)["cells"][0])["total"]["count"], 0)
        self.assert_nothing_left()

    def test_bad_input_is_one_sentence(self):
        for arguments, words in ((["--qos", "3"], ["--qos"]), (["--payload", "10"], ["--payload", "256"]),
                                 (["--broker", "http://x"], ["HOST:PORT"]), (["--rate", "fast"], ["--rate"]),
                                 (["--impair", "delay=x"], ["--impair"]), (["--compare-impairment"], ["--impair"]),
                                 (["--topic", "a/#"], ["--topic"]), (["--ca", "x"], ["mqtts"]),
                                 (["--per-message"], ["--per-message"])):
            done = self.edgewise("mqtt", "bench", *arguments)
            self.assertEqual(done.code, 2, done.stderr)
            self.assert_one_sentence(done.stderr, *words)
        done = self.edgewise("mqtt", "consume", "--broker", "auto")
        self.assertEqual(done.code, 2)
        self.assert_one_sentence(done.stderr, "--broker auto", "bench")


class ClocksTest(MqttTest):
    def test_a_skewed_clock_of_another_host_is_corrected_within_its_bound(self):
        self.broker()
        common = ["--broker", self.address(), "--qos", 1]
        skewed = {**self.environment, "EDGEWISE_CLOCK_SKEW_NS": "10000000000", "EDGEWISE_CLOCK_DRIFT_PPM": "20"}
        consumer = self.start("mqtt", "consume", *common, "--json", "--run", "abc")
        processor = self.start("mqtt", "process", *common, "--json", "--run", "abc")
        # Until both have subscribed nothing would come.
        wait_until(lambda: self.subscribers() >= 2, "consumer and processor")
        producer = self.edgewise("mqtt", "produce", *common, "--rate", 50, "--messages", 150, "--warm-up", 0, "--run",
                                 "abc", "--json", env=skewed)
        self.assertEqual(producer.code, 0, producer.stderr)
        stdout, stderr = consumer.communicate(timeout=PATIENCE_S)
        self.assertEqual(consumer.returncode, 0, stderr)
        processor.communicate(timeout=PATIENCE_S)
        [cell] = json.loads(stdout)["cells"]
        stages = self.stages(cell)
        self.assertEqual(cell["messages"]["unplaced"], 0)
        self.assertEqual(stages["total"]["count"], 150)
        way = stages["to processor"]
        self.assertGreater(way["bound_ms"], 0)
        # Ten seconds off would show; a busy machine's delays do not reach that.
        self.assertLess(way["p50_ms"]["value"], 5000)
        self.assertIsNone(stages["to consumer"]["bound_ms"], "the same host")

    def subscribers(self):
        """Connections that roles have to the broker."""
        port, established = f":{self.port:04X}", "01"
        rows = [line.split() for line in read_text("/proc/net/tcp").splitlines()[1:]]
        return sum(row[2].endswith(port) and row[3] == established for row in rows)


if __name__ == "__main__":
    unittest.main()

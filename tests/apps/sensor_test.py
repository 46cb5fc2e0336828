"""The sensor app with a real broker on a free port of this machine."""
import json
import subprocess
import unittest

import cv2
import numpy

from broker import INSTALLED, free_port, start_broker
from driving import PATIENCE_S, wait_until
from running import AppTest


@unittest.skipUnless(INSTALLED, "mosquitto and mosquitto-clients are not installed")
class SensorTest(AppTest):
    def setUp(self):
        super().setUp()
        self.port = free_port()
        self.broker = start_broker(self, self.scratch, self.port)

    def address(self):
        return ["--broker", f"tcp://127.0.0.1:{self.port}"]

    def sensor(self, *arguments):
        """Starts it; returns when it listens."""
        process = subprocess.Popen(self.command("sensor", "--json", *self.address(), *arguments),
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment,
                                   cwd=self.scratch)
        self.addCleanup(self.finish, process)
        line = process.stderr.readline()
        self.assertIn(b"listening to", line)
        return process

    def outcome(self, process, stderr_of_libraries=b""):
        stdout, stderr = process.communicate(timeout=PATIENCE_S)
        self.assertEqual(process.returncode, 0, stderr)
        self.assertIn(stderr.strip(), (b"", stderr_of_libraries))
        return json.loads(stdout)

    def publish(self, payload, topic="edgewise/input"):
        subprocess.run(["mosquitto_pub", "-h", "127.0.0.1", "-p", str(self.port), "-q", "1", "-t", topic, "-s"],
                       input=payload, check=True, timeout=PATIENCE_S)

    def answers(self, count):
        """Starts to collect answers; returns when subscribed."""
        process = subprocess.Popen(
            ["mosquitto_sub", "-h", "127.0.0.1", "-p", str(self.port), "-q", "1", "-C", str(count), "-W",
             str(PATIENCE_S), "-t", "edgewise/answers", "-t", "subscribed"], stdout=subprocess.PIPE)
        self.addCleanup(self.finish, process)
        # A retained message is the first that a new subscriber gets.
        self.assertEqual(process.stdout.readline(), b"yes\n")
        return process

    def announce(self):
        subprocess.run(["mosquitto_pub", "-h", "127.0.0.1", "-p", str(self.port), "-r", "-t", "subscribed", "-m", "yes"],
                       check=True, timeout=PATIENCE_S)

    def test_messages_are_worked_on_and_answered(self):
        self.announce()
        listener = self.answers(4)
        process = self.sensor("--app", "audio", "--items", 3)
        sound = (1000 * numpy.sin(numpy.arange(16000) / 5)).astype("<i2").tobytes()
        for payload in (b"7", sound, b"7"):
            self.publish(payload)
        stdout, _ = listener.communicate(timeout=PATIENCE_S)
        answers = [json.loads(line) for line in stdout.splitlines()]
        self.assertEqual([answer["index"] for answer in answers], [0, 1, 2])
        self.assertEqual(answers[0]["checksum"], answers[2]["checksum"])
        self.assertNotEqual(answers[0]["checksum"], answers[1]["checksum"])
        result = self.outcome(process)
        self.assertEqual((result["items"], result["rejected"], result["dropped"]), (3, 0, 0))

    def test_pictures_come_in_messages(self):
        _, picture = cv2.imencode(".png", numpy.full((64, 64, 3), 90, numpy.uint8))
        for arguments in (["--app", "image"], ["--app", "dl", "--model", "mlp"]):
            with self.subTest(arguments=arguments):
                process = self.sensor(*arguments, "--items", 2)
                self.publish(picture.tobytes())
                self.publish(b"3")
                self.assertEqual(self.outcome(process)["items"], 2)

    def test_a_message_that_cannot_be_read_is_answered_with_why(self):
        self.announce()
        listener = self.answers(4)
        process = self.sensor("--app", "image", "--items", 3)
        _, picture = cv2.imencode(".png", numpy.full((64, 64, 3), 90, numpy.uint8))
        self.publish(b"not a picture")
        self.publish(picture.tobytes()[:40])
        self.publish(b"1")
        stdout, _ = listener.communicate(timeout=PATIENCE_S)
        bad, cut, good = [json.loads(line) for line in stdout.splitlines()]
        self.assertIn("picture", bad["error"])
        self.assertIn("error", cut)
        self.assertIn("checksum", good)
        result = self.outcome(process, b"libpng error: PNG input buffer is incomplete")
        self.assertEqual((result["items"], result["rejected"]), (1, 2))

    def test_it_feeds_itself_at_a_rate(self):
        run, spans = self.measured("sensor", *self.address(), "--app", "spin", "--work", "10ms", "--rate", 500,
                                   "--items", 20)
        # As with other apps: the last one waits for those before it.
        self.assertGreater(spans["message"]["max_ms"], 140)
        for name in ("message", "spin", "publish"):
            self.assertEqual(spans[name]["count"], 20)
        self.assertIn("20 items", run["output_tail"])

    def test_what_is_fed_depends_on_the_seed(self):
        first, again, other = (self.outcome(self.sensor("--app", "audio", "--arrivals", "at-once", "--items", 5,
                                                        "--seed", seed))["checksum"] for seed in (1, 1, 2))
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)

    def test_deadlines_count_from_arrival(self):
        process = self.sensor("--app", "spin", "--work", "20ms", "--deadline", "1ms", "--items", 1)
        self.publish(b"1")
        self.assertEqual(self.outcome(process)["deadline_misses"], 1)

    def test_it_survives_a_broker_that_restarts(self):
        process = self.sensor("--app", "spin", "--work", "1ms", "--items", 1)
        self.finish(self.broker)
        start_broker(self, self.scratch, self.port)
        self.announce_until_it_ends(process)
        self.assertEqual(self.outcome(process)["items"], 1)

    def announce_until_it_ends(self, process):
        """Nobody says when it has subscribed again: publishes until it ends."""
        def ended():
            if process.poll() is None:
                self.publish(b"1")
            return process.poll() is not None
        wait_until(ended, "the sensor to get a message")


class NoBrokerTest(AppTest):
    def test_no_broker_is_named(self):
        address = f"tcp://127.0.0.1:{free_port()}"
        self.refused("sensor", "--broker", address, "--app", "audio", code=3, words=[address, "mosquitto"])

    def test_an_address_that_is_none_is_refused(self):
        self.refused("sensor", "--broker", "somewhere", "--app", "audio", words=["--broker", "tcp://HOST:PORT"])

    def test_answers_need_a_topic_of_their_own(self):
        self.refused("sensor", "--topic", "a", "--answers", "a", words=["--answers"])


if __name__ == "__main__":
    unittest.main()

"""`network` of an app file on a real container: what leaves it takes the delay and the rate, and nothing stays.

Needs a kernel with netem and containers with a network of their own: the virtual machine of `script/test --vm` has both.
"""
import os
import pathlib
import re
import shutil
import socket
import subprocess
import threading
import unittest

import images
from app_files_test import AppTest
from driving import read_text, wait_until

QUESTIONS = 50
UPLOAD_BYTES = 4_000_000
DELAY_S = 0.02
RATE_BYTES_PER_S = 10e6 / 8
# Three moments, on the container's own clock: before, after questions that are answered one by one, after an upload.
SCRIPT = """
cat /proc/uptime
nc $HOST $PORT -e cat
cat /proc/uptime
busybox head -c {bytes} /dev/zero | nc $HOST $PORT
cat /proc/uptime
""".format(bytes=UPLOAD_BYTES)


def kernel_has_netem():
    modprobe = shutil.which("modprobe", path=images.PATHS)
    return "sch_netem" in read_text("/proc/modules") or (modprobe and subprocess.run(
        [modprobe, "--dry-run", "--quiet", "sch_netem"], check=False).returncode == 0)


def links():
    """What a container's network adds to the machine."""
    return {*pathlib.Path("/sys/class/net").glob("veth*"), *pathlib.Path("/run/netns").glob("*")}


class Peer:
    """The other end of the link: asks the first connection, and swallows what the second sends."""

    def __init__(self, test, host="0.0.0.0"):
        self.listener = socket.create_server((host, 0))
        self.port = self.listener.getsockname()[1]
        test.addCleanup(self.listener.close)
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.received = 0
        self.thread.start()

    def serve(self):
        with self.listener.accept()[0] as asked:
            asked.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for _ in range(QUESTIONS):
                asked.sendall(b"?")
                if asked.recv(1) != b"?":
                    return
        with self.listener.accept()[0] as sender:
            while data := sender.recv(1 << 16):
                self.received += len(data)


@unittest.skipUnless(os.geteuid() == 0 and kernel_has_netem(), "needs root and a kernel with netem")
class Network(AppTest):
    def setUp(self):
        super().setUp()
        self.links = links()
        self.gateway = self.engine("network", "inspect", "podman", "--format",
                                   "{{range .Subnets}}{{.Gateway}}{{end}}").strip()

    def app_file(self, script, more, port=0):
        file = self.shell(script, f'env: {{HOST: "{self.gateway}", PORT: "{port}"}}\n{more}')
        file.write_text(file.read_text().replace("engine_args: [--network, none]\n", ""))
        return file

    def measure(self, more):
        """A Run, and how long questions and upload took."""
        peer = Peer(self)
        run = self.run_json(self.app_file(SCRIPT, more, peer.port))
        self.assertEqual((run["exit_code"], peer.received), (0, UPLOAD_BYTES), run["output_tail"])
        moments = [float(line.split()[0]) for line in run["output_tail"].splitlines()]
        return run, moments[1] - moments[0], moments[2] - moments[1]

    def assert_no_queues(self):
        shown = subprocess.run(["/usr/sbin/tc", "qdisc", "show"], capture_output=True, text=True, check=True).stdout
        self.assertNotIn("netem", shown)
        wait_until(lambda: links() <= self.links, "the end of the container's interface and network")

    def test_what_leaves_the_container_takes_the_delay_and_the_rate(self):
        plain, plain_questions_s, plain_upload_s = self.measure("")
        run, questions_s, upload_s = self.measure("network: {rate: 10mbit, delay: 20ms}\n")
        # Never sooner than the link allows, and later than on a machine that may be slow by itself.
        self.assertGreater(questions_s, QUESTIONS * DELAY_S)
        self.assertGreater(questions_s, 1.25 * plain_questions_s)
        self.assertGreater(upload_s, UPLOAD_BYTES / RATE_BYTES_PER_S)
        self.assertGreater(upload_s, 1.25 * plain_upload_s)
        self.assertEqual(run["details"]["network"], "delay=20ms,rate=10mbit")
        self.assertNotIn("network", plain["details"])
        print(f"questions {plain_questions_s:.2f} s, {questions_s:.2f} s with a delay; "
              f"upload {plain_upload_s:.2f} s, {upload_s:.2f} s with a rate")
        self.assert_nothing_left()
        self.assert_no_queues()

    def test_after_kill_9_nothing_of_it_is_left(self):
        process = self.start("run", self.app_file("busybox ip link; sleep 1000", "network: {delay: 20ms}\n"), stdout=-3,
                             stderr=-3)

        def impaired():
            for container in self.engine.containers():
                pid = self.engine("inspect", "--format", "{{.State.Pid}}", container, check=False).strip()
                if re.fullmatch("[1-9][0-9]*", pid):
                    shown = subprocess.run(["nsenter", f"--net=/proc/{pid}/ns/net", "/usr/sbin/tc", "qdisc", "show"],
                                           capture_output=True, text=True, check=False).stdout
                    return "netem" in shown and "delay 20" in shown
            return False
        wait_until(impaired, "the queue")
        process.kill()
        process.wait()
        wait_until(lambda: not self.engine.containers(), "the end of the container")
        self.assert_no_queues()
        # Its mark goes with the next start.
        self.assertEqual(self.edgewise("run", self.shell("true", name="next.yaml")).code, 0)
        self.assert_nothing_left()

    def test_a_network_that_is_the_machines_own_is_refused(self):
        file = self.app_file("true", "engine_args: [--network, host]\nnetwork: {delay: 20ms}\n")
        done = self.edgewise("run", file)
        self.assertEqual(done.code, 2, done.stderr)
        self.assert_one_sentence(done.stderr, "would impair this whole machine")
        self.assert_nothing_left()


if __name__ == "__main__":
    unittest.main()

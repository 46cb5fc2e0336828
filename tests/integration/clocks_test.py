"""Clocks of several hosts: roles in network namespaces of their own, each with its own wrong clock."""
import json
import os
import shutil
import subprocess
import unittest

from driving import EDGEWISE, PATIENCE_S, EdgewiseTest, read_text, wait_until

MOSQUITTO = shutil.which("mosquitto", path="/usr/sbin:/usr/bin")
IP = shutil.which("ip", path="/usr/sbin:/sbin:/usr/bin")
PORT = 1883  # in a namespace of its own every port is free
MESSAGES = 120


def ip(*words):
    return subprocess.run([IP, *words], capture_output=True, text=True)


def why_not():
    """Why hosts cannot be made here; empty if they can."""
    if not MOSQUITTO:
        return "mosquitto is not installed"
    if not IP:
        return "iproute2 is not installed"
    name = f"ew{os.getpid()}probe"
    made = ip("netns", "add", name)
    if made.returncode != 0:
        return f"ip netns add: {made.stderr.strip()}"
    linked = ip("-n", name, "link", "add", "cable0", "type", "veth", "peer", "name", "cable1")
    ip("netns", "del", name)
    return f"ip link add type veth: {linked.stderr.strip()}" if linked.returncode != 0 else ""


UNABLE = why_not()


class Host:
    """A network namespace with an address, and a clock that is wrong."""

    def __init__(self, test, name, skew_ns=0, drift_ppm=0, monotonic_s=0):
        self.test = test
        self.name = f"ew{os.getpid()}{name}"
        self.monotonic_s = monotonic_s
        self.check(ip("netns", "add", self.name))
        test.addCleanup(ip, "netns", "del", self.name)
        self.check(ip("-n", self.name, "link", "set", "lo", "up"))
        self.environment = {**test.environment, "EDGEWISE_HOME": str(test.scratch / name),
                            "EDGEWISE_CLOCK_SKEW_NS": str(skew_ns), "EDGEWISE_CLOCK_DRIFT_PPM": str(drift_ppm)}

    def check(self, done):
        self.test.assertEqual(done.returncode, 0, done.stderr)

    def connect(self, other, network):
        """A cable: this host is .2 of the network, the other .1."""
        self.check(ip("-n", self.name, "link", "add", "cable", "type", "veth", "peer", "name", f"to{network}", "netns",
                      other.name))
        for host, link, last in ((self, "cable", 2), (other, f"to{network}", 1)):
            self.check(ip("-n", host.name, "addr", "add", f"10.88.{network}.{last}/24", "dev", link))
            self.check(ip("-n", host.name, "link", "set", link, "up"))
        self.broker = f"10.88.{network}.1:{PORT}"

    def words(self, *command):
        # Not `ip netns exec`, which hides the cgroups behind a /sys of its own.
        inside = ["nsenter", f"--net=/run/netns/{self.name}"]
        if self.monotonic_s:
            inside += ["unshare", "--time", "--monotonic", str(self.monotonic_s), "--fork", "--kill-child"]
        return [*inside, *map(str, command)]

    def start(self, *command, **options):
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": self.environment, **options}
        process = subprocess.Popen(self.words(*command), stdin=subprocess.DEVNULL, cwd=self.test.scratch, **options)
        self.test.addCleanup(self.test.finish, process)
        return process

    def role(self, name, *options):
        return self.start(EDGEWISE, "mqtt", name, "--broker", self.broker, "--qos", 1, "--json", "--run", "abc", *options)


@unittest.skipIf(UNABLE, UNABLE)
class ClocksTest(EdgewiseTest):
    def start_broker(self):
        host = Host(self, "broker")
        configuration = self.scratch / "mosquitto.conf"
        configuration.write_text(f"listener {PORT} 0.0.0.0\nallow_anonymous true\nset_tcp_nodelay true\n"
                                 "log_dest stderr\nlog_type subscribe\n" + ("user root\n" if os.geteuid() == 0 else ""))
        self.log = self.scratch / "broker.log"
        with open(self.log, "wb") as log:
            host.start(MOSQUITTO, "-c", configuration, stdout=log, stderr=log)
        wait_until(lambda: subprocess.run(host.words("ss", "-ltn", f"sport = {PORT}"), capture_output=True,
                                          text=True).stdout.count("LISTEN"), "the broker")
        return host

    def measure(self, produces, processes, consumes):
        """The consumer's account of one run, stages by name."""
        consumer = consumes.role("consume")
        processor = processes.role("process")
        for topic in ("lab/e2e\n", "lab/e2e/processed\n"):
            wait_until(lambda: topic in read_text(self.log), "subscription to " + topic)
        producer = produces.role("produce", "--rate", 60, "--messages", MESSAGES, "--warm-up", 0)
        output = {}
        for name, process in (("producer", producer), ("consumer", consumer), ("processor", processor)):
            stdout, stderr = process.communicate(timeout=PATIENCE_S)
            self.assertEqual(process.returncode, 0, (name, stderr))
            output[name] = stdout
        result = json.loads(output["consumer"])
        [cell] = result["cells"]
        self.assertEqual(cell["messages"]["received"], MESSAGES)
        # Times below zero are within the clocks' error, or the estimate is wrong.
        self.assertFalse([each for each in result["advice"] if "more than" in each and "clocks" in each], result["advice"])
        return cell, {stage["name"]: stage for stage in cell["stages"]}

    def test_the_ways_to_a_host_with_a_wrong_clock_and_back_are_within_their_bounds(self):
        broker = self.start_broker()
        here = Host(self, "here")
        there = Host(self, "there", skew_ns=7_000_000_000, drift_ppm=80, monotonic_s=5_000_000)
        here.connect(broker, 1)
        there.connect(broker, 2)
        cell, stages = self.measure(here, there, here)
        self.assertEqual(cell["messages"]["unplaced"], 0)
        # Producer and consumer share a clock, so the total is exact, and no part of it can be longer.
        total = stages["total"]
        self.assertIsNone(total["bound_ms"])
        for name in ("to processor", "to consumer"):
            stage = stages[name]
            self.assertEqual(stage["count"], MESSAGES)
            # Half a round trip of some milliseconds, not seconds.
            self.assertGreater(stage["bound_ms"], 0)
            self.assertLess(stage["bound_ms"], 500)
            self.assertLessEqual(stage["max_ms"], total["max_ms"] + stage["bound_ms"])
        # Within one host nothing is uncertain.
        self.assertIsNone(stages["work"]["bound_ms"])

    def test_three_hosts_with_three_clocks(self):
        broker = self.start_broker()
        hosts = [Host(self, "first", skew_ns=-3_600_000_000_000), Host(self, "second", skew_ns=250_000_000, drift_ppm=-150),
                 Host(self, "third", drift_ppm=40, monotonic_s=-50)]
        for number, host in enumerate(hosts, 1):
            host.connect(broker, number)
        cell, stages = self.measure(*hosts)
        self.assertEqual(cell["messages"]["unplaced"], 0)
        for name in ("to processor", "to consumer", "total"):
            stage = stages[name]
            self.assertGreater(stage["bound_ms"], 0)
            self.assertLess(stage["bound_ms"], 1000)
            # Clocks an hour apart would show.
            self.assertLess(stage["max_ms"], 60_000)


unittest.main()

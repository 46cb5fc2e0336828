"""edgewise agent and those who mean it no good, or have bad luck."""
import array
import fcntl
import json
import os
import signal
import socket
import struct
import unittest

from driving import wait_until
from live import AgentTest, metric

HELLO = struct.Struct("<QIIIiiI5Q64s")
MAGIC = 0x6573697765676465
SHRINK, GROW, SEAL = 2, 4, 1


class HostileTest(AgentTest):
    def connect(self):
        client = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.addCleanup(client.close)
        client.connect(str(self.socket))
        return client

    @staticmethod
    def say_hello(client, memory, ring_bytes=4096, slots=1):
        hello = HELLO.pack(MAGIC, 2, slots, ring_bytes, os.getpid(), os.getpid(), 0, 0, 0, 0, 0, 0, b"liar")
        client.sendmsg([hello], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [memory]))])

    def assert_cut_off(self, client):
        client.settimeout(60)
        self.assertEqual(client.recv(1), b"")

    def test_liars_are_cut_off_and_others_are_served(self):
        self.agent("--no-http")
        self.app(50)
        self.wait_for_app("paced")
        rubbish = self.connect()
        rubbish.send(b"x" * 5000)
        self.assert_cut_off(rubbish)
        # Says that its rings are larger than they are; could still shrink them.
        for bytes_said, seals in ((1 << 24, SHRINK | GROW | SEAL), (4096, 0)):
            memory = os.memfd_create("liar", os.MFD_ALLOW_SEALING)
            os.ftruncate(memory, 1 << 19)
            if seals:
                fcntl.fcntl(memory, 1033, seals)
            liar = self.connect()
            self.say_hello(liar, memory, bytes_said)
            os.close(memory)
            self.assert_cut_off(liar)
        before = self.wait_for_app("paced", lambda app: metric(app, "frame"))
        self.wait_for_app("paced", lambda app: metric(app, "frame")["count"] > metric(before, "frame")["count"])
        self.assertEqual([app["app"] for app in self.apps()], ["paced"])
        self.assertGreaterEqual(self.top()["agent"]["refused_clients"], 3)

    def test_one_process_cannot_take_all_connections(self):
        self.agent("--no-http")
        clients = [self.connect() for _ in range(12)]
        wait_until(lambda: self.top()["agent"]["refused_clients"] >= 4, "four to be turned away")
        self.app(50)
        self.wait_for_app("paced")
        # Those that never speak are cut off after some seconds.
        self.assert_cut_off(clients[0])

    def test_an_app_that_floods_does_not_keep_others_waiting(self):
        self.agent("--no-http")
        self.app("endless", name="spans", env={"EDGEWISE_RING_BYTES": "4096"})
        self.app(50)
        flood = self.wait_for_app("spans", lambda app: app["records"] > 10000, "to flood")
        paced = self.wait_for_app("paced", lambda app: metric(app, "frame"))
        self.wait_for_app("paced", lambda app: metric(app, "frame")["count"] > metric(paced, "frame")["count"] + 10)
        self.assertTrue(flood["alive"])
        self.assertEqual(self.wait_for_app("paced")["records_dropped"], 0)

    def test_without_descriptors_newcomers_are_turned_away_and_the_rest_goes_on(self):
        agent = self.agent("--no-http", prefix=("prlimit", "--nofile=40:40"))
        apps = [self.app(20) for _ in range(16)]
        wait_until(lambda: self.refused(), "some to be turned away")
        ticks = self.cpu_ticks(agent.pid)
        for app in apps[4:]:
            app.kill()
            app.wait()
        wait_until(lambda: self.alive_apps() >= 1, "those that fitted")
        # It did not spin meanwhile: that would be hundreds of ticks.
        self.assertLess(self.cpu_ticks(agent.pid) - ticks, 200)
        self.assertIsNone(agent.poll())

    def refused(self):
        # The control socket needs a descriptor, too; ask again until it has one.
        done = self.edgewise("top", "--json", "--socket", self.socket)
        return done.code == 0 and json.loads(done.stdout)["agent"]["refused_clients"] > 0

    def alive_apps(self):
        done = self.edgewise("top", "--json", "--socket", self.socket)
        return sum(app["alive"] for app in json.loads(done.stdout)["apps"]) if done.code == 0 else 0

    @staticmethod
    def cpu_ticks(pid):
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        return int(fields[11]) + int(fields[12])

    def test_a_killed_agent_leaves_nothing_that_stops_the_next(self):
        waggle = self.scratch / "waggle.sock"
        first = self.agent("--waggle-socket", waggle)
        first.send_signal(signal.SIGKILL)
        first.wait()
        self.assertTrue(self.socket.exists())
        self.end(self.agent("--waggle-socket", waggle))
        self.assertFalse(waggle.exists())

    def test_waggle_clients_without_end_are_cut_off(self):
        waggle = self.scratch / "waggle.sock"
        self.agent("--no-http", "--waggle-socket", waggle)
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(waggle))
            client.settimeout(60)
            with self.assertRaises(OSError):
                while True:
                    client.sendall(b"x" * 65536)
        self.assertGreaterEqual(self.top()["agent"]["refused_clients"], 1)


if __name__ == "__main__":
    unittest.main()

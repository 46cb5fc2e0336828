"""`edgewise impair` between real TCP peers."""
import contextlib
import json
import signal
import socket
import threading
import time
import unittest

from driving import PATIENCE_S, EdgewiseTest


class EchoServer:
    """Sends back what it gets, a thread for each connection, until closed."""

    def __init__(self):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                threading.Thread(target=self.echo, args=(client,), daemon=True).start()

    @staticmethod
    def echo(client):
        with contextlib.suppress(OSError), client:
            while data := client.recv(65536):
                client.sendall(data)

    def close(self):
        # Closing alone does not end a thread that waits in accept.
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


def receive(client, count):
    data = b""
    while len(data) < count:
        part = client.recv(count - len(data))
        if not part:
            break
        data += part
    return data


class ImpairTest(EdgewiseTest):
    def setUp(self):
        super().setUp()
        self.server = EchoServer()
        self.addCleanup(self.server.close)

    def impair(self, what, *more):
        """Starts it; returns the process and what it said at the start."""
        process = self.start("impair", "--to", f"127.0.0.1:{self.server.port}", "--impair", what, "--json", *more)
        return process, json.loads(process.stdout.readline())

    def connect(self, port):
        client = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
        self.addCleanup(client.close)
        return client

    def stop(self, process, number=signal.SIGINT):
        process.send_signal(number)
        stdout, stderr = process.communicate(timeout=PATIENCE_S)
        self.assertEqual(process.returncode, 0, stderr)
        ended = json.loads(stdout)
        self.assertEqual(ended["event"], "ended")
        return ended["counts"]

    def test_messages_come_late_and_the_counts_say_so(self):
        process, said = self.impair("delay=20ms", "--means", "proxy")
        self.assertEqual((said["event"], said["impairment"], said["means"]), ("listening", "delay=20ms", "proxy"))
        client = self.connect(said["port"])
        client.sendall(b"first")
        self.assertEqual(receive(client, 5), b"first")
        start = time.monotonic()
        client.sendall(b"second")
        self.assertEqual(receive(client, 6), b"second")
        self.assertGreaterEqual(time.monotonic() - start, 0.04)
        counts = self.stop(process)
        self.assertEqual((counts["connections"], counts["bytes_to_server"], counts["bytes_to_clients"]), (1, 11, 11))
        self.assertGreaterEqual(counts["added_delay_p50_ns"], 20e6 * 0.99)
        self.assertIsNone(counts["lost_segments"])
        self.assert_nothing_left()

    def test_the_best_means_there_are_and_why(self):
        process, said = self.impair("delay=1ms,loss=1%")
        if said["means"] == "proxy":
            self.assertRegex(said["description"], "because (this kernel has no netem|netem needs root)")
            self.assertIn("modelled", said["description"])
        client = self.connect(said["port"])
        client.sendall(b"x" * 100_000)
        self.assertEqual(len(receive(client, 100_000)), 100_000)
        counts = self.stop(process, signal.SIGTERM)
        self.assertEqual(counts["means"], said["means"])
        self.assertGreaterEqual(counts["segments"], 2 * 100_000 // 1500)

    def test_text_for_people(self):
        process = self.start("impair", "--to", f"127.0.0.1:{self.server.port}", "--impair", "none")
        first = process.stdout.readline().decode()
        second = process.stdout.readline().decode()
        self.assertRegex(first, rf"listening on 127\.0\.0\.1:\d+, which leads to 127\.0\.0\.1:{self.server.port} with none")
        process.send_signal(signal.SIGINT)
        rest = process.communicate(timeout=PATIENCE_S)[0].decode()
        self.assertEqual(process.returncode, 0)
        self.assertIn("by a TCP proxy in user space", second)
        self.assertRegex(rest, r"connections +0")
        self.assertRegex(rest, r"segments lost +--")

    def test_a_half_closed_connection_passes_through(self):
        process, said = self.impair("delay=2ms", "--means", "proxy")
        client = self.connect(said["port"])
        client.sendall(b"question")
        client.shutdown(socket.SHUT_WR)
        self.assertEqual(receive(client, 100), b"question")
        self.stop(process)

    def test_disconnects_are_resets_and_reconnecting_works(self):
        process, said = self.impair("disconnect=every:100ms")
        for _ in range(3):
            # At just the wrong moment already the first step fails.
            with self.assertRaises((ConnectionResetError, BrokenPipeError)):
                client = self.connect(said["port"])
                client.sendall(b"x")
                while client.recv(1):
                    pass
        self.assertGreaterEqual(self.stop(process)["disconnects"], 1)

    def test_an_absent_server_is_counted_and_named(self):
        process, said = self.impair("none")
        self.server.close()
        with self.assertRaises(ConnectionResetError):  # maybe before connect() returns
            self.connect(said["port"]).recv(1)
        counts = self.stop(process)
        self.assertEqual((counts["connections"], counts["server_failures"]), (0, 1))
        self.assertIn(f"127.0.0.1:{self.server.port}", counts["last_server_error"])

    def test_when_it_is_killed_both_sides_notice_and_nothing_is_left(self):
        process, said = self.impair("delay=50ms")
        client = self.connect(said["port"])
        client.sendall(b"x")
        self.assertEqual(receive(client, 1), b"x")
        process.kill()
        with contextlib.suppress(ConnectionResetError):
            self.assertEqual(client.recv(1), b"")
        self.assert_nothing_left()
        again, said_again = self.impair("none", "--listen", str(said["port"]))
        self.assertEqual(said_again["port"], said["port"])
        self.stop(again)

    def test_the_duration_ends_it(self):
        done = self.edgewise("impair", "--to", f"127.0.0.1:{self.server.port}", "--impair", "none", "--duration", "50ms")
        self.assertEqual(done.code, 0, done.stderr)

    def test_an_interface_is_as_before_afterwards_or_the_reason_is_told(self):
        # Only the VM has netem for sure: tests/vm/checks.
        done = self.edgewise("impair", "--interface", "lo", "--impair", "delay=1ms", "--duration", "50ms")
        self.assertEqual(done.code, 2, done.stdout)
        self.assert_one_sentence(done.stderr, "lo is the loopback of this machine", "name another interface")
        self.assert_nothing_left()

    def test_bad_input_says_what_to_do(self):
        to = f"127.0.0.1:{self.server.port}"
        for words, hint in [
                (["--to", to], "--impair"),
                (["--impair", "none"], "--to HOST:PORT"),
                (["--impair", "dealy=40ms", "--to", to], "did you mean delay?"),
                (["--impair", "delay=40", "--to", to], "delay=40ms"),
                (["--impair", "none", "--to", "localhost"], "--to: \"localhost\" is not an address"),
                (["--impair", "none", "--to", "nosuchhost.invalid:1"], "there is no host"),
                (["--impair", "none", "--to", to, "--listen", "70000"], "--listen"),
                (["--impair", "none", "--to", to, "--means", "netm"], "did you mean netem?"),
                (["--impair", "none", "--to", to, "--duration", "soon"], "--duration"),
                (["--impair", "none", "--to", to, "--interface", "eth0"], "--interface"),
                (["--impair", "delay=1ms", "--interface", "nosuch0"], "choose from"),
                (["--impair", "disconnect=every:1s", "--interface", "nosuch0"], "cannot disconnect"),
        ]:
            done = self.edgewise("impair", *words)
            self.assertEqual(done.code, 2, (words, done))
            self.assert_one_sentence(done.stderr, hint)
            self.assertEqual(done.stdout, "")

    def test_a_port_that_is_taken(self):
        done = self.edgewise("impair", "--to", "127.0.0.1:1", "--impair", "none", "--listen", self.server.port)
        self.assertEqual(done.code, 3)
        self.assert_one_sentence(done.stderr, "choose another port")


unittest.main()

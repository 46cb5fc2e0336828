"""A collector for a test: what a program sends, as lists of fields."""

import os
import subprocess
import tempfile


class RingDump:
    """Listens while the block runs; `events` are there when it has ended."""

    def __enter__(self):
        self._folder = tempfile.TemporaryDirectory()
        self.socket = os.path.join(self._folder.name, "socket")
        self._process = subprocess.Popen(
            [os.environ["EDGEWISE_RING_DUMP"], self.socket],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout.readline() == "ready\n"
        return self

    def __exit__(self, *exception):
        output, _ = self._process.communicate()
        self.events = [line.split("\t") for line in output.splitlines()]
        self._folder.cleanup()

    def of_kind(self, kind):
        return [event for event in self.events if event[0] == kind]

    def spans(self, name):
        return [event for event in self.of_kind("span") if event[2] == name]


def run_python(code, socket=None, folder=None, **environment):
    """Runs a program of its own, and returns the finished process."""
    variables = dict(os.environ, **environment)
    variables["EDGEWISE_SOCKET"] = socket or "/nonexistent/socket"
    return subprocess.run(
        ["/usr/bin/python3", "-c", code],
        cwd=folder,
        env=variables,
        text=True,
        capture_output=True,
        timeout=60,
    )

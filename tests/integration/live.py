"""A real agent of a test's own, with apps that connect to it."""
import json
import re
import signal
import subprocess
import urllib.request

from driving import EDGEWISE, PROGRAMS, EdgewiseTest, wait_until


class AgentTest(EdgewiseTest):
    def setUp(self):
        super().setUp()
        self.socket = self.scratch / "run" / "agent.sock"
        self.app_environment = {**self.environment, "EDGEWISE_SOCKET": str(self.socket)}

    def agent(self, *options, env=None, prefix=()):
        """Starts an agent on a free port and waits until it listens."""
        process = subprocess.Popen(
            [*prefix, EDGEWISE, "agent", "--socket", self.socket, "--port", "0", *map(str, options)],
            env=env or self.environment, cwd=self.scratch, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.finish, process)
        line = process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        self.assertTrue(found or "--no-http" in options, line)
        if found:
            process.port = int(found[1])
            process.url = f"http://127.0.0.1:{process.port}"
        return process

    def app(self, *arguments, env=None, name="paced"):
        process = subprocess.Popen([PROGRAMS / name, *map(str, arguments)], env={**self.app_environment, **(env or {})},
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(self.finish, process)
        return process

    def end(self, process):
        """Ends an agent in order; it must say that all is well."""
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=60), 0)

    def top(self):
        done = self.edgewise("top", "--json", "--socket", self.socket)
        self.assertEqual(done.code, 0, done.stderr)
        return json.loads(done.stdout)

    def apps(self):
        return self.top()["apps"]

    def wait_for_app(self, name, condition=lambda app: True, what="to connect"):
        def found():
            return next((app for app in self.apps() if app["app"] == name and condition(app)), None)
        return wait_until(found, f"app {name} {what}")

    @staticmethod
    def get(url, accept=None):
        request = urllib.request.Request(url, headers={"Accept": accept} if accept else {})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.read().decode(), answer.headers


def metric(app, name):
    """A metric of an app as JSON; None if it has none of that name."""
    return next((each for each in app["metrics"] if each["name"] == name), None)


def sample(text, name, **labels):
    """The value of the first sample with that name and at least these labels; None if there is none."""
    for line in text.splitlines():
        head, _, value = line.rpartition(" ")
        if (head == name or head.startswith(name + "{")) and all(f'{key}="{value_}"' in head for key, value_ in labels.items()):
            return float(value)
    return None

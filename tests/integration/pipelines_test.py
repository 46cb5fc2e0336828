"""The pipelines under integrations/: their own commands, taken from the files, with a real server and store."""
import pathlib
import re
import subprocess
import textwrap
import unittest

from driving import EDGEWISE, PATIENCE_S, SOURCE, EdgewiseTest, program
from serving import Served

# What the released version is, and one whose frames take longer.
STEADY = program("spans", "steady", 300)
SLOW = program("spans", "slow", 300)


def workflow_steps():
    """The shell steps of the GitHub workflow, by name."""
    text = (SOURCE / "integrations/github/performance.yml").read_text()
    return {name: textwrap.dedent(lines)
            for name, lines in re.findall(r"- name: (.*)\n +run: \|\n((?: {10}.*\n)+)", text)}


def jenkins_steps():
    """The shell steps of the Jenkinsfile, in order, as Groovy hands them to a shell."""
    text = (SOURCE / "integrations/Jenkinsfile").read_text()
    return [textwrap.dedent(lines).replace("\\\\", "\\") for lines in re.findall(r"sh '''\n(.*?)'''", text, re.DOTALL)]


class Pipeline(EdgewiseTest):
    def setUp(self):
        super().setUp()
        (self.scratch / "bin").mkdir()
        (self.scratch / "bin/edgewise").symlink_to(EDGEWISE)
        self.environment["PATH"] = f"{self.scratch}/bin:" + self.environment["PATH"]

    def shell(self, step, **environment):
        """One step as a runner does it: the first command that fails ends it."""
        return subprocess.run(["bash", "-eo", "pipefail", "-c", step], cwd=self.scratch, capture_output=True, text=True,
                              env={**self.environment, **environment}, timeout=PATIENCE_S, check=False)

    def passes(self, step, **environment):
        done = self.shell(step, **environment)
        self.assertEqual(done.returncode, 0, step + done.stdout + done.stderr)

    def version(self, folder, command):
        """A version of an app: a program that takes --benchmark, made by make."""
        folder = self.scratch / folder
        folder.mkdir(parents=True, exist_ok=True)
        source = folder / "app.sh"
        source.write_text("#!/bin/sh\n[ \"$1\" = --benchmark ] || exit 9\nexec " + " ".join(command) + "\n")
        (folder / "Makefile").write_text("app: app.sh\n\tinstall -m 755 app.sh app\n")
        return folder


class Workflow(Pipeline):
    def gate(self, before, after):
        """The gate's outcome for a new version."""
        steps = workflow_steps()
        self.assertEqual(list(steps), ["Build both", "Measure both in turns", "Gate"])
        self.version("before", before)
        self.version("after", after)
        self.passes(steps["Build both"])
        self.passes(steps["Measure both in turns"])
        return self.shell(steps["Gate"])

    def test_a_slower_version_does_not_pass(self):
        done = self.gate(STEADY, SLOW)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stderr, "step p95 is .* more than 1.1")
        self.assertTrue((self.scratch / "comparison.html").exists())

    def test_a_version_that_is_not_slower_passes(self):
        done = self.gate(SLOW, STEADY)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class Jenkins(Pipeline):
    def test_profiles_on_the_server_and_gates_a_slower_version(self):
        profile, compare = jenkins_steps()
        token = "0123456789abcdef"
        (self.scratch / "token").write_text(token)
        (self.scratch / "token").chmod(0o600)
        served = Served(self, "--allow-commands", "--token-file", self.scratch / "token",
                        env={**self.environment, "EDGEWISE_HOME": str(self.scratch / "server")})
        (self.scratch / "app.yaml").write_text(f"name: app\ncommand: [{', '.join(STEADY)}]\n")
        self.passes(profile, APP_FILE="app.yaml", EDGEWISE_SERVER=f"http://127.0.0.1:{served.port}",
                    EDGEWISE_TOKEN=token)
        fetched = [path.name for path in pathlib.Path(self.scratch / "profile").rglob("*") if path.is_file()]
        self.assertTrue(any(name.endswith(".json") for name in fetched), fetched)
        for folder, command in (("released", STEADY), ("build", SLOW)):
            self.passes(f"make -C {self.version(folder, command)}")
        done = self.shell(compare)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stderr, "step p95 is .* more than 1.1")


if __name__ == "__main__":
    unittest.main()

"""Runs the sample applications, alone or under `edgewise run`."""
import json
import os
import pathlib
import subprocess

from driving import PATIENCE_S, PYTHON, SOURCE, Done, EdgewiseTest, program

MODELS = ("mobilenetv2", "resnet18", "squeezenet", "tiny-yolo", "mlp", "lstm", "transformer", "mobilenetv3", "efficientnet",
          "mobilevit", "bert-small", "bert-tiny")


class AppTest(EdgewiseTest):
    def setUp(self):
        super().setUp()
        self.environment["EDGEWISE_MODELS"] = str(self.scratch / "models")
        self.environment["EDGEWISE_CLIENT_LIB"] = os.environ["EDGEWISE_CLIENT_LIB"]
        self.environment["PYTHONPATH"] = str(SOURCE / "clients/python")
        self.environment["PYTHONDONTWRITEBYTECODE"] = "1"

    @staticmethod
    def command(app, *arguments):
        """`app` is a program, or a Python twin as image.py."""
        if app.endswith(".py"):
            return [PYTHON, str(SOURCE / "apps/python" / app), *map(str, arguments)]
        return program(app, *arguments)

    def app(self, app, *arguments, env=None):
        done = subprocess.run(self.command(app, *arguments), capture_output=True, stdin=subprocess.DEVNULL,
                              env={**self.environment, **(env or {})}, timeout=PATIENCE_S, cwd=self.scratch, check=False)
        return Done(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))

    def sample_model(self, name):
        """The file of a named architecture."""
        done = self.app("models", name, "--output", self.scratch)
        self.assertEqual(done.code, 0, done.stderr)
        return pathlib.Path(done.stdout.strip())

    def result(self, app, *arguments, **options):
        """What the app says with --json; it must succeed and say nothing else."""
        done = self.app(app, "--json", *arguments, **options)
        self.assertEqual((done.code, done.stderr), (0, ""))
        self.assertEqual(done.stdout.count("\n"), 1)
        return json.loads(done.stdout)

    def measured(self, app, *arguments):
        """The Run and its spans by name."""
        run = self.run_json("--", *self.command(app, *arguments))
        return run, {span["name"]: span for span in run["spans"]}

    def refused(self, app, *arguments, code=2, words=(), **options):
        """The app must answer with one sentence that has these words."""
        done = self.app(app, *arguments, **options)
        self.assertEqual(done.code, code, done)
        self.assertEqual(done.stdout, "")
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), 1, done.stderr)
        self.assertTrue(lines[0].startswith(f"{app}: "), done.stderr)
        for word in words:
            self.assertIn(word, lines[0])

"""The same with docker: a daemon of the test's own."""
import os
import shutil
import subprocess
import unittest

import app_files_test
import images
from driving import wait_until

DOCKERD = shutil.which("dockerd", path=images.PATHS)


@unittest.skipUnless(DOCKERD and images.DOCKER and images.BUSYBOX and os.geteuid() == 0,
                     "needs docker, its daemon, a static busybox and root")
class Docker(app_files_test.AppTest):
    @classmethod
    def make_engine(cls):
        folder = cls.storage / "docker"
        folder.mkdir()
        host = f"unix://{folder}/d.sock"
        with open(folder / "log", "wb") as log:
            daemon = subprocess.Popen(
                [DOCKERD, "--data-root", folder / "data", "--exec-root", folder / "exec", "--host", host, "--pidfile",
                 folder / "pid", "--iptables=false", "--ip6tables=false", "--bridge=none", "--storage-driver=vfs"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        cls.addClassCleanup(cls.stop, daemon)
        engine = images.Engine("docker", [images.DOCKER, "--host", host], cls.storage)

        def ready():
            if daemon.poll() is not None:
                raise unittest.SkipTest("docker's daemon does not start here: " + (folder / "log").read_text()[-300:])
            return engine("info", "--format", "{{.ServerVersion}}", check=False).strip()
        wait_until(ready, "docker's daemon")
        return engine

    @staticmethod
    def stop(daemon):
        daemon.terminate()
        daemon.wait()

    def shell(self, script, more="", name="app.yaml"):
        return super().shell(script, more + "engine: docker\n", name)

    def test_a_native_app(self):
        run = self.run_json(self.write("""
            name: burner
            image: localhost/burn:2.1
            args: ["400", "64"]
            engine: docker
            engine_args: [--network, none]
            metrics: [stacks]
            """))
        self.assertEqual((run["exit_code"], run["details"]["engine"]), (0, "docker"))
        self.assertGreater(run["cpu_user_s"] + run["cpu_system_s"], 0.3)
        self.assertGreater(run["tree_peak_bytes"], 60 << 20)
        self.assert_nothing_left()

    def test_spans_and_the_exit_code(self):
        run = self.run_json(self.write("""
            name: reporter
            image: localhost/native:1
            args: [/spans, steady, "50"]
            engine: docker
            engine_args: [--network, none]
            """))
        self.assertEqual({span["name"]: span["count"] for span in run["spans"]}["frame"], 50)
        done = self.edgewise("run", self.shell("echo out; exit 7"))
        self.assertEqual((done.code, done.stdout), (7, "out\n"), done.stderr)

    def test_timeout_and_kill_9_leave_nothing(self):
        run = self.run_json("--grace", "100ms", self.shell(app_files_test.STUBBORN, "timeout: 300ms\n"))
        self.assertEqual((run["end_reason"], run["signal"]), ("duration", 9))
        process = self.start("run", self.shell(app_files_test.STUBBORN), stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
        wait_until(lambda: self.engine("ps", "--quiet", check=False).split(), "the container")
        process.kill()
        process.wait()
        wait_until(lambda: not self.engine.containers(), "the end of the container")
        self.assertEqual(self.edgewise("run", self.shell("true", name="next.yaml")).code, 0)
        self.assert_nothing_left()

    def test_a_companion(self):
        run = self.run_json(self.write("""
            name: viewer
            image: localhost/shell:1
            engine: docker
            args: ["nc 127.0.0.1 8554 < /dev/null"]
            needs:
              - name: playback
                image: localhost/shell:1
                args: ["echo picture | nc -l -p 8554; sleep 1000"]
                engine_args: [--network, none]
                ready: {port: 8554}
            """))
        self.assertEqual(run["output_tail"], "picture\n")
        self.assert_nothing_left()

    def test_an_entrypoint_that_does_not_exist(self):
        done = self.edgewise("run", self.write("name: a\nimage: localhost/native:1\nengine: docker\nargs: [/nowhere]\n"
                                               "engine_args: [--network, none]\n"))
        self.assertEqual(done.code, 2, done.stderr)
        self.assertIn("could not be started", done.stderr)
        self.assert_nothing_left()


if __name__ == "__main__":
    unittest.main()

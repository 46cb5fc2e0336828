"""Jobs with real containers: an image that was handed over, by today's callers and by old ones, and its history."""
import json
import pathlib
import shutil
import signal
import tempfile
import unittest

import images
from driving import EdgewiseTest, wait_until
from serving import Served

YAML = {"Content-Type": "application/yaml"}


class JobsContainerTest(EdgewiseTest):
    @classmethod
    def setUpClass(cls):
        cls.storage = pathlib.Path(tempfile.mkdtemp(prefix="ew-images-", dir="/tmp"))
        cls.addClassCleanup(shutil.rmtree, cls.storage, ignore_errors=True)
        cls.engine = images.podman(cls.storage)
        for version in ("1.0", "1.1"):
            cls.engine.image(f"localhost/counter:{version}", images.add_busybox, 'ENTRYPOINT ["/bin/sh", "-c"]')

    def setUp(self):
        super().setUp()
        self.environment["PATH"] = self.engine.path

    def app(self, version, script):
        path = self.scratch / f"app-{version}.yaml"
        path.write_text(f"name: counter\nimage: localhost/counter:{version}\nargs: [{json.dumps(script)}]\n"
                        "engine_args: [--network, none]\n")
        return path

    def assert_nothing_left(self):
        wait_until(lambda: not self.engine.containers(), "the end of all containers")
        super().assert_nothing_left()

    def test_versions_handed_over_make_a_history(self):
        served = Served(self, "--allow-image", "localhost/*")
        for version in ("1.0", "1.1"):
            done = self.edgewise("submit", self.app(version, "echo counting; sleep 0.2"), "--wait", "--server",
                                 f"http://127.0.0.1:{served.port}")
            self.assertEqual(done.code, 0, done.stderr + done.stdout)
            self.assertIn("counting", done.stdout)
        done = self.edgewise("history", "counter", "--json")
        versions = json.loads(done.stdout)["lines"][0]["versions"]
        self.assertEqual([(each["version"], len(each["runs"])) for each in versions], [("1.0", 1), ("1.1", 1)])
        served.end(signal.SIGTERM)
        self.assert_nothing_left()

    def test_old_callers_image_runs_and_its_arguments_reach_no_shell_of_ours(self):
        served = Served(self, "--allow-image", "localhost/*")
        mark = self.scratch / "mark"
        form = ("app_name=localhost%2Fcounter%3A1.0&app_docker_args=--network+none&"
                f"app_args=%27echo+got+%221%22%27+%3B+touch+{mark}")
        answer = served.ask("POST", "/job/nx/buildWithParameters", form, {"Content-Type": "application/x-www-form-urlencoded"})
        self.assertEqual(answer.status, 201, answer.bytes)
        job = answer.headers["Location"]
        wait_until(lambda: served.get(job).json["state"] in ("done", "failed"), "the end of the job")
        log = served.get(job + "/log").bytes
        self.assertEqual(served.get(job).json["state"], "done", log)
        self.assertIn(b"got 1", log)
        self.assertFalse(mark.exists())

    def test_container_goes_with_a_server_that_is_killed(self):
        served = Served(self, "--allow-image", "localhost/*")
        body = self.app("1.0", "echo begun; sleep 600").read_text()
        job = served.ask("POST", "/api/v1/jobs", body, YAML).json["id"]
        wait_until(lambda: b"begun" in served.get(f"/api/v1/jobs/{job}/log").bytes, "the job to begin")
        self.assertEqual(len(self.engine.containers()), 1)
        served.end(signal.SIGKILL)
        self.assert_nothing_left()
        again = Served(self, "--allow-image", "localhost/*")
        self.assertEqual(again.get(f"/api/v1/jobs/{job}").json["state"], "interrupted")

    def test_missing_image_is_said_in_the_log(self):
        served = Served(self, "--allow-image", "localhost/*")
        done = self.edgewise("submit", self.app("9.9", "true"), "--wait", "--server", f"http://127.0.0.1:{served.port}")
        self.assertNotEqual(done.code, 0)
        self.assertIn("localhost/counter:9.9", done.stdout)


if __name__ == "__main__":
    unittest.main()

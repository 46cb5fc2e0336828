"""`edgewise run app.yaml` on real containers: what is measured, what is refused."""
import json
import os
import pathlib
import shutil
import signal
import tempfile
import textwrap
import unittest

import images
from driving import PROGRAMS, EdgewiseTest, program, wait_until

FAKES = pathlib.Path(os.environ["EDGEWISE_FAKES"])
APPS = pathlib.Path(os.environ.get("EDGEWISE_APPS", ""))
PYTHON_APP = """
import time

def multiply(n):
    total = 0
    for i in range(n):
        total += i * i
    return total

def detect():
    end = time.process_time() + 0.6
    while time.process_time() < end:
        multiply(20000)

detect()
"""
STUBBORN = "trap '' INT TERM; while :; do sleep 1; done"


class AppTest(EdgewiseTest):
    """One storage of images for all tests of a class."""

    @classmethod
    def setUpClass(cls):
        cls.storage = pathlib.Path(tempfile.mkdtemp(prefix="ew-images-", dir="/tmp"))
        cls.addClassCleanup(shutil.rmtree, cls.storage, ignore_errors=True)
        cls.engine = cls.make_engine()
        cls.engine.image("localhost/shell:1", images.add_busybox, 'ENTRYPOINT ["/bin/sh", "-c"]')

        def native(folder):
            for name in ("burn", "spans", "stacks", "tree"):
                images.add_program(folder, PROGRAMS / name)
        cls.engine.image("localhost/burn:2.1", native, 'ENTRYPOINT ["/burn"]')
        cls.engine.image("localhost/native:1", native)

    @classmethod
    def make_engine(cls):
        return images.podman(cls.storage)

    def setUp(self):
        super().setUp()
        self.environment["PATH"] = self.engine.path
        self.environment["XDG_CACHE_HOME"] = str(self.scratch / "cache")

    def write(self, text, name="app.yaml"):
        path = self.scratch / name
        path.write_text(textwrap.dedent(text))
        return path

    def shell(self, script, more="", name="app.yaml"):
        return self.write(f"name: app\nimage: localhost/shell:1\nargs: [{json.dumps(script)}]\n"
                          f"engine_args: [--network, none]\n{more}", name)

    def assert_nothing_left(self):
        wait_until(lambda: not self.engine.containers(), "the end of all containers")
        super().assert_nothing_left()
        marks = self.home / "containers"
        self.assertEqual(list(marks.iterdir()) if marks.exists() else [], [])


class Measured(AppTest):
    @unittest.skipUnless((PROGRAMS / "cuda_like").exists(), "the fake of CUDA is not here")
    def test_work_on_gpus_is_recorded_inside_a_container(self):
        def cuda(folder):
            images.add_program(folder, PROGRAMS / "cuda_like")
            images.add_program(folder, FAKES / "libfake_cupti.so")
        self.engine.image("localhost/cuda:1", cuda, 'ENTRYPOINT ["/cuda_like"]')
        run = self.run_json(self.write("""\
            name: kernels
            image: localhost/cuda:1
            engine_args: [--network, none]
            env: {EDGEWISE_CUPTI: /libfake_cupti.so}
            metrics: [system, gpu-summary]
            """))
        summary = run["gpu"]["summary"]
        self.assertEqual((summary["devices"], summary["kernel_count"]), (["Fake GPU"], 3))
        self.assertEqual(summary["kernels"][0]["name"], "saxpy")

    def test_a_native_app_with_its_own_entrypoint(self):
        run = self.run_json(self.write("""
            name: burner
            image: localhost/burn:2.1
            args: ["400", "64"]
            engine_args: [--network, none]
            """))
        told = json.loads(run["output_tail"])
        cpu_s = told["cpu_user_s"] + told["cpu_system_s"]
        self.assertAlmostEqual(run["cpu_user_s"] + run["cpu_system_s"], cpu_s, delta=0.03 + 0.05 * cpu_s)
        # Samples of a slow machine may miss the last of it.
        self.assertGreater(run["tree_peak_bytes"], 48 << 20)
        self.assertEqual(run["exit_code"], 0)
        details = run["details"]
        self.assertEqual((details["app"], details["version"], details["engine"]), ("burner", "2.1", self.engine.name))
        self.assertTrue(details["image_digest"].startswith("sha256:"), details)
        self.assertEqual(run["label"], "burner")
        self.assert_nothing_left()

    def test_what_the_app_reports_itself_comes_out_of_the_container(self):
        for user in ("0", "1234"):
            with self.subTest(user=user):
                run = self.run_json(self.write(f"""
                    name: reporter
                    image: localhost/native:1
                    args: [/spans, steady, "50"]
                    engine_args: [--network, none, --user, "{user}"]
                    """))
                names = {span["name"]: span for span in run["spans"]}
                self.assertIn("frame", names, run["unavailable"])
                self.assertEqual(names["frame"]["count"], 50)

    def test_stacks_are_resolved_against_the_containers_files(self):
        run = self.run_json(self.write("""
            name: hot
            image: localhost/native:1
            args: [/stacks, "800"]
            engine_args: [--network, none]
            metrics: [system, stacks]
            """))
        self.assertIn("Heavy", json.dumps(run["functions"]), run["unavailable"])

    def test_a_python_app_has_its_own_functions(self):
        def fill(folder):
            images.add_python(folder)
            (folder / "app.py").write_text(PYTHON_APP)
        self.engine.image("localhost/python:1", fill, 'ENTRYPOINT ["/usr/bin/python3", "/app.py"]')
        run = self.run_json(self.write("""
            name: python-app
            image: localhost/python:1
            engine_args: [--network, none]
            metrics: [stacks]
            """))
        self.assertEqual(run["exit_code"], 0, run["output_tail"])
        self.assertIn("multiply", json.dumps(run["functions"]), run["unavailable"])

    def test_an_app_that_forks_is_measured_whole(self):
        run = self.run_json(self.write("""
            name: forker
            image: localhost/native:1
            args: [/tree, waited, "3", "150"]
            engine_args: [--network, none]
            """))
        self.assertGreater(run["cpu_user_s"] + run["cpu_system_s"], 0.4)
        self.assertGreaterEqual(run["max_processes"], 2)

    def test_an_app_that_ignores_signals_is_killed_at_its_timeout(self):
        file = self.shell(STUBBORN, "timeout: 300ms\n")
        run = self.run_json("--grace", "100ms", file)
        self.assertEqual((run["end_reason"], run["signal"]), ("duration", signal.SIGKILL))
        self.assert_nothing_left()

    @unittest.skipUnless((APPS / "audio").exists(), "the sample applications are not built")
    def test_an_audio_app(self):
        self.engine.image("localhost/audio:1", lambda folder: images.add_program(folder, APPS / "audio"),
                          'ENTRYPOINT ["/audio"]')
        run = self.run_json(self.write("""
            name: audio
            image: localhost/audio:1
            args: [--items, "5"]
            engine_args: [--network, none]
            """))
        self.assertEqual(run["exit_code"], 0, run["output_tail"])
        self.assertIn("mfcc", {span["name"] for span in run["spans"]})

    def test_output_is_kept_and_so_is_the_exit_code(self):
        done = self.edgewise("run", self.shell("echo out; echo err >&2; exit 7"))
        self.assertEqual((done.code, done.stdout), (7, "out\n"), done.stderr)
        self.assertIn("err\n", done.stderr)

    def test_what_came_before_it_was_ready_is_warm_up(self):
        run = self.run_json(self.shell("sleep 0.3; echo model loaded; sleep 0.2", "ready: {log: model loaded}\n"))
        self.assertGreater(run["conditions"]["warmup_s"], 0.25)
        self.assertIn("ready_after", run["details"])
        run = self.run_json(self.shell("touch /tmp/up; sleep 1", "ready: {file: /tmp/up}\n"))
        self.assertIn("ready_after", run["details"])

    def test_targets_are_runs_of_their_own_and_make_a_card(self):
        file = self.shell("exit 0", textwrap.dedent("""
            targets:
              - {name: day, args: [echo day]}
              - {name: night, args: [echo night], env: {LIGHT: "off"}}
            """))
        both = self.run_json(file)
        self.assertEqual([run["details"]["target"] for run in both], ["day", "night"])
        self.assertEqual([run["output_tail"] for run in both], ["day\n", "night\n"])
        self.assertEqual(self.run_json("--target", "night", file)["details"]["target"], "night")
        done = self.edgewise("card", "app/day")
        self.assertEqual(done.code, 0, done.stderr)

    def test_a_dataset_is_mounted_read_only_and_named(self):
        folder = self.scratch / "pictures"
        folder.mkdir()
        (folder / "one").write_text("first\n")
        run = self.run_json(self.shell("cat {data}/one; touch {data}/two", "data: pictures\n"), code=1)
        self.assertTrue(run["output_tail"].startswith("first\n"), run["output_tail"])
        self.assertIn("Read-only", run["output_tail"])
        self.assertEqual(len(run["details"]["dataset_digest"]), 64)

    def test_limits_hold(self):
        run = self.run_json(self.write("""
            name: big
            image: localhost/burn:2.1
            args: ["10", "200"]
            engine_args: [--network, none]
            limits: {memory: 64Mi, cpu: 500m, cores: "0"}
            """), code=128 + signal.SIGKILL)
        self.assertEqual(run["end_reason"], "out_of_memory")
        self.assertEqual(run["conditions"]["cpus"], [0])

    def test_a_companion_runs_beside_it_and_is_accounted_apart(self):
        run = self.run_json(self.write("""
            name: viewer
            image: localhost/shell:1
            args: ["nc 127.0.0.1 8554 < /dev/null"]
            needs:
              - name: playback
                image: localhost/shell:1
                args: ["echo picture | nc -l -p 8554; sleep 1000"]
                engine_args: [--network, none]
                ready: {port: 8554}
            """))
        self.assertEqual(run["output_tail"], "picture\n")
        self.assertIn("companion.playback.cpu_s", run["details"])
        self.assert_nothing_left()

    def test_a_command_needs_no_engine(self):
        (self.scratch / "empty").mkdir()
        env = {**self.environment, "PATH": "/nowhere"}
        run = self.run_json(self.write(f"""
            name: plain
            command: {json.dumps(program("burn"))}
            args: ["50", "1"]
            ready: {{seconds: 0}}
            """), env=env)
        self.assertEqual(run["exit_code"], 0)
        self.assertEqual(run["details"]["app"], "plain")

    def test_ctrl_c_leaves_nothing(self):
        process = self.start("run", "--grace", "100ms", self.shell(STUBBORN), stdout=-3, stderr=-3)
        wait_until(lambda: "app" in [run["label"] for run in self.stored()] and self.engine.containers(), "the container")
        process.send_signal(signal.SIGINT)
        process.wait()
        self.assert_nothing_left()


class Refused(AppTest):
    def refused(self, code, file, *words, **options):
        done = self.edgewise("run", file, **options)
        self.assertEqual(done.code, code, done.stderr)
        self.assert_one_sentence(done.stderr, *words)
        self.assert_nothing_left()

    def test_an_image_that_is_not_there(self):
        self.refused(2, self.write("name: a\nimage: localhost/nothing:1\n"), "has no image localhost/nothing:1", "pull")

    def test_no_engine(self):
        self.refused(3, self.shell("true"), "install podman or docker", env={**self.environment, "PATH": "/nowhere"})

    def test_an_engine_that_this_user_may_not_use(self):
        folder = self.scratch / "bin"
        folder.mkdir()
        fake = folder / "docker"
        fake.write_text("#!/bin/sh\necho permission denied while trying to connect to the Docker daemon >&2; exit 1\n")
        fake.chmod(0o755)
        self.refused(3, self.shell("true", "engine: docker\n"), "may not use docker",
                     env={**self.environment, "PATH": str(folder)})

    def test_unknown_keys(self):
        self.refused(2, self.write("name: a\nimage: b\nmetrcs: []\n"), "no key `metrcs`", "did you mean `metrics`?")

    def test_an_entrypoint_that_does_not_exist(self):
        self.refused(2, self.write("name: a\nimage: localhost/native:1\nargs: [/nowhere]\nengine_args: [--network, none]\n"),
                     "cannot start localhost/native:1")

    def test_options_that_the_engine_does_not_have(self):
        self.refused(2, self.write("name: a\nimage: localhost/native:1\nengine_args: [--nonsense]\n"), "nonsense")

    def test_an_app_that_never_gets_ready(self):
        run = self.run_json("--grace", "100ms", self.shell(STUBBORN, "ready: {log: loaded, within: 200ms}\n"), code=124)
        self.assertIn('was not ready (log "loaded") within 200 ms', " ".join(run["warnings"]))
        self.assert_nothing_left()

    def companion(self, script, ready, app="sleep 1000"):
        return self.write(f"""
            name: viewer
            image: localhost/shell:1
            args: [{json.dumps(app)}]
            needs:
              - {{name: playback, image: "localhost/shell:1", args: [{json.dumps(script)}],
                  engine_args: [--network, none], ready: {ready}}}
            """)

    def test_a_companion_that_dies_before_it_is_ready(self):
        self.refused(3, self.companion("echo no camera; exit 3", "{port: 1}"), "the companion playback ended before",
                     "no camera")

    def test_a_companion_that_dies_while_the_app_runs(self):
        # It ends when the app speaks to it, and not before.
        file = self.companion("echo up; nc -l -p 8554; exit 4", "{log: up}",
                              app="until echo | nc 127.0.0.1 8554; do sleep 0.1; done; sleep 1000")
        done = self.edgewise("run", "--quiet", "--grace", "100ms", file)
        self.assertEqual(done.code, 3, done.stderr)
        self.assert_one_sentence(done.stderr, "the companion playback ended while the app ran")
        self.assertEqual(self.stored()[0]["state"], "interrupted")
        self.assert_nothing_left()

    def test_a_network_that_cannot_be_made_worse(self):
        self.refused(3, self.write("name: a\ncommand: 'true'\nnetwork: {delay: 20ms}\n"), "`network` needs an image")
        done = self.edgewise("run", self.write("name: a\nimage: localhost/shell:1\nargs: ['true']\nnetwork: {delay: 20ms}\n"))
        if done.code != 0:  # a kernel without netem
            self.assertEqual(done.code, 3, done.stderr)
            self.assert_one_sentence(done.stderr, "netem")

    def test_words_after_the_file(self):
        done = self.edgewise("run", self.write("name: a\nimage: b\n"), "--repeat", "3")
        self.assertEqual(done.code, 2, done.stderr)
        self.assert_one_sentence(done.stderr, "put options before the app file")


if __name__ == "__main__":
    unittest.main()

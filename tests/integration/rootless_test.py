"""`edgewise run app.yaml` as a user with podman: what can be measured is, and nobody else's processes are touched.

Needs a user with subordinate ids and newuidmap; the virtual machine of `script/test --vm` has one.
"""
import json
import os
import signal
import subprocess
import unittest

from app_files_test import STUBBORN, AppTest
from driving import alive, wait_until


@unittest.skipIf(os.geteuid() == 0, "needs another user than root")
class Rootless(AppTest):
    def setUp(self):
        super().setUp()
        if folder := os.environ.get("XDG_RUNTIME_DIR"):
            self.environment["XDG_RUNTIME_DIR"] = folder  # else podman makes one among temporary files
        # In the same cgroup as edgewise, and perhaps as its containers.
        self.bystander = subprocess.Popen(["sleep", "1000"])
        self.addCleanup(self.finish, self.bystander)

    def test_a_native_app_is_measured(self):
        run = self.run_json(self.write("""
            name: burner
            image: localhost/burn:2.1
            args: ["400", "64"]
            engine_args: [--network, none]
            """))
        told = json.loads(run["output_tail"])
        cpu_s = told["cpu_user_s"] + told["cpu_system_s"]
        self.assertAlmostEqual(run["cpu_user_s"] + run["cpu_system_s"], cpu_s, delta=0.05 + 0.1 * cpu_s)
        # Samples of a slow machine may miss the last of it.
        self.assertGreater(run["tree_peak_bytes"], 48 << 20)
        self.assert_nothing_left()

    def test_an_app_that_ignores_signals_is_killed_and_nothing_else_is(self):
        run = self.run_json("--grace", "100ms", self.shell(STUBBORN, "timeout: 300ms\n"))
        self.assertEqual((run["end_reason"], run["signal"]), ("duration", signal.SIGKILL))
        self.assertTrue(alive(self.bystander.pid))
        self.assert_nothing_left()

    def test_a_companion_ends_with_the_app_and_nothing_else_does(self):
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
        self.assertTrue(alive(self.bystander.pid))
        self.assert_nothing_left()

    def test_after_kill_9_the_guardian_removes_the_container(self):
        process = self.start("run", self.shell(STUBBORN), stdout=-3, stderr=-3)
        wait_until(lambda: self.engine.containers() and self.stored(), "the container")
        process.kill()
        process.wait()
        wait_until(lambda: not self.engine.containers(), "the end of the container")
        self.assertTrue(alive(self.bystander.pid))


if __name__ == "__main__":
    unittest.main()

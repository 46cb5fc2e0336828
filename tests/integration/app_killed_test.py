"""Whatever is killed while a container is profiled, no container, cgroup, process or mount is left behind."""
import contextlib
import os
import random
import signal
import subprocess
import time
import unittest

from app_files_test import AppTest
from driving import EDGEWISE, GUARDIAN, PATIENCE_S, alive, children_of, read_text, wait_until

KILLS = 14
SCRIPT = "(trap '' INT TERM; sleep 1000) & i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done; sleep 0.2"


def guardian_of(pid):
    for child in children_of(pid):
        if read_text(f"/proc/{child}/comm").startswith(GUARDIAN):
            return child
    return None


class Killed(AppTest):
    def setUp(self):
        super().setUp()
        self.file = self.shell(SCRIPT)

    def launch(self):
        return subprocess.Popen([EDGEWISE, "run", self.file], env=self.environment, cwd=self.scratch,
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def at_random_moments(self, seed, kill):
        start = time.monotonic()
        self.launch().wait(timeout=PATIENCE_S)
        life_s = time.monotonic() - start
        moments = random.Random(seed)
        for _ in range(KILLS):
            process = self.launch()
            # Not to wait for anything: the moment itself is the input.
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=moments.uniform(0, life_s))
            kill(process)
            process.wait(timeout=PATIENCE_S)

    def assert_no_mounts(self):
        self.assertNotIn(str(self.storage / "podman/root"), read_text("/proc/self/mountinfo"))

    def test_kill_9_of_edgewise_at_random_moments(self):
        self.at_random_moments(1, lambda process: process.kill())
        # What the guardian could not see is swept by the next start.
        self.assertEqual(self.edgewise("run", self.shell("true", name="next.yaml")).code, 0)
        self.assert_nothing_left()
        self.assert_no_mounts()

    def test_the_guardian_needs_no_next_start(self):
        process = self.launch()
        wait_until(self.engine.containers, "the container")
        process.kill()
        process.wait()
        wait_until(lambda: not self.engine.containers(), "the end of the container")

    def test_kill_9_of_both_is_swept_by_the_next_start(self):
        def kill(process):
            guardian = guardian_of(process.pid)
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGSTOP)
                if guardian:
                    os.kill(guardian, signal.SIGKILL)
                os.kill(process.pid, signal.SIGKILL)
            if guardian:
                wait_until(lambda: not alive(guardian), "the guardian's end")
        self.at_random_moments(2, kill)
        done = self.edgewise("run", "--", "true")  # any start will do
        self.assertEqual(done.code, 0, done.stderr)
        self.assertEqual(self.edgewise("run", self.shell("true", name="next.yaml")).code, 0)
        self.assert_nothing_left()
        self.assert_no_mounts()


if __name__ == "__main__":
    unittest.main()

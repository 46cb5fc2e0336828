"""Whatever is killed, nothing is left behind and no Run is lost."""
import concurrent.futures
import contextlib
import os
import pathlib
import random
import signal
import sqlite3
import subprocess
import time
import unittest

from driving import (EDGEWISE, GUARDIAN, PATIENCE_S, EdgewiseTest, alive, children_of, processes_with, program,
                     read_text, wait_until)

KILLS = 200
AT_ONCE = 4


def guardian_of(pid):
    """The guardian of that edgewise; None if there is none (yet)."""
    for child in children_of(pid):
        if read_text(f"/proc/{child}/comm").startswith(GUARDIAN):
            return child
    return None


class KilledTest(EdgewiseTest):
    def setUp(self):
        super().setUp()
        self.earlier = [self.run_json("--label", f"earlier {i}", "--", *program("spans", "steady", 50))
                        for i in range(2)]
        # A daemon, a child that ignores what can be ignored, and spans.
        self.busy = self.script(f"setsid sleep 1000 & (trap '' INT TERM HUP; sleep 1000) & "
                                f"{' '.join(program('spans', 'steady', 300))}; kill $!; exit 0")

    def launch(self):
        return subprocess.Popen([EDGEWISE, "run", "--linger", "50ms", "--sample-hz", "100", "--", self.busy],
                                env=self.environment, cwd=self.scratch, stdin=subprocess.DEVNULL,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def assert_store_is_whole(self):
        with contextlib.closing(sqlite3.connect(self.home / "edgewise.db")) as connection:
            self.assertEqual(connection.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
        for run in self.earlier:
            self.assertEqual(self.show(run["label"]), run)
        for run in self.stored():
            self.assertIn(run["state"], ("done", "interrupted"))
            self.assertEqual(run["interrupted"], run["state"] == "interrupted")
        self.assertEqual(self.run_json("--", "true")["exit_code"], 0)

    def kill_at_random_moments(self, count, seed, kill):
        """Starts runs and calls `kill` on each at a random moment of its life."""
        start = time.monotonic()
        self.launch().wait(timeout=PATIENCE_S)
        life_s = time.monotonic() - start
        moments = random.Random(seed)
        delays = [moments.uniform(0, 1.1 * life_s) for _ in range(count)]

        def one(delay_s):
            process = self.launch()
            # Not to wait for anything: the moment itself is the input.
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=delay_s)
            kill(process.pid)
            return process.wait(timeout=PATIENCE_S)

        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            return list(pool.map(one, delays))

    @staticmethod
    def kill_process(pid):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)

    def test_kill_9_of_edgewise_at_random_moments(self):
        codes = self.kill_at_random_moments(KILLS, 1, self.kill_process)
        self.assertGreater(codes.count(-signal.SIGKILL), KILLS // 2)
        self.assert_nothing_left()
        self.assert_store_is_whole()
        interrupted = sum(run["interrupted"] for run in self.stored())
        self.assertGreater(interrupted, KILLS // 10)

    def test_kill_9_of_the_guardian_at_random_moments(self):
        killed = []

        def kill(pid):
            guardian = guardian_of(pid)
            if guardian:
                self.kill_process(guardian)
                killed.append(guardian)
        codes = self.kill_at_random_moments(30, 2, kill)
        self.assertGreater(len(killed), 10)
        # It noticed, ended the program and failed in words, or was done before.
        self.assertEqual(set(codes) - {0, 125}, set())
        self.assertIn(125, codes)
        self.assert_nothing_left()
        self.assert_store_is_whole()

    def test_kill_9_of_both_is_swept_by_the_next_run(self):
        both = 0

        def kill(pid):
            nonlocal both
            guardian = guardian_of(pid)
            if guardian:
                # Stopped first, so that neither sees the other one die.
                for number in (signal.SIGSTOP, signal.SIGKILL):
                    for target in (guardian, pid):
                        with contextlib.suppress(ProcessLookupError):
                            os.kill(target, number)
                both += 1
            self.kill_process(pid)
        self.kill_at_random_moments(30, 3, kill)
        self.assertGreater(both, 10)
        wait_until(lambda: not any(read_text(f"/proc/{pid}/comm").startswith("edgewise")
                                   for pid in processes_with(f"EDGEWISE_HOME={self.home}")), "the killed to be gone")
        self.edgewise("run", "--", "true")
        self.assert_nothing_left()
        self.assert_store_is_whole()

    def test_the_failure_of_a_killed_guardian_is_one_sentence(self):
        process = self.start("run", "--quiet", "--", "sh", "-c", f"echo x >{self.scratch}/up; exec sleep 1000")
        wait_until((self.scratch / "up").exists, "the program to start")
        self.kill_process(guardian_of(process.pid))
        _, stderr = process.communicate(timeout=PATIENCE_S)
        self.assertEqual(process.returncode, 125)
        self.assert_one_sentence(stderr.decode(), "guardian")
        self.assertTrue(self.show()["interrupted"])
        self.assert_nothing_left()

    def test_a_stopped_edgewise_that_is_killed_leaves_nothing(self):
        process = self.start("run", "--", self.busy)
        wait_until(lambda: guardian_of(process.pid), "the guardian")
        process.send_signal(signal.SIGSTOP)
        process.kill()
        process.wait()
        self.assert_nothing_left()

    def test_other_processes_survive_a_sweep(self):
        bystander = subprocess.Popen(["sleep", "1000"], env=self.environment)
        self.addCleanup(self.finish, bystander)
        process = self.start("run", "--", "sleep", "1000")
        guardian = wait_until(lambda: guardian_of(process.pid), "the guardian")
        for pid in (guardian, process.pid):
            os.kill(pid, signal.SIGSTOP)
        for pid in (guardian, process.pid):
            os.kill(pid, signal.SIGKILL)
        process.wait()
        wait_until(lambda: not alive(guardian), "the guardian to be gone")
        self.edgewise("run", "--", "true")
        self.assertTrue(alive(bystander.pid))
        self.finish(bystander)
        self.assert_nothing_left()

    def test_a_damaged_journal_does_not_stop_anybody(self):
        journals = self.home / "sessions"
        for name, text in (("0123456789ab", "nonsense"), ("ba9876543210", ""), ("x.tmp", "half")):
            (journals / name).write_text(text)
        self.assertEqual(self.run_json("--", "true")["exit_code"], 0)
        self.assertEqual(sorted(path.name for path in pathlib.Path(journals).iterdir()), ["x.tmp"])


if __name__ == "__main__":
    unittest.main()

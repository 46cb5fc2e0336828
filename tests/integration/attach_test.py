"""`run --pid` observes a process and never harms it."""
import json
import os
import signal
import subprocess
import unittest

from driving import PATIENCE_S, EdgewiseTest, alive, process_state, program, read_text, wait_until


class AttachTest(EdgewiseTest):
    def target(self, *command):
        """A process of ours, not of edgewise; it is killed when the test ends."""
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, cwd=self.scratch)
        self.addCleanup(self.finish, process)
        return process

    @staticmethod
    def progress(process, steps):
        """Reads that many signs of life."""
        return process.stdout.read(steps) == b"." * steps

    def test_an_attached_process_is_measured_for_the_duration(self):
        target = self.target(*program("burn", 60_000, 30))
        wait_until(lambda: "burn" in read_text(f"/proc/{target.pid}/cmdline"), "the program to start")
        run = self.run_json("--pid", target.pid, "--duration", "700ms")
        self.assertEqual((run["kind"], run["end_reason"], run["exit_code"]), ("attach", "detached", None))
        self.assertEqual(run["command"][1:], ["60000", "30"])
        self.assertGreater(run["cpu_user_s"] + run["cpu_system_s"], 0.01)
        self.assertLess(run["cpu_user_s"] + run["cpu_system_s"], run["wall_s"] * 1.1)
        self.assertTrue(alive(target.pid))

    def test_only_what_is_used_while_attached_counts(self):
        target = self.target("sh", "-c", " ".join(program("burn", 500, 1)) + "; echo done; exec sleep 1000")
        target.stdout.readline()
        self.assertEqual(target.stdout.readline(), b"done\n")
        run = self.run_json("--pid", target.pid, "--duration", "300ms")
        self.assertLess(run["cpu_user_s"] + run["cpu_system_s"], 0.2)

    def test_it_ends_when_the_process_does(self):
        target = self.target(*program("burn", 300, 1))
        run = self.run_json("--pid", target.pid)
        self.assertEqual((run["end_reason"], run["interrupted"]), ("exited", False))

    def test_spans_of_an_attached_process_are_said_to_be_unavailable(self):
        target = self.target("sleep", "1000")
        run = self.run_json("--pid", target.pid, "--duration", "100ms")
        self.assertTrue(any("spans" in entry["what"] for entry in run["unavailable"]), run["unavailable"])

    def test_ctrl_c_detaches(self):
        target = self.target(*program("spans", "endless"))
        process = self.start("run", "--json", "--pid", target.pid)
        wait_until(lambda: self.home.exists() and len(self.stored()) == 1, "the Run to be there")
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=PATIENCE_S)
        run = json.loads(stdout)
        self.assertEqual(run["end_reason"], "cancelled", stderr)
        self.assertTrue(self.progress(target, 20))

    def test_kill_9_of_edgewise_leaves_the_process_unharmed(self):
        target = self.target(*program("spans", "endless"))
        before = read_text(f"/proc/{target.pid}/cgroup")
        affinity, niceness = os.sched_getaffinity(target.pid), os.getpriority(os.PRIO_PROCESS, target.pid)
        process = self.start("run", "--pid", target.pid)
        wait_until(lambda: self.home.exists() and len(self.stored()) == 1, "the Run to be there")
        process.kill()
        process.wait()
        self.assertTrue(self.progress(target, 20))
        self.assertEqual(read_text(f"/proc/{target.pid}/cgroup"), before)
        self.assertEqual(os.sched_getaffinity(target.pid), affinity)
        self.assertEqual(os.getpriority(os.PRIO_PROCESS, target.pid), niceness)
        self.assertEqual(read_text(f"/proc/{target.pid}/status").split("TracerPid:")[1].split()[0], "0")
        run, = self.stored()
        self.assertEqual((run["state"], run["interrupted"]), ("interrupted", True))

    def test_conditions_cannot_be_set_on_a_running_process(self):
        target = self.target("sleep", "1000")
        for flags in (["--cpus", "0"], ["--nice", "5"], ["--memory-limit", "10Mi"], ["--env", "A=b"]):
            with self.subTest(flags=flags):
                done = self.edgewise("run", "--pid", target.pid, *flags)
                self.assertEqual(done.code, 125)
                self.assert_one_sentence(done.stderr, "--pid only observes")

    def test_bad_pids_are_refused(self):
        gone = subprocess.Popen(["true"])
        gone.wait()
        for pid in (gone.pid, 0, -1, 999_999_999):
            with self.subTest(pid=pid):
                done = self.edgewise("run", f"--pid={pid}", "--duration", "1s")
                self.assertEqual(done.code, 125, done.stderr)
                self.assert_one_sentence(done.stderr)
        self.assertEqual(self.stored(), [])


    def test_a_process_that_has_ended_but_was_not_waited_for_is_refused(self):
        zombie = self.target("true")
        wait_until(lambda: process_state(zombie.pid) == "Z", "the process to end")
        done = self.edgewise("run", "--pid", zombie.pid, "--duration", "1s")
        self.assertEqual(done.code, 125)
        self.assert_one_sentence(done.stderr, "has ended")


class CollectorDiesTest(EdgewiseTest):
    def test_an_app_goes_on_when_its_collector_is_killed(self):
        # The app belongs to nobody's run, but reports to one's collector.
        session = self.start("run", "--", "sh", "-c", "echo $EDGEWISE_SOCKET; exec sleep 1000")
        socket = session.stdout.readline().decode().strip()
        app = subprocess.Popen(program("spans", "endless"), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               env={**self.environment, "EDGEWISE_SOCKET": socket}, cwd=self.scratch)
        self.addCleanup(self.finish, app)
        self.assertEqual(app.stdout.read(20), b"." * 20)

        def recorded():
            return any(span["name"] == "frame" and span["count"] > 0 for span in self.show()["spans"])
        wait_until(recorded, "spans of the app in the store")
        session.kill()
        session.wait()
        self.assertEqual(app.stdout.read(2000), b"." * 2000)
        self.assertIsNone(app.poll())
        app.kill()
        app.wait()
        run = self.show()
        self.assertTrue(run["interrupted"])
        self.assertGreater(next(s["count"] for s in run["spans"] if s["name"] == "frame"), 0)
        self.assert_nothing_left()

    def test_a_launched_app_ends_with_edgewise(self):
        session = self.start("run", "--", *program("spans", "endless"))
        self.assertEqual(session.stdout.read(1), b".")
        session.kill()
        session.wait()
        self.assert_nothing_left()
        self.assertTrue(self.show()["interrupted"])


if __name__ == "__main__":
    unittest.main()

"""How programs end: planned, too late, by signals, with their descendants."""
import json
import signal
import subprocess
import unittest

from driving import PATIENCE_S, EdgewiseTest, program, wait_until

# Says what it got and goes on; children that a signal ends are started again.
STUBBORN = "trap 'echo got INT' INT; trap 'echo got TERM' TERM; echo ready; while :; do sleep 0.05; done"


class PlannedEndTest(EdgewiseTest):
    def test_duration_ends_with_sigint_and_success(self):
        run = self.run_json("--duration", "300ms", "--", "sleep", "1000")
        self.assertEqual((run["end_reason"], run["signal"], run["interrupted"]), ("duration", signal.SIGINT, False))
        self.assertGreaterEqual(run["wall_s"], 0.3)
        self.assertEqual(run["conditions"]["duration_s"], 0.3)

    def test_a_program_that_handles_sigint_ends_in_its_own_way(self):
        script = "trap 'echo bye; exit 3' INT; while :; do sleep 0.05; done"
        run = self.run_json("--duration", "1s", "--", "sh", "-c", script)
        self.assertEqual((run["end_reason"], run["exit_code"]), ("duration", 3))
        self.assertTrue(run["output_tail"].endswith("bye\n"))

    def test_a_stubborn_program_gets_sigint_sigterm_sigkill(self):
        run = self.run_json("--duration", "1s", "--grace", "500ms", "--", "sh", "-c", STUBBORN)
        self.assertEqual((run["end_reason"], run["signal"]), ("duration", signal.SIGKILL))
        heard = [line for line in run["output_tail"].splitlines() if line.startswith("got")]
        self.assertEqual(heard, ["got INT", "got TERM"])
        self.assert_nothing_left()

    def test_a_program_that_ends_before_its_duration_keeps_its_code(self):
        run = self.run_json("--duration", "60s", "--", "sh", "-c", "exit 4", code=4)
        self.assertEqual((run["end_reason"], run["exit_code"]), ("exited", 4))


class TimeoutTest(EdgewiseTest):
    def test_timeout_is_124(self):
        run = self.run_json("--timeout", "300ms", "--", "sleep", "1000", code=124)
        self.assertEqual(run["end_reason"], "timeout")
        self.assertIn("--timeout of 300 ms", self.edgewise("show").stdout)

    def test_timeout_ends_a_program_that_ignores_signals(self):
        run = self.run_json("--timeout", "1s", "--grace", "500ms", "--", "sh", "-c", STUBBORN, code=124)
        self.assertEqual(run["signal"], signal.SIGKILL)

    def test_a_program_in_time_is_not_touched(self):
        self.assertEqual(self.run_json("--timeout", "60s", "--", "true")["end_reason"], "exited")


class CancelTest(EdgewiseTest):
    def cancelled(self, number, *flags, script="echo ready; exec sleep 1000"):
        process = self.start("run", *flags, "--", "sh", "-c", script)
        self.assertEqual(process.stdout.readline(), b"ready\n")
        process.send_signal(number)
        process.communicate(timeout=PATIENCE_S)
        return process.returncode, self.show()

    def test_signals_to_edgewise_end_the_program_in_order(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(signal=number.name):
                code, run = self.cancelled(number)
                self.assertEqual((run["end_reason"], run["interrupted"]), ("cancelled", True))
                self.assertEqual(code, 128 + run["signal"])
        self.assert_nothing_left()

    def test_a_second_signal_hurries(self):
        process = self.start("run", "--grace", "1000s", "--", "sh", "-c", STUBBORN)
        self.assertEqual(process.stdout.readline(), b"ready\n")
        for heard in (b"got INT\n", b"got TERM\n"):
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.stdout.readline(), heard)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE_S)
        self.assertEqual(process.returncode, 128 + signal.SIGKILL)

    def test_cancelling_ends_a_series_of_repeats(self):
        process = self.start("run", "--repeat", "1000", "--", "sh", "-c", "echo ready; exec sleep 1000")
        self.assertEqual(process.stdout.readline(), b"ready\n")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=PATIENCE_S)
        self.assertEqual(len(self.stored()), 1)


class DescendantsTest(EdgewiseTest):
    def test_daemons_are_counted(self):
        run = self.run_json("--", *program("tree", "daemon", 1, 400))
        self.assertEqual(run["exit_code"], 0)
        self.assertGreater(run["cpu_user_s"] + run["cpu_system_s"], 0.39)

    def test_daemons_that_stay_are_ended_and_named(self):
        run = self.run_json("--linger", "200ms", "--", "sh", "-c", "setsid sleep 1000 & setsid sleep 1000 & exit 6",
                            code=6)
        self.assertTrue(any(warning.startswith("2 descendants") for warning in run["warnings"]), run["warnings"])
        self.assert_nothing_left()

    def test_a_daemon_is_measured_as_long_as_duration_says(self):
        run = self.run_json("--duration", "600ms", "--", *program("tree", "daemon", 1, 60_000))
        self.assertGreater(run["wall_s"], 0.59)
        self.assertGreater(run["cpu_user_s"] + run["cpu_system_s"], 0.01)
        self.assert_nothing_left()

    def test_a_daemon_without_environment_is_ended_too(self):
        mark = self.scratch / "mark"
        daemon = f"setsid env -i sh -c 'echo $$ >{mark}; exec sleep 1000' & while [ ! -s {mark} ]; do sleep 0.01; done"
        self.run_json("--linger", "100ms", "--", "sh", "-c", daemon)
        self.assertEqual(subprocess.run(["kill", "-0", mark.read_text().strip()], stderr=subprocess.DEVNULL,
                                        check=False).returncode, 1)

    def test_a_program_that_forks_all_the_time_can_be_ended(self):
        script = "while :; do (sleep 0.01 &) ; (setsid sleep 0.02 &); done"
        self.run_json("--duration", "400ms", "--grace", "100ms", "--", "sh", "-c", script)
        self.assert_nothing_left()


class TwoAtOnceTest(EdgewiseTest):
    def test_two_runs_share_a_store(self):
        processes = [self.start("run", "--json", "--label", f"number {i}", "--", *program("spans", "steady", 400))
                     for i in range(4)]
        ids = set()
        for process in processes:
            stdout, stderr = process.communicate(timeout=PATIENCE_S)
            self.assertEqual((process.returncode, stderr), (0, b""))
            run = json.loads(stdout)
            self.assertEqual(next(s["count"] for s in run["spans"] if s["name"] == "frame"), 400)
            ids.add(run["id"])
        self.assertEqual({run["id"] for run in self.stored()}, ids)
        self.assertEqual(len(ids), 4)

    def test_one_run_does_not_sweep_another(self):
        first = self.start("run", "--", "sh", "-c", "echo ready; read line; exit 8", stdin=subprocess.PIPE)
        self.assertEqual(first.stdout.readline(), b"ready\n")
        self.run_json("--", "true")
        states = {run["state"] for run in self.stored()}
        self.assertEqual(states, {"running", "done"})
        first.stdin.write(b"go\n")
        first.stdin.close()
        wait_until(lambda: first.poll() is not None, "the first run to end")
        self.assertEqual(first.returncode, 8)


if __name__ == "__main__":
    unittest.main()

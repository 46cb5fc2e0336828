"""`edgewise stress`: real pressure from the command line."""
import json
import signal
import unittest

from driving import EDGEWISE, PATIENCE_S, EdgewiseTest, read_text, wait_until


class StressTest(EdgewiseTest):
    def test_the_verdict_and_figures_are_printed(self):
        done = self.edgewise("stress", "cpu:20", "--duration", "300ms")
        self.assertIn(done.code, (0, 1), done.stderr)  # a busy machine may not give that much
        self.assertIn("applied" if done.code == 0 else "not reached", done.stdout.splitlines()[0])
        self.assertIn("CPU time", done.stdout)

    def test_json_alone_on_stdout(self):
        done = self.edgewise("stress", "memory:50", "--size", "16MiB", "--duration", "300ms", "--json")
        report = json.loads(done.stdout)
        self.assertEqual((report["stressor"], report["dial_percent"]), ("memory", 50))
        self.assertAlmostEqual(report["figures"][0]["asked"], 8 << 20, delta=100)
        self.assertEqual(report["applied"], done.code == 0)

    def test_sigint_ends_it_with_the_self_check(self):
        process = self.start("stress", "network:0")
        wait_until(lambda: "SigCgt" in read_text(f"/proc/{process.pid}/status") and int(
            [line for line in read_text(f"/proc/{process.pid}/status").splitlines() if line.startswith("SigCgt")][0]
            .split()[1], 16) & (1 << (signal.SIGINT - 1)), "the handler of SIGINT")
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=PATIENCE_S)
        self.assertEqual(process.returncode, 0, stderr)
        self.assertIn(b"network:0  applied", stdout)
        self.assert_nothing_left()

    def test_a_probe_records_items(self):
        run = self.run_json("--", EDGEWISE, "stress", "cpu", "--probe", "--duration", "200ms")
        self.assertGreater(next(span for span in run["spans"] if span["name"] == "item")["count"], 0)


    def test_bad_input_says_what_to_do(self):
        for words, hint in [
                (["gpu-thing"], "choose from cpu"),
                (["cachee:20"], "did you mean cache"),
                (["cache:120"], "from 0 (idle) to 100"),
                (["cpu", "--duration", "soon"], "--duration"),
                (["cpu", "--cpus", "9999"], "--cpus"),
                (["cpu", "--size", "1MiB"], "--size is for memory and cache"),
                (["memory", "--size", "1000TiB"], "at most"),
                (["disk", "--folder", "/proc/none"], "--folder"),
                (["disk", "--probe"], "there is no probe"),
        ]:
            done = self.edgewise("stress", *words)
            self.assertEqual(done.code, 2, (words, done))
            self.assert_one_sentence(done.stderr, hint)
            self.assertEqual(done.stdout, "")


unittest.main()

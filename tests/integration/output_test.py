"""The program's output and input pass through edgewise unharmed."""
import hashlib
import json
import signal
import subprocess
import unittest

from driving import EDGEWISE, PATIENCE_S, PYTHON, EdgewiseTest, wait_until

TAIL_BYTES = 64 * 1024

# Bytes of every value, lines of every length, no newline at the end.
WRITE_BINARY = """
import os, sys
block = bytes(range(256)) * 257
for i in range({blocks}):
    os.write(1, block[i % 256:])
os.write(1, b"end")
"""


class OutputTest(EdgewiseTest):
    def raw(self, *arguments, **options):
        return subprocess.run([EDGEWISE, "run", *map(str, arguments)], env=self.environment, capture_output=True,
                              timeout=PATIENCE_S, cwd=self.scratch, **options)

    def test_stdout_is_passed_on_byte_for_byte(self):
        script = WRITE_BINARY.format(blocks=40)
        expected = subprocess.run([PYTHON, "-c", script], capture_output=True, check=True).stdout
        done = self.raw("--", PYTHON, "-c", script)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(hashlib.sha256(done.stdout).hexdigest(), hashlib.sha256(expected).hexdigest())

    def test_stderr_stays_apart_and_comes_before_the_summary(self):
        done = self.raw("--", "sh", "-c", "echo out; echo err >&2")
        self.assertEqual(done.stdout, b"out\n")
        self.assertTrue(done.stderr.startswith(b"err\n\nRun "), done.stderr)

    def test_quiet_shows_only_the_summary(self):
        done = self.raw("--quiet", "--", "sh", "-c", "echo out; echo err >&2")
        self.assertTrue(done.stdout.startswith(b"Run "), done.stdout)
        self.assertEqual(done.stderr, b"")
        self.assertEqual(sorted(self.edgewise("show", "--output").stdout.split()), ["err", "out"])

    def test_json_is_alone_on_stdout(self):
        done = self.raw("--json", "--", "sh", "-c", "echo out; echo err >&2")
        self.assertEqual(json.loads(done.stdout)["output_bytes"], 8)
        self.assertEqual(done.stderr, b"")

    def test_the_end_of_long_output_is_kept(self):
        run = self.run_json("--", "sh", "-c", "seq 1 100000; echo the end")
        self.assertEqual(run["output_bytes"], len("".join(f"{i}\n" for i in range(1, 100001))) + 8)
        self.assertTrue(run["output_tail"].endswith("99999\n100000\nthe end\n"))
        self.assertEqual(len(run["output_tail"]), TAIL_BYTES)

    def test_output_that_is_no_text_makes_valid_json(self):
        run = self.run_json("--", "sh", "-c", r"printf 'a\377\376\000b'")
        self.assertEqual(run["output_bytes"], 5)
        self.assertTrue(run["output_tail"].startswith("a\ufffd"))

    def test_a_hundred_megabytes_pass_through(self):
        size = 100_000_000
        process = self.start("run", "--", "head", "-c", size, "/dev/zero")
        received = 0
        while chunk := process.stdout.read(1 << 20):
            received += len(chunk)
        _, stderr = process.communicate(timeout=PATIENCE_S)
        self.assertEqual((process.returncode, received), (0, size), stderr)
        run = self.show()
        self.assertEqual(run["output_bytes"], size)
        self.assertLess(run["profiler"]["max_rss_bytes"], 40 << 20)

    def test_a_reader_that_goes_away_reaches_the_program(self):
        """As without edgewise: `program | head` ends the program by SIGPIPE."""
        process = self.start("run", "--", "sh", "-c", "echo first; read line; exec yes", stdin=subprocess.PIPE)
        self.assertEqual(process.stdout.readline(), b"first\n")
        process.stdout.close()
        process.stdin.write(b"go\n")
        process.stdin.close()
        self.assertEqual(process.wait(timeout=PATIENCE_S), 128 + signal.SIGPIPE)

    def test_a_reader_that_stands_still_does_not_hold_the_end(self):
        process = self.start("run", "--duration", "200ms", "--", "yes")
        self.assertEqual(process.wait(timeout=PATIENCE_S), 0)
        process.stdout.close()

    def test_figures_that_cannot_be_written_are_a_failure(self):
        self.run_json("--", "true")
        for arguments, code in ((["run", "--json", "--", "true"], 125), (["show", "--json"], 3), (["list"], 3)):
            with self.subTest(arguments=arguments), open("/dev/full", "wb") as full:
                done = subprocess.run([EDGEWISE, *arguments], env=self.environment, stdout=full, timeout=PATIENCE_S,
                                      stderr=subprocess.PIPE, check=False)
                self.assertEqual(done.returncode, code)
                self.assert_one_sentence(done.stderr.decode(), "stdout", "No space")

    def test_closed_streams_are_no_trouble(self):
        for closed in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
            with self.subTest(closed=closed):
                done = subprocess.run(["sh", "-c", f"{EDGEWISE} run -- sh -c 'cat; echo out; exit 4' {closed}"],
                                      env=self.environment, stdin=subprocess.DEVNULL, capture_output=True,
                                      timeout=PATIENCE_S, check=False)
                self.assertEqual(done.returncode, 4, done.stderr)
                # It is also passed on to nobody else's file, the store's least of all.
                self.assertEqual(self.show()["exit_code"], 4)

    def test_stdin_reaches_the_program(self):
        text = bytes(range(256)) * 4096
        done = self.raw("--", "cat", input=text)
        self.assertEqual(done.stdout, text)

    def test_a_daemon_that_keeps_the_pipe_open_does_not_hold_us_up(self):
        done = self.raw("--linger", "100ms", "--", "sh", "-c", "setsid sleep 1000 & echo started")
        self.assertEqual((done.returncode, done.stdout), (0, b"started\n"))
        self.assert_nothing_left()

    def test_output_of_the_last_moment_is_not_lost(self):
        for _ in range(20):
            done = self.raw("--", "sh", "-c", "echo last words; kill -KILL $$")
            self.assertEqual((done.returncode, done.stdout), (137, b"last words\n"))

    def test_streams_arrive_while_the_program_runs(self):
        process = self.start("run", "--", "sh", "-c", "echo now; exec sleep 1000")
        self.assertEqual(process.stdout.readline(), b"now\n")
        process.terminate()
        wait_until(lambda: process.poll() is not None, "edgewise to end")


if __name__ == "__main__":
    unittest.main()

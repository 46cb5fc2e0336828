"""What `edgewise run` answers, and in which words."""
import signal
import unittest

from driving import EdgewiseTest


class ExitCodeTest(EdgewiseTest):
    def test_the_programs_own_code_is_passed_on(self):
        for code in (0, 1, 2, 42, 124, 125, 126, 127, 128, 255):
            with self.subTest(code=code):
                run = self.run_json("--", "sh", "-c", f"exit {code}", code=code)
                self.assertEqual((run["exit_code"], run["signal"], run["end_reason"]), (code, None, "exited"))

    def test_a_crash_is_128_plus_the_signal(self):
        for number in (signal.SIGSEGV, signal.SIGABRT, signal.SIGTERM, signal.SIGKILL):
            with self.subTest(signal=number.name):
                run = self.run_json("--", "sh", "-c", f"ulimit -c 0; kill -{number.value} $$", code=128 + number)
                self.assertEqual((run["exit_code"], run["signal"], run["end_reason"]), (None, number.value, "signal"))

    def test_the_summary_names_the_signal(self):
        done = self.edgewise("run", "--", "sh", "-c", "kill -SEGV $$")
        self.assertEqual(done.code, 128 + signal.SIGSEGV)
        self.assertIn("SIGSEGV", done.stderr)

    def test_a_command_that_is_not_found_is_127(self):
        for command in ("no-such-program", "./no-such-program", "/no/such/program"):
            with self.subTest(command=command):
                done = self.edgewise("run", "--", command)
                self.assertEqual(done.code, 127)
                self.assert_one_sentence(done.stderr, command, "not found")

    def test_a_command_that_is_not_executable_is_126(self):
        text = self.scratch / "text"
        text.write_text("no program")
        for command in (text, self.scratch):
            with self.subTest(command=command):
                done = self.edgewise("run", "--", command)
                self.assertEqual(done.code, 126)
                self.assert_one_sentence(done.stderr, str(command), "not executable")

    def test_a_script_whose_interpreter_is_missing_is_127(self):
        script = self.scratch / "script"
        script.write_text("#!/no/such/interpreter\n")
        script.chmod(0o755)
        done = self.edgewise("run", "--", script)
        self.assertEqual(done.code, 127, done.stderr)
        self.assert_one_sentence(done.stderr, str(script))

    def test_a_command_that_never_ran_is_no_run(self):
        self.edgewise("run", "--", "no-such-program")
        self.assertEqual(self.stored(), [])
        self.assert_nothing_left()

    def test_a_program_that_exits_at_once_is_a_run(self):
        run = self.run_json("--", "true")
        self.assertEqual(run["exit_code"], 0)
        self.assertGreater(run["wall_s"], 0)
        self.assertGreater(run["max_rss_bytes"], 0)

    def test_a_target_that_is_killed_from_outside_is_a_run(self):
        run = self.run_json("--", "sh", "-c", "kill -KILL $$", code=137)
        self.assertEqual(run["signal"], 9)
        self.assertFalse(run["interrupted"])


class BadInputTest(EdgewiseTest):
    def refused(self, *words, flags):
        done = self.edgewise("run", *flags, "--", "true")
        self.assertEqual(done.code, 125, done.stderr)
        self.assert_one_sentence(done.stderr, *words)
        self.assertEqual(done.stdout, "")

    def test_invalid_durations_are_refused(self):
        for flag in ("--duration", "--timeout", "--warmup", "--grace", "--linger"):
            for text in ("abc", "-1s", "1.5.2s", "10 parsecs", "1e999s"):
                with self.subTest(flag=flag, text=text):
                    self.refused(flag, flags=[f"{flag}={text}"])

    def test_a_duration_of_nothing_is_refused(self):
        for text in ("0", "0s"):
            self.refused("--duration", flags=["--duration", text])

    def test_invalid_cpu_lists_are_refused(self):
        for text in ("a", "-1", "1-", "3-1", "0,,1", "99999", "0-99999999999"):
            with self.subTest(text=text):
                self.refused("--cpus", flags=[f"--cpus={text}"])

    def test_other_nonsense_is_refused(self):
        for flags, word in ((["--memory-limit", "many"], "--memory-limit"), (["--cpu-quota", "0"], "--cpu-quota"),
                            (["--cpu-quota", "x"], "--cpu-quota"), (["--nice", "20"], "--nice"),
                            (["--policy", "fifo:100"], "fifo:100"), (["--policy", "best"], "best"),
                            (["--threads", "0"], "--threads"), (["--repeat", "0"], "--repeat"),
                            (["--sample-hz", "0"], "--sample-hz"), (["--sample-hz", "nan"], "--sample-hz"),
                            (["--events", "no-such-event"], "no-such-event"), (["--env", "novalue"], "--env"),
                            (["--cwd", "/no/such/folder"], "/no/such/folder"),
                            (["--warmup", "2s", "--duration", "1s"], "--warmup")):
            with self.subTest(flags=flags):
                self.refused(word, flags=flags)

    def test_nothing_to_run_is_refused(self):
        done = self.edgewise("run")
        self.assertEqual(done.code, 125)
        self.assert_one_sentence(done.stderr, "nothing to run")

    def test_a_bad_option_is_not_taken_for_a_command(self):
        done = self.edgewise("run", "--duratoin", "1s", "--", "true")
        self.assertEqual(done.code, 125)
        self.assert_one_sentence(done.stderr, "did you mean --duration?")

    def test_the_programs_options_are_left_alone(self):
        done = self.edgewise("run", "echo", "--json", "--duration", "x")
        self.assertEqual((done.code, done.stdout), (0, "--json --duration x\n"))
        done = self.edgewise("run", "--", "echo", "--", "--quiet")
        self.assertEqual((done.code, done.stdout), (0, "-- --quiet\n"))


if __name__ == "__main__":
    unittest.main()

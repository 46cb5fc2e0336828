"""As a user who may do little: it works, and says what it could not do."""
import json
import os
import pathlib
import shutil
import unittest

from driving import EDGEWISE, PROGRAMS, EdgewiseTest, program

NOBODY = 65534


@unittest.skipUnless(os.geteuid() == 0 and shutil.which("setpriv"), "becoming another user needs root and setpriv")
class UnprivilegedTest(EdgewiseTest):
    def setUp(self):
        super().setUp()
        # Where the build is, others may not look.
        tools = self.scratch / "bin"
        tools.mkdir()
        for source in (EDGEWISE, PROGRAMS / "burn", PROGRAMS / "tree"):
            shutil.copy(source, tools)
        self.tools = tools
        os.chmod(self.scratch, 0o755)
        self.home.mkdir()
        for folder in (self.home, self.temp):
            os.chown(folder, NOBODY, NOBODY)

    def as_nobody(self, *arguments):
        prefix = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--inh-caps=-all",
                  "--bounding-set=-all", "--"]
        return self.edgewise(*arguments, prefix=prefix, binary=self.tools / EDGEWISE.name)

    def tool(self, name, *arguments):
        return [str(self.tools / pathlib.Path(program(name)[0]).name), *map(str, arguments)]

    def run_as_nobody(self, *arguments, code=0):
        done = self.as_nobody("run", "--json", *arguments)
        self.assertEqual(done.code, code, done.stderr)
        return json.loads(done.stdout)

    def test_a_run_works_and_says_what_it_lacks(self):
        run = self.run_as_nobody("--", *self.tool("burn", 300, 40))
        own = json.loads(run["output_tail"])
        cpu_s = run["cpu_user_s"] + run["cpu_system_s"]
        own_cpu_s = own["cpu_user_s"] + own["cpu_system_s"]
        self.assertAlmostEqual(cpu_s, own_cpu_s, delta=0.05 * own_cpu_s)
        self.assertAlmostEqual(run["max_rss_bytes"], own["max_rss_bytes"], delta=0.01 * own["max_rss_bytes"])
        reasons = {entry["what"]: entry["why"] for entry in run["unavailable"]}
        self.assertIn("cgroup", " ".join(reasons), reasons)
        self.assertIsNone(run["throttled_periods"])

    def test_daemons_are_counted_and_ended_without_cgroups(self):
        run = self.run_as_nobody("--", *self.tool("tree", "daemon", 2, 200))
        self.assertGreater(run["cpu_user_s"] + run["cpu_system_s"], 0.38)
        run = self.run_as_nobody("--linger", "100ms", "--", "sh", "-c", "setsid sleep 1000 & exit 0")
        self.assertTrue(any("outlived" in warning for warning in run["warnings"]), run["warnings"])
        self.assert_nothing_left()

    def test_processes_are_counted_without_cgroups(self):
        children, cpu_ms = 4, 400
        used_s = children * cpu_ms / 1000
        # Nobody waits for the forgotten: what they used after the last look is not known.
        for how, least in (("waited", 0.99), ("orphans", 0.99), ("forgotten", 0.3)):
            with self.subTest(how=how):
                run = self.run_as_nobody("--sample-hz", "20", "--", *self.tool("tree", how, children, cpu_ms))
                cpu_s = run["cpu_user_s"] + run["cpu_system_s"]
                self.assertGreater(cpu_s, least * used_s)
                self.assertLess(cpu_s, 1.05 * used_s)

    def test_limits_that_cannot_be_set_are_refused_with_a_way_out(self):
        for flags in (["--cpu-quota", "50%"], ["--memory-limit", "100Mi"]):
            with self.subTest(flags=flags):
                done = self.as_nobody("run", *flags, "--", "true")
                self.assertEqual(done.code, 125)
                self.assert_one_sentence(done.stderr, "root")
        self.assert_nothing_left()

    def test_real_time_is_refused_in_words(self):
        done = self.as_nobody("run", "--policy", "fifo:50", "--", "true")
        self.assertEqual(done.code, 125)
        self.assert_one_sentence(done.stderr, "policy", "permitted")
        done = self.as_nobody("run", "--nice=-5", "--", "true")
        self.assertEqual(done.code, 125)
        self.assert_one_sentence(done.stderr, "nice")
        self.assertEqual(json.loads(self.as_nobody("list", "--json").stdout)["runs"], [])

    def test_a_foreign_process_may_be_refused_but_is_not_harmed(self):
        done = self.as_nobody("run", "--pid", os.getpid(), "--duration", "200ms")
        self.assertIn(done.code, (0, 125), done.stderr)
        if done.code == 125:
            self.assert_one_sentence(done.stderr)

    def test_a_store_of_somebody_else_is_refused(self):
        os.chown(self.home, 0, 0)
        os.chmod(self.home, 0o700)
        done = self.as_nobody("run", "--", "true")
        self.assertEqual(done.code, 125)
        self.assert_one_sentence(done.stderr, str(self.home))

    def test_a_program_that_may_not_be_executed_is_126(self):
        secret = self.scratch / "secret"
        secret.write_text("#!/bin/sh\n")
        secret.chmod(0o700)
        done = self.as_nobody("run", "--", secret)
        self.assertEqual(done.code, 126)
        self.assert_one_sentence(done.stderr, "not executable")


if __name__ == "__main__":
    unittest.main()

"""`--frequency`: the clock is held while the program runs, and as before when edgewise is gone, however it went.

The kernel here may have no cpufreq, so edgewise sees a fake one: a tmpfs over
/sys/devices/system/cpu in a mount namespace of its own.
"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import unittest

from driving import EDGEWISE, GUARDIAN, EdgewiseTest, alive, children_of, read_text, wait_until

CPU = pathlib.Path("/sys/devices/system/cpu")
FILES = {
    "cpuinfo_min_freq": "600000",
    "cpuinfo_max_freq": "1500000",
    "scaling_available_frequencies": "600000 1000000 1500000",
    "scaling_min_freq": "1000000",
    "scaling_max_freq": "1500000",
}


def can_mount():
    done = subprocess.run(["unshare", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True)
    return done.returncode == 0


class NoClockTest(EdgewiseTest):
    def setUp(self):
        super().setUp()
        if list(CPU.glob("cpu*/cpufreq")):
            self.skipTest("this kernel has cpufreq")

    def test_nothing_runs_where_the_clock_cannot_be_set(self):
        marker = self.scratch / "ran"
        for code, arguments in ((125, ("run", "--frequency", "1GHz", "--")),
                                (3, ("sweep", "--frequency", "600MHz,1GHz", "--"))):
            done = self.edgewise(*arguments, "touch", marker)
            self.assertEqual((done.code, done.stdout), (code, ""))
            self.assert_one_sentence(done.stderr, "--frequency", "cpufreq", "leave it out")
        done = self.edgewise("ab", "--frequency", "1GHz", f"touch {marker}", "true")
        self.assertEqual(done.code, 3)
        self.assertFalse(marker.exists())
        self.assert_nothing_left()


class UnitsTest(EdgewiseTest):
    def test_a_clock_needs_a_unit(self):
        for code, verb in ((125, "run"), (2, "sweep")):
            done = self.edgewise(verb, "--frequency", "1200000", "--", "true")
            self.assertEqual(done.code, code)
            self.assert_one_sentence(done.stderr, "--frequency", "1200000", "600MHz or 1.2GHz")


@unittest.skipUnless(can_mount(), "needs the right to mount")
class FrequencyTest(EdgewiseTest):
    def setUp(self):
        super().setUp()
        self.tree = self.scratch / "cpu"
        self.policy = self.tree / "cpufreq/policy0"
        self.policy.mkdir(parents=True)
        for name, text in FILES.items():
            (self.policy / name).write_text(text + "\n")
        for name in ("online", "possible", "present"):
            shutil.copyfile(CPU / name, self.tree / name)
        for core in CPU.glob("cpu*"):
            if re.fullmatch("cpu[0-9]+", core.name):
                (self.tree / core.name).mkdir()
                (self.tree / core.name / "cpufreq").symlink_to("../cpufreq/policy0")
        # Bound over the kernel's own, for edgewise and its children alone.
        self.fake = ("unshare", "--mount", "sh", "-c", f'mount --bind {self.tree} {CPU} && exec "$@"', "sh")

    def limits(self):
        return tuple(read_text(self.policy / f"scaling_{which}_freq").strip() for which in ("min", "max"))

    def launch_held(self):
        """A run that holds the clock, once its program runs; its own pid and its guardian's."""
        process = subprocess.Popen([*self.fake, EDGEWISE, "run", "--frequency", "600MHz", "--", "sh", "-c",
                                    f"echo x >{self.scratch}/up; exec sleep 1000"], env=self.environment,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(self.finish, process)
        wait_until((self.scratch / "up").exists, "the program to start")
        self.assertEqual(self.limits(), ("600000", "600000"))
        [guardian] = [child for child in children_of(process.pid)
                      if read_text(f"/proc/{child}/comm").startswith(GUARDIAN)]
        return process, guardian

    def assert_as_before(self):
        wait_until(lambda: self.limits() == ("1000000", "1500000"), f"the old limits instead of {self.limits()}")

    def test_the_program_sees_it_and_nobody_after(self):
        run = self.run_json("--frequency", "1.02GHz", "--cpus", "0", "--", "sh", "-c",
                            f"cd {CPU}/cpu0/cpufreq; cat scaling_min_freq; echo; cat scaling_max_freq",
                            prefix=self.fake)
        self.assertEqual(run["output_tail"].split(), ["1000000", "1000000"])
        self.assertEqual(run["conditions"]["frequency_khz"], 1000000)
        self.assertIn("nearest", " ".join(run["warnings"]))
        self.assertEqual(self.limits(), ("1000000", "1500000"))
        self.assertIn("1 GHz", self.edgewise("show", "last").stdout)
        self.assert_nothing_left()

    def test_a_clock_that_is_not_there_is_refused_with_those_that_are(self):
        done = self.edgewise("run", "--frequency", "1.2GHz", "--", "true", prefix=self.fake)
        self.assertEqual(done.code, 125)
        self.assert_one_sentence(done.stderr, "600 MHz, 1 GHz, 1.5 GHz")

    def test_a_sweep_holds_each_point_at_its_clock(self):
        done = self.edgewise("sweep", "--cool-down", "0", "--limit-others", "0", "--limit-steal", "0",
                             "--limit-pressure", "0", "--repeat", "2", "--frequency", "1.5GHz,600MHz", "--", "sh",
                             "-c", f"cat {CPU}/cpu0/cpufreq/scaling_max_freq", prefix=self.fake)
        self.assertEqual(done.code, 0, done.stderr)
        seen = {(run["conditions"]["frequency_khz"], self.show(run["id"])["output_tail"]) for run in self.stored()}
        self.assertEqual(seen, {(600000, "600000"), (1500000, "1500000")})
        self.assertLess(done.stdout.find("600MHz"), done.stdout.find("1.5GHz"), "in ascending order")
        self.assertEqual(self.limits(), ("1000000", "1500000"))

    def test_ctrl_c_puts_it_back(self):
        process, _ = self.launch_held()
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(), 130)
        self.assertEqual(self.limits(), ("1000000", "1500000"))

    def test_kill_9_of_edgewise_puts_it_back(self):
        process, _ = self.launch_held()
        process.kill()
        process.wait()
        self.assert_as_before()
        self.assert_nothing_left()

    def test_kill_9_of_the_guardian_puts_it_back(self):
        process, guardian = self.launch_held()
        os.kill(guardian, signal.SIGKILL)
        self.assertEqual(process.wait(), 125)
        self.assertEqual(self.limits(), ("1000000", "1500000"))
        self.assert_nothing_left()

    def test_kill_9_of_both_is_put_back_by_the_next_run(self):
        process, guardian = self.launch_held()
        # Stopped first, so that neither sees the other one die.
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for pid in (guardian, process.pid):
                os.kill(pid, number)
        process.wait()
        wait_until(lambda: not alive(guardian), "the guardian to be gone")
        self.assertEqual(self.limits(), ("600000", "600000"))
        self.assertEqual(self.edgewise("run", "--", "true", prefix=self.fake).code, 0)
        self.assertEqual(self.limits(), ("1000000", "1500000"))
        self.assert_nothing_left()

    def test_a_second_session_waits_its_turn(self):
        process, _ = self.launch_held()
        done = self.edgewise("run", "--frequency", "1GHz", "--", "true", prefix=self.fake)
        self.assertEqual(done.code, 125)
        self.assert_one_sentence(done.stderr, "another edgewise session", "wait")
        self.assertEqual(self.limits(), ("600000", "600000"))
        self.finish(process)
        self.assert_as_before()


if __name__ == "__main__":
    unittest.main()

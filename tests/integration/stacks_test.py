"""Where the time goes: stacks of real programs, native and Python."""
import math
import os
import shutil
import subprocess
import unittest

from driving import PYTHON, EdgewiseTest, program, wait_until

# Three seconds of it are enough samples for the promise of three percent.
RATE = ["--stacks", "1999"]

PYTHON_PROGRAM = '''\
import time


def heavy(n):
    total = 0
    for i in range(7 * n):
        total += i * i
    return total


def light(n):
    total = 0
    for i in range(3 * n):
        total += i * i
    return total


class Loop:
    def both(self):
        heavy(3000)
        light(3000)


def work(seconds):
    loop = Loop()
    end = time.process_time() + seconds
    while time.process_time() < end:
        loop.both()


work(%s)
'''


def share(run, name, key="self_percent"):
    """The percentage of one function; 0 if it was never seen."""
    return sum(f[key] for f in run["functions"] if f["name"] == name)


class StacksTest(EdgewiseTest):
    def sample(self, *command, flags=(), code=0):
        run = self.run_json(*RATE, *flags, "--", *command, code=code)
        self.assertNotIn("stacks", [entry["what"] for entry in run["unavailable"]], run["unavailable"])
        return run

    def notes(self, run):
        return " ".join(run["stacks"]["notes"])

    def assert_seventy_thirty(self, run, heavy, light):
        """Among the two functions, all that they call included."""
        a, b = share(run, heavy, "total_percent"), share(run, light, "total_percent")
        self.assertGreater(a + b, 90, run["functions"][:5])
        # Of fewer samples chance alone moves more: 4.5 standard deviations.
        delta = max(3, 450 * math.sqrt(0.7 * 0.3 / run["stacks"]["samples"]))
        self.assertAlmostEqual(100 * a / (a + b), 70, delta=delta)


class NativeTest(StacksTest):
    def test_time_in_two_functions_is_told_apart(self):
        run = self.sample(*program("stacks", 3000))
        self.assert_seventy_thirty(run, "Heavy", "Light")
        self.assertGreater(share(run, "main", "total_percent"), 95)

    def test_stacks_without_frame_pointers_reach_main(self):
        run = self.sample(*program("stacks", 1000))
        stacks = run["stacks"]
        self.assertGreater(stacks["samples"], 500)
        self.assertGreaterEqual(share(run, "main", "total_percent"), 95, stacks)

    def test_the_functions_of_a_stripped_program_are_addresses(self):
        stripped = self.scratch / "stripped"
        subprocess.run(["strip", "-o", stripped, *program("stacks")], check=True)
        run = self.sample(str(stripped), "500")
        self.assertEqual(share(run, "Heavy"), 0)
        top = run["functions"][0]
        self.assertRegex(top["name"], r"^stripped\+0x[0-9a-f]+$")
        # All its addresses under one name, because the unwind table knows where it begins.
        self.assertGreater(top["self_percent"], 50)

    def test_a_program_that_is_deleted_while_it_runs_keeps_its_names(self):
        copy = self.scratch / "copy"
        shutil.copy(program("stacks")[0], copy)
        run = self.sample("sh", "-c", f"{copy} 1000 & while [ \"$(readlink /proc/$!/exe)\" != {copy} ]; do :; done; "
                          f"rm {copy}; wait")
        self.assertGreater(share(run, "Heavy", "total_percent"), 50)

    def test_a_deep_stack_is_cut_and_says_so(self):
        run = self.sample(*program("stacks", 500, "deep"))
        self.assertGreater(run["stacks"]["truncated"], 100)
        # Before it is that deep, a sample may reach main.
        self.assertLess(share(run, "main", "total_percent"), 5)
        folded = self.edgewise("export", "last", "--format", "collapsed").stdout
        self.assertIn("[truncated];Deep", folded)
        self.assert_seventy_thirty(run, "Heavy", "Light")

    def test_children_and_their_children_are_sampled(self):
        run = self.sample("sh", "-c", "(%s 500; true) & %s 500; wait" % ((program("stacks")[0],) * 2))
        self.assertGreater(run["stacks"]["samples"], 800)
        self.assert_seventy_thirty(run, "Heavy", "Light")

    def test_the_kernels_part_is_seen(self):
        run = self.sample("dd", "if=/dev/zero", "of=/dev/null", "bs=1M", "count=3000")
        self.assertIn("kernel", {f["kind"] for f in run["functions"]}, run["functions"][:5])

    def test_an_attached_program_is_sampled_from_its_middle(self):
        child = subprocess.Popen(program("stacks", 60000), stdout=subprocess.DEVNULL)
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        run = self.run_json(*RATE, "--pid", child.pid, "--duration", "1s")
        self.assert_seventy_thirty(run, "Heavy", "Light")
        self.assertGreater(share(run, "main", "total_percent"), 95)
        self.assertIsNone(child.poll())

    def test_processes_that_are_gone_at_once_do_no_harm(self):
        run = self.sample("sh", "-c", "i=0; while [ $i -lt 1000 ]; do /bin/true; i=$((i+1)); done")
        self.assertEqual(run["exit_code"], 0)
        self.assertGreater(run["stacks"]["samples"], 0)

    @unittest.skipUnless(os.geteuid() == 0, "needs root to make a mount namespace")
    def test_a_library_in_another_mount_namespace_is_read(self):
        hidden = self.scratch / "hidden"
        hidden.mkdir()
        run = self.sample("unshare", "--mount", "sh", "-c",
                          f"mount -t tmpfs none {hidden} && cp {program('stacks')[0]} {hidden}/inner && "
                          f"{hidden}/inner 1000")
        self.assertFalse(list(hidden.iterdir()))
        self.assert_seventy_thirty(run, "Heavy", "Light")

    def test_nothing_is_left_of_the_spool(self):
        self.sample(*program("stacks", 100))
        self.assertEqual(list((self.home / "spool").iterdir()), [])
        self.assert_nothing_left()


class StackSizeTest(StacksTest):
    def test_a_larger_copy_reaches_further(self):
        run = self.sample(*program("stacks", 500, "deep"), flags=["--stack-size", "60KiB"])
        self.assertEqual(run["stacks"]["truncated"], 0)
        self.assertGreater(share(run, "main", "total_percent"), 90)

    def test_sizes_that_cannot_be_are_refused(self):
        for size in ("-8", "61KiB", "100", "many"):
            done = self.edgewise("run", "--stacks", "99", "--stack-size", size, "--", "true")
            self.assertEqual(done.code, 125, (size, done.stderr))
            self.assert_one_sentence(done.stderr, "--stack-size")
        done = self.edgewise("run", "--stack-size", "8KiB", "--", "true")
        self.assertEqual(done.code, 125)
        self.assert_one_sentence(done.stderr, "--stacks")


class JitTest(StacksTest):
    SCRIPT = "function spin(n){let x=1;for(let i=0;i<n;i++)x=(x*31+i)|0;return x}" \
             "const end=Date.now()+1500;let s=0;while(Date.now()<end)s+=spin(1e5);"

    def test_compiled_code_with_a_map_has_names(self):
        run = self.sample("node", "--perf-basic-prof", "--interpreted-frames-native-stack", "-e", self.SCRIPT)
        names = [f["name"] for f in run["functions"] if f["kind"] == "jit"]
        self.assertTrue([n for n in names if "spin" in n], names[:10])

    def test_compiled_code_without_a_map_is_shown_as_addresses(self):
        run = self.sample("node", "-e", self.SCRIPT)
        names = [f["name"] for f in run["functions"] if f["kind"] == "jit"]
        self.assertTrue(names and all(n.startswith("0x") for n in names), names[:10])
        self.assertIn("perf-", self.notes(run))


class PythonTest(StacksTest):
    def write(self, seconds):
        path = self.scratch / "app.py"
        path.write_text(PYTHON_PROGRAM % seconds)
        return str(path)

    def test_time_in_two_functions_is_told_apart(self):
        path = self.write(3)
        run = self.sample(PYTHON, path)
        self.assert_seventy_thirty(run, "heavy", "light")
        heavy = next(f for f in run["functions"] if f["name"] == "heavy")
        self.assertEqual((heavy["kind"], heavy["file"], heavy["line"]), ("python", path, 4))
        self.assertGreater(share(run, "Loop.both", "total_percent"), 90)
        self.assertGreater(share(run, "work", "total_percent"), 90)

    def test_an_attached_program_has_names_too(self):
        child = subprocess.Popen([PYTHON, self.write(60)])
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        wait_until(lambda: "python" in os.readlink(f"/proc/{child.pid}/exe"), "the interpreter")
        run = self.run_json(*RATE, "--pid", child.pid, "--duration", "2s")
        self.assert_seventy_thirty(run, "heavy", "light")

    def test_native_functions_that_python_calls_stay_visible(self):
        script = self.scratch / "hash.py"
        script.write_text("import hashlib, time\n"
                          "def digest(data):\n    return hashlib.sha256(data).digest()\n"
                          "end = time.process_time() + 1.5\ndata = b'x' * (1 << 20)\n"
                          "while time.process_time() < end:\n    digest(data)\n")
        run = self.sample(PYTHON, script)
        self.assertGreater(share(run, "digest", "total_percent"), 90)
        self.assertIn("libcrypto", run["functions"][0]["module"], run["functions"][:3])

    def test_workers_of_a_pool_are_read(self):
        script = self.scratch / "pool.py"
        script.write_text("import multiprocessing, time\n"
                          "def spin(seconds):\n    end = time.process_time() + seconds\n"
                          "    while time.process_time() < end:\n        sum(range(1000))\n"
                          "if __name__ == '__main__':\n"
                          "    with multiprocessing.Pool(2) as pool:\n        pool.map(spin, [0.7, 0.7])\n")
        run = self.sample(PYTHON, script)
        self.assertGreater(share(run, "spin", "total_percent"), 80, run["functions"][:5])


class KilledTest(StacksTest):
    def test_the_samples_of_a_killed_session_become_a_profile(self):
        session = self.start("run", *RATE, "--", *program("stacks", 60000))
        spool = self.home / "spool"
        wait_until(lambda: spool.exists() and any(f.stat().st_size > 3 << 20 for f in spool.iterdir()),
                   "spooled samples")
        session.kill()
        session.wait()
        run = self.show()
        self.assertEqual(run["state"], "interrupted")
        self.assert_seventy_thirty(run, "Heavy", "Light")
        self.assertEqual(list(spool.iterdir()), [])
        self.assert_nothing_left()


class BadInputTest(StacksTest):
    def test_rates_that_cannot_be_are_refused(self):
        for rate in ("-1", "0.5", "20000", "many", "nan"):
            done = self.edgewise("run", "--stacks", rate, "--", "true")
            self.assertEqual(done.code, 125, (rate, done.stderr))
            self.assert_one_sentence(done.stderr, "--stacks")


if __name__ == "__main__":
    unittest.main()

"""`edgewise apply`: running programs get what a plan has for them, and get back what they had."""
import json
import os
import pathlib
import subprocess
import unittest

from driving import PYTHON, EdgewiseTest, read_text, wait_until

CORES = sorted(os.sched_getaffinity(0))
# Two threads beside the main one, and a child; says when all are there.
FAMILY = """
import subprocess, sys, threading
gate = threading.Event()
for _ in range(2):
    threading.Thread(target=gate.wait, daemon=True).start()
child = subprocess.Popen(["sleep", "1000"], stdout=subprocess.DEVNULL)
print(child.pid, flush=True)
sys.stdin.read()
child.kill()
"""


def threads_of(pid):
    return [int(name) for name in os.listdir(f"/proc/{pid}/task")]


def state_of(tid):
    return (sorted(os.sched_getaffinity(tid)), os.sched_getscheduler(tid), os.sched_getparam(tid).sched_priority)


def cpuset_of(pid):
    [line] = [line for line in read_text(f"/proc/{pid}/cgroup").splitlines()
              if "cpuset" in line.split(":")[1].split(",")] or [""]
    return line


def applied_cgroups():
    """Cgroups of others may come and go meanwhile, which os.walk does not mind."""
    return {pathlib.Path(folder, name) for folder, names, _ in os.walk("/sys/fs/cgroup") for name in names
            if name.startswith("edgewise-applied-")}


def realtime_is_permitted():
    return subprocess.run(["chrt", "-f", "5", "true"], stderr=subprocess.DEVNULL).returncode == 0


class ApplyTest(EdgewiseTest):
    def setUp(self):
        super().setUp()
        self.groups_before = applied_cgroups()
        # Even a failed test leaves the machine as it was.
        self.addCleanup(lambda: self.edgewise("apply", "--undo"))

    def sleeper(self, name, prefix=()):
        """A program that does nothing, called like no other."""
        process = subprocess.Popen([*prefix, "sleep", self.seconds(name)])
        self.addCleanup(self.finish, process)
        wait_until(lambda: read_text(f"/proc/{process.pid}/cmdline").startswith("sleep"), name)
        return process.pid

    def seconds(self, name):
        return str(1_000_000 + os.getpid() * 100 + ord(name))

    def plan(self, *tasks, **plan):
        path = self.scratch / "plan.yaml"
        proofs = [{"cores": cores, "schedulable": True} for cores in {task["cores"] for task in tasks}]
        path.write_text(json.dumps({"tasks": tasks, "proofs": proofs, **plan}))
        return path

    def task(self, name, **more):
        return {"name": name, "command": f"sleep {self.seconds(name)}", "cores": str(CORES[-1]), "wcet_ms": 4,
                "period_ms": 20, "deadline_ms": 20, **more}

    def apply(self, *arguments, code=0, **options):
        done = self.edgewise("apply", *arguments, "--json", **options)
        self.assertEqual(done.code, code, done.stderr + done.stdout)
        return json.loads(done.stdout)

    def need_realtime(self):
        if not realtime_is_permitted():
            self.skipTest("needs real-time policies")

    def assert_as_before(self):
        self.assertFalse((self.home / "applied").exists())
        self.assertEqual(applied_cgroups() - self.groups_before, set())

    def test_what_is_applied_is_there_and_undone(self):
        self.need_realtime()
        a, b = self.sleeper("a"), self.sleeper("b")
        os.sched_setaffinity(b, {CORES[0]})
        before = {pid: (state_of(pid), cpuset_of(pid)) for pid in (a, b)}
        report = self.apply(self.plan(self.task("a"), self.task("b", wcet_ms=8, period_ms=50, deadline_ms=50)))
        self.assertTrue(report["proven"])
        self.assertTrue(any("fixed priorities" in warning for warning in report["warnings"]), report)
        self.assertEqual(state_of(a)[:2], ([CORES[-1]], os.SCHED_FIFO))
        self.assertEqual(state_of(b)[:2], ([CORES[-1]], os.SCHED_FIFO))
        self.assertGreater(state_of(a)[2], state_of(b)[2], "the shorter deadline comes first")
        self.assertTrue(any(change["task"] == "b" and change["what"].startswith(f"cores {CORES[0]} ->")
                            for change in report["changes"]) or CORES[0] == CORES[-1], report)
        undone = self.edgewise("apply", "--undo")
        self.assertEqual(undone.code, 0, undone.stderr)
        self.assertEqual({pid: (state_of(pid), cpuset_of(pid)) for pid in (a, b)}, before)
        self.assert_as_before()

    def test_the_first_state_is_what_undo_restores_however_often_plans_are_applied(self):
        self.need_realtime()
        a = self.sleeper("a")
        before = state_of(a)
        self.apply(self.plan(self.task("a", executor="fifo", priority=20)), code=0)
        self.assertEqual(state_of(a), ([CORES[-1]], os.SCHED_FIFO, 20))
        self.apply(self.plan(self.task("a", executor="rr", priority=30, cores=str(CORES[0]))))
        self.assertEqual(state_of(a), ([CORES[0]], os.SCHED_RR, 30))
        self.assertEqual(self.edgewise("apply", "--undo").code, 0)
        self.assertEqual(state_of(a), before)
        self.assert_as_before()

    def test_threads_and_children_are_part_of_the_program(self):
        self.need_realtime()
        process = subprocess.Popen([PYTHON, "-c", FAMILY], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(self.finish, process)
        child = int(process.stdout.readline())
        self.addCleanup(lambda: subprocess.run(["kill", str(child)], stderr=subprocess.DEVNULL))
        everyone = [*threads_of(process.pid), child]
        self.assertEqual(len(everyone), 4)
        before = {tid: state_of(tid) for tid in everyone}
        self.apply(self.plan(self.task("a", executor="fifo", priority=15)), "--pid", f"a={process.pid}")
        for tid in everyone:
            self.assertEqual(state_of(tid), ([CORES[-1]], os.SCHED_FIFO, 15))
        self.assertEqual(self.edgewise("apply", "--undo").code, 0)
        self.assertEqual({tid: state_of(tid) for tid in everyone}, before)
        process.stdin.close()
        process.wait()

    def test_whenever_it_is_killed_undo_restores_all(self):
        self.need_realtime()
        names = "abcd"
        pids = {name: self.sleeper(name) for name in names}
        before = {name: (state_of(pid), cpuset_of(pid)) for name, pid in pids.items()}
        plan = self.plan(*(self.task(name, wcet_ms=1) for name in names))
        for lines in (1, 2, 4, 7):
            # Each change is a line as soon as it is made.
            process = self.start("apply", plan, bufsize=0)
            for _ in range(lines):
                process.stdout.readline()
            process.kill()
            process.wait()
            self.assertNotEqual({name: (state_of(pid), cpuset_of(pid)) for name, pid in pids.items()}, before)
            undone = self.edgewise("apply", "--undo")
            self.assertEqual(undone.code, 0, undone.stderr)
            self.assertEqual({name: (state_of(pid), cpuset_of(pid)) for name, pid in pids.items()}, before)
            self.assert_as_before()

    def test_a_dry_run_prints_commands_and_changes_nothing(self):
        self.need_realtime()
        a = self.sleeper("a")
        before = state_of(a), cpuset_of(a)
        done = self.edgewise("apply", self.plan(self.task("a", executor="fifo", priority=20)), "--dry-run")
        self.assertEqual(done.code, 0, done.stderr)
        self.assertIn(f"chrt -a -f -p 20 {a}\n", done.stdout)
        if len(CORES) > 1:
            self.assertIn(f"taskset -a -c -p {CORES[-1]} {a}\n", done.stdout)
        self.assertEqual((state_of(a), cpuset_of(a)), before)
        self.assert_as_before()
        # The commands do what apply does.
        for line in done.stdout.splitlines():
            if line.startswith(("chrt", "taskset")):
                subprocess.run(line.split(), check=True, stdout=subprocess.DEVNULL)
        self.assertEqual(state_of(a), ([CORES[-1]], os.SCHED_FIFO, 20))

    def test_a_quota_is_a_cgroup_that_goes_with_undo(self):
        a, b = self.sleeper("a"), self.sleeper("b")
        plan = self.plan(*(self.task(name, executor="other", quota_cores=0.3, wcet_ms=10, period_ms=1000,
                                     deadline_ms=1000) for name in "ab"))
        report = json.loads(self.edgewise("apply", plan, "--json").stdout)
        if any("no quota" in warning for warning in report["warnings"]):
            self.skipTest("no cgroups here")
        [group] = [path for path in applied_cgroups() - self.groups_before
                   if str(a) in path.name and ((path / "cpu.cfs_quota_us").exists() or (path / "cpu.max").exists())]
        quota = read_text(group / "cpu.cfs_quota_us") or read_text(group / "cpu.max").split()[0]
        self.assertEqual(int(quota), 30_000)
        self.assertIn(str(a), read_text(group / "cgroup.procs").split())
        self.assertEqual(self.edgewise("apply", "--undo").code, 0)
        self.assert_as_before()
        self.assertEqual(state_of(b)[1], os.SCHED_OTHER)

    def test_without_the_right_to_real_time_it_falls_back_and_says_so(self):
        prefix = ("setpriv", "--bounding-set", "-sys_nice", "--inh-caps", "-sys_nice") if os.geteuid() == 0 else ()
        if os.geteuid() != 0 and realtime_is_permitted():
            self.skipTest("real-time policies cannot be taken away")
        # Nobody without the right may touch a program that has it.
        a, b = self.sleeper("a", prefix), self.sleeper("b", prefix)
        # Alone on its core it is proven under the ordinary policy too.
        done = self.edgewise("apply", self.plan(self.task("a")), "--json", prefix=prefix)
        report = json.loads(done.stdout)
        self.assertTrue(any("not permitted" in warning for warning in report["warnings"]), report)
        self.assertEqual(state_of(a)[:2], ([CORES[-1]], os.SCHED_OTHER))
        self.assertEqual((done.code, report["proven"]), (0, True))
        # Two are not.
        done = self.edgewise("apply", self.plan(self.task("a"), self.task("b")), "--json", prefix=prefix)
        report = json.loads(done.stdout)
        self.assertEqual((done.code, report["proven"]), (1, False), report)
        self.assertTrue(any("does not hold" in warning for warning in report["warnings"]), report)
        self.assertEqual(state_of(b)[:2], ([CORES[-1]], os.SCHED_OTHER))

    def test_bad_input_gets_one_sentence_and_changes_nothing(self):
        a = self.sleeper("a")
        before = state_of(a)
        gone = subprocess.Popen(["true"])
        gone.wait()
        good = self.task("a")
        for tasks, arguments, words in (
                ([good, self.task("z")], (), ("task z", "no process runs", "--pid z=PID")),
                ([{**good, "quota_cores": 0.5}], (), ("task a", "quota", "real-time")),
                ([{**good, "executor": "fifo"}], (), ("task a", "priority")),
                ([{**good, "cores": "4000"}], (), ("task a", "core 4000")),
                ([good], ("--pid", "x=1"), ("task x",)),
                ([good], ("--pid", "a"), ("--pid a", "TASK=PID")),
                ([good], ("--pid", f"a={gone.pid}"), ("task a", "no process")),
                ([{**good, "process_per_job": True}], (), ("task a", "edgewise exec"))):
            with self.subTest(words):
                done = self.edgewise("apply", self.plan(*tasks), *arguments)
                self.assertEqual(done.code, 2, done.stderr)
                self.assert_one_sentence(done.stderr, *words)
        done = self.edgewise("apply")
        self.assertEqual(done.code, 2)
        self.assert_one_sentence(done.stderr, "--undo")
        done = self.edgewise("apply", "--undo")
        self.assertEqual(done.code, 2)
        self.assert_one_sentence(done.stderr, "nothing to undo")
        twin = subprocess.Popen(["sleep", self.seconds("a")])
        self.addCleanup(self.finish, twin)
        wait_until(lambda: read_text(f"/proc/{twin.pid}/cmdline").startswith("sleep"), "the twin")
        done = self.edgewise("apply", self.plan(good))
        self.assertEqual(done.code, 2)
        self.assert_one_sentence(done.stderr, "task a", str(a), str(twin.pid), "--pid a=PID")
        self.assertEqual(state_of(a), before)
        self.assert_as_before()

    def test_a_plan_for_another_machine_needs_force(self):
        a = self.sleeper("a")
        plan = self.plan(self.task("a", executor="other"), machine="0123456789abcdef", machine_name="raspberrypi")
        done = self.edgewise("apply", plan)
        self.assertEqual(done.code, 2)
        self.assert_one_sentence(done.stderr, "another machine (raspberrypi)", "--force")
        report = self.apply(plan, "--force")
        self.assertTrue(any("another machine" in warning for warning in report["warnings"]))
        self.assertEqual(state_of(a)[0], [CORES[-1]])


if __name__ == "__main__":
    unittest.main()

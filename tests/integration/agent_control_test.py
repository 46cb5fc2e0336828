"""edgewise agent --goals: apps get limits and knobs for their goals, decisions are told, and everything is undone."""
import json
import os
import pathlib
import shutil
import subprocess
import unittest

from driving import PROGRAMS, read_text, wait_until
from live import AgentTest, sample

CGROUPS = pathlib.Path("/sys/fs/cgroup")


def cpu_cgroups_can_be_made():
    """Whether apps can be moved to cpu cgroups here: as root, where there is a hierarchy with that controller."""
    if os.geteuid() != 0:
        return False
    for folder in (CGROUPS / "cpu", CGROUPS):
        probe = folder / f"edgewise-test-{os.getpid()}"
        try:
            probe.mkdir()
            usable = any((probe / name).exists() for name in ("cpu.max", "cpu.cfs_quota_us"))
            probe.rmdir()
            if usable:
                return True
        except OSError:
            pass
    return False


def group_of(pid):
    """Where the agent has put a process; None if nowhere."""
    return next(iter(CGROUPS.glob(f"**/edgewise-agent-{pid}")), None)


def quota_of(folder):
    text = read_text(folder / "cpu.max") or read_text(folder / "cpu.cfs_quota_us")
    return text.split()[0]


def groups_of_its_own(name):
    """Folders that together make a cgroup for one app: on v1 one of each tree, on v2 one beside the test's own."""
    trees = [CGROUPS / tree / name for tree in ("cpu", "cpuacct", "memory", "unified")
             if (CGROUPS / tree / "cgroup.procs").exists()]
    if trees:
        return trees
    own = read_text("/proc/self/cgroup").strip().partition("0::/")[2]
    return [(CGROUPS / own).parent / name] if own else []


class ControlTest(AgentTest):
    def goals(self, text):
        path = self.scratch / "goals.yaml"
        path.write_text(text)
        return path

    def steerable(self, cpu_ms, hz, name="tracker"):
        output = open(self.scratch / f"{name}.out", "w")
        self.addCleanup(output.close)
        process = subprocess.Popen([PROGRAMS / "steerable", str(cpu_ms), str(hz)],
                                   env={**self.app_environment, "EDGEWISE_APP": name}, stdin=subprocess.DEVNULL,
                                   stdout=output, stderr=subprocess.DEVNULL)
        self.addCleanup(self.finish, process)
        return process

    def printed(self, name="tracker"):
        return (self.scratch / f"{name}.out").read_text().split("\n")

    def log(self):
        done = self.edgewise("agent", "log", "--json", "--last", "1000")
        return json.loads(done.stdout) if done.code == 0 else []

    def wait_for_decision(self, kind, condition=lambda decision: True):
        return wait_until(lambda: next((d for d in self.log() if d["kind"] == kind and condition(d)), None),
                          f"a decision of kind {kind}")


class DecidingTest(ControlTest):
    def test_without_acting_decisions_are_logged_and_nothing_is_set(self):
        self.agent("--no-http", "--goals", self.goals('apps: {tracker: {goal: "fps >= 2"}}'), "--observe")
        app = self.steerable(5, 20)
        decision = self.wait_for_decision("cpu")
        self.assertEqual((decision["app"], decision["goal"], decision["carried_out"]), ("tracker/0", "fps >= 2", False))
        self.assertGreater(decision["measured"], 2)
        self.assertLess(decision["granted_cores"], 1)
        self.assertIsNone(group_of(app.pid))
        self.assertFalse((self.home / "controlled").exists())
        shown = self.edgewise("agent", "log")
        self.assertIn("tracker/0: CPU unlimited → ", shown.stdout)
        self.assertIn("(not done)", shown.stdout)
        top = self.edgewise("top", "--socket", self.socket)
        self.assertIn("only observed", top.stdout)

    def test_goals_that_make_no_sense_are_refused_with_their_line(self):
        done = self.edgewise("agent", "--no-http", "--socket", self.socket, "--goals",
                             self.goals('apps:\n  a: {gaol: "fps >= 1"}\n'))
        self.assertEqual(done.code, 2)
        self.assert_one_sentence(done.stderr, "goals.yaml:2:", "did you mean `goal`")
        done = self.edgewise("agent", "--no-http", "--socket", self.socket, "--observe")
        self.assertEqual(done.code, 2)
        self.assert_one_sentence(done.stderr, "--goals")
        done = self.edgewise("agent", "log")
        self.assertEqual(done.code, 2)
        self.assert_one_sentence(done.stderr, "--goals")

    def test_a_file_of_goals_that_changes_is_read_again_and_a_bad_one_is_told(self):
        path = self.goals('apps: {nobody: {goal: "fps >= 1"}}')
        self.agent("--no-http", "--goals", path, "--observe")
        self.steerable(2, 20)
        self.wait_for_app("tracker")
        path.write_text("apps: {tracker: {goal: \"fps >> 1\"}}")
        refused = self.wait_for_decision("refused")
        self.assertIn("is no goal", refused["why"])
        path.write_text("apps: {tracker: {goal: \"fps >= 1\"}}")
        self.wait_for_decision("joined", lambda decision: decision["app"] == "tracker/0")

    def test_what_is_decided_is_exported(self):
        agent = self.agent("--goals", self.goals('apps: {tracker: {goal: "fps >= 2", weight: 2}}'), "--observe")
        self.steerable(5, 20)
        self.wait_for_decision("cpu")
        text, _ = self.get(agent.url + "/metrics")
        self.assertEqual(sample(text, "edgewise_app_goal_info", app="tracker", goal="fps >= 2"), 1)
        self.assertLess(sample(text, "edgewise_app_cpu_quota_cores", app="tracker"), 1)
        self.assertEqual(sample(text, "edgewise_control_observe"), 1)
        self.assertEqual(sample(text, "edgewise_control_changes_total"), 0)
        self.assertGreaterEqual(sample(text, "edgewise_control_decisions_total"), 2)
        self.assertIsNotNone(sample(text, "edgewise_app_goal_met", app="tracker"))
        if shutil.which("promtool"):
            checked = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True)
            self.assertEqual((checked.returncode, checked.stderr), (0, ""))


@unittest.skipUnless(cpu_cgroups_can_be_made(), "needs root and a cpu cgroup controller")
class ActingTest(ControlTest):
    def setUp(self):
        super().setUp()
        self.before = set(CGROUPS.glob("**/edgewise-agent-*"))

    def limited(self, *options):
        agent = self.agent("--no-http", "--goals", self.goals('apps: {tracker: {goal: "fps >= 2", min: {cpu: 100m}}}'),
                           *options)
        app = self.steerable(5, 20)
        was = read_text(f"/proc/{app.pid}/cgroup")
        wait_until(lambda: group_of(app.pid) and quota_of(group_of(app.pid)) not in ("-1", "max"), "a quota")
        return agent, app, was

    def assert_undone(self, app, was):
        wait_until(lambda: group_of(app.pid) is None and not (self.home / "controlled").exists(), "everything to be undone")
        self.assertEqual(read_text(f"/proc/{app.pid}/cgroup"), was)
        self.assertEqual(set(CGROUPS.glob("**/edgewise-agent-*")), self.before)

    def test_an_app_is_limited_to_what_its_goal_takes_and_freed_at_the_end(self):
        agent, app, was = self.limited()
        limit = self.wait_for_app("tracker", lambda app: app["control"] and app["control"]["quota_cores"])["control"]
        self.assertGreaterEqual(limit["quota_cores"], 0.1)
        self.assertLess(limit["quota_cores"], 0.5)
        weight, usual = read_text(group_of(app.pid) / "cpu.weight"), 100
        if not weight:
            weight, usual = read_text(group_of(app.pid) / "cpu.shares"), 1024
        self.assertGreater(int(weight), usual)  # apps with goals go first
        self.end(agent)
        self.assert_undone(app, was)

    def test_after_kill_9_of_the_agent_its_keeper_undoes_everything(self):
        agent, app, was = self.limited()
        agent.kill()
        agent.wait()
        self.assert_undone(app, was)

    def test_after_kill_9_of_both_the_next_agent_undoes_everything(self):
        agent, app, was = self.limited()
        children = read_text(f"/proc/{agent.pid}/task/{agent.pid}/children").split()
        [keeper] = [int(pid) for pid in children if read_text(f"/proc/{pid}/comm").strip() == "edgewise-keeper"]
        os.kill(keeper, 9)
        agent.kill()
        agent.wait()
        self.assertIsNotNone(group_of(app.pid))
        second = self.agent("--no-http", "--goals", self.goals('apps: {nobody: {goal: "fps >= 2"}}'))
        wait_until(lambda: group_of(app.pid) is None, "the old limit to be lifted")
        self.end(second)
        self.assert_undone(app, was)

    def cores_of(self, pid):
        return next(line.split()[1] for line in read_text(f"/proc/{pid}/status").splitlines()
                    if line.startswith("Cpus_allowed_list"))

    def test_cores_are_set_and_given_back_after_kill_9(self):
        agent = self.agent("--no-http", "--goals", self.goals('apps: {tracker: {goal: "fps >= 2", cpus: "0"}}'))
        app = self.steerable(5, 20)
        before = self.cores_of(app.pid)
        if before == "0":
            self.skipTest("there is one core only")
        wait_until(lambda: self.cores_of(app.pid) == "0", "its cores")
        agent.kill()
        agent.wait()
        wait_until(lambda: self.cores_of(app.pid) == before, "all cores again")

    def alone_in(self, name, app):
        """Puts an app into a cgroup of its own, which goes with it; its folders."""
        folders = groups_of_its_own(name)

        def remove():
            self.finish(app)
            for folder in folders:
                wait_until(lambda: not read_text(folder / "cgroup.procs").strip(), "the app's end")
                folder.rmdir()
        for folder in folders:
            folder.mkdir()
        self.addCleanup(remove)
        for folder in folders:
            (folder / "cgroup.procs").write_text(str(app.pid))
        return folders

    def test_memory_of_an_app_in_cgroups_of_its_own_is_limited_and_freed_after_kill_9(self):
        app = self.steerable(5, 20)
        folders = self.alone_in(f"edgewise-test-{os.getpid()}", app)
        names = ("memory.high", "memory.soft_limit_in_bytes")
        limit = next((folder / name for folder in folders for name in names if (folder / name).exists()), None)
        if not limit:
            self.skipTest("needs the memory controller")
        before = read_text(limit)
        agent = self.agent("--no-http", "--goals",
                           self.goals('apps: {tracker: {goal: "fps >= 2", max: {memory: 200Mi}}}'))
        wait_until(lambda: read_text(limit).strip() == str(200 << 20), "its memory limit")
        self.assertIn("200 MiB", self.wait_for_decision("memory")["what"])
        agent.kill()
        agent.wait()
        wait_until(lambda: read_text(limit) == before, "no limit again")

    def test_what_a_kubelet_owns_is_only_observed(self):
        pod = self.steerable(5, 20)
        folders = self.alone_in(f"kubepods-edgewise-test-{os.getpid()}", pod)

        def limits():
            names = ("cpu.max", "cpu.weight", "cpu.cfs_quota_us", "cpu.shares", "memory.high",
                     "memory.soft_limit_in_bytes")
            return [read_text(folder / name) for folder in folders for name in names]
        before = limits(), read_text(f"/proc/{pod.pid}/cgroup")
        agent = self.agent("--no-http", "--goals", self.goals(
            'apps: {tracker: {goal: "fps >= 2", max: {memory: 200Mi}}, other: {goal: "fps >= 2"}}'))
        joined = self.wait_for_decision("joined", lambda decision: decision["app"] == "tracker/0")
        self.assertEqual((joined["what"], joined["why"]), ("only observed", "A kubelet owns its cgroup"))
        other = self.steerable(5, 20, name="other")
        wait_until(lambda: group_of(other.pid), "a limit of an app that no kubelet owns")
        self.assertEqual((limits(), read_text(f"/proc/{pod.pid}/cgroup")), before)
        self.end(agent)

    def without_writable_cgroups(self):
        """What starts a program that sees all cgroups and may change none."""
        return ["unshare", "--mount", "sh", "-c", "for each in $(awk '$3 ~ /^cgroup/ {print $2}' /proc/mounts); do "
                'mount -o remount,bind,ro "$each" || exit 1; done; exec "$@"', "sh"]

    def test_where_no_cgroup_may_be_written_programs_without_a_goal_are_nice_until_kill_9(self):
        apps = {"batch": self.steerable(5, 20, name="batch"), "own": self.steerable(5, 20, name="own")}
        self.alone_in(f"edgewise-test-{os.getpid()}", apps["own"])
        agent = self.agent("--no-http", "--goals", self.goals('apps: {batch: {weight: 0.5}, own: {weight: 0.5}}'),
                           prefix=self.without_writable_cgroups())

        def niceness(name):
            return os.getpriority(os.PRIO_PROCESS, apps[name].pid)
        for name in apps:
            with self.subTest(name):
                wait_until(lambda: niceness(name) == 10, "a nice value")
        self.assertIn("cgroup", self.wait_for_decision("refused")["why"])
        agent.kill()
        agent.wait()
        for name in apps:
            with self.subTest(name):
                wait_until(lambda: niceness(name) == 0, "the nice value it had")
        wait_until(lambda: not (self.home / "controlled").exists(), "everything to be undone")

    def test_an_app_that_ends_takes_its_limit_with_it(self):
        _, app, _ = self.limited()
        app.kill()
        app.wait()
        wait_until(lambda: group_of(app.pid) is None, "its cgroup to go")
        self.wait_for_decision("left")

    def test_a_knob_is_turned_where_cpu_is_not_enough_and_goes_back_without_the_agent(self):
        agent = self.agent("--no-http", "--goals", self.goals(
            'apps: {tracker: {goal: "fps >= 20", max: {cpu: 300m}, knobs: {stride: [1, 2, 4, 8, 16]}}}'))
        self.steerable(30, 40)
        decision = self.wait_for_decision("knob")
        self.assertIn("stride 1 → ", decision["what"])
        wait_until(lambda: any(line in ("stride 2", "stride 4", "stride 8") for line in self.printed()), "another stride")
        self.assertNotIn("stride 16", self.printed())  # outside its range
        agent.kill()
        agent.wait()
        wait_until(lambda: self.printed()[-2] == "stride 1", "the preset stride")

    def test_a_change_that_would_break_a_plan_in_force_is_refused(self):
        app = self.steerable(5, 20)
        core = min(os.sched_getaffinity(0))
        plan = self.scratch / "plan.yaml"
        plan.write_text(f"tasks:\n  - {{name: tracker, executor: other, cores: {core}, wcet_ms: 10, period_ms: 50, "
                        "deadline_ms: 50}\n")
        applied = self.edgewise("apply", plan, "--pid", f"tracker={app.pid}", "--force")
        self.addCleanup(self.edgewise, "apply", "--undo")
        self.assertIn(applied.code, (0, 1), applied.stderr)
        self.agent("--no-http", "--goals", self.goals('apps: {tracker: {goal: "fps >= 2"}}'))
        refused = self.wait_for_decision("refused")
        self.assertIn("task tracker of a plan in force", refused["why"])
        self.assertIsNone(group_of(app.pid))
        self.assertEqual(self.edgewise("apply", "--undo").code, 0)
        wait_until(lambda: group_of(app.pid), "a limit, once the plan is not in force any more")


if __name__ == "__main__":
    unittest.main()

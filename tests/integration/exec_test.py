"""`edgewise exec`: jobs of several programs by their deadlines, and every way that can go wrong."""
import json
import os
import pathlib
import signal
import subprocess
import time
import unittest

from driving import PROGRAMS, PYTHON, SOURCE, EdgewiseTest, alive, processes_with, program, wait_until


def realtime_is_permitted():
    return subprocess.run(["chrt", "-f", "5", "true"], stderr=subprocess.DEVNULL).returncode == 0


class ExecTest(EdgewiseTest):
    def plan(self, *tasks, **plan):
        """A plan file; JSON is YAML."""
        path = self.scratch / "plan.yaml"
        path.write_text(json.dumps({"tasks": tasks, **plan}))
        return path

    @staticmethod
    def task(name, command, **more):
        return {"name": name, "command": " ".join(command), "cores": "0", "wcet_ms": 4, "period_ms": 20,
                "deadline_ms": 20, **more}

    def execute(self, *arguments, code=None):
        done = self.edgewise("exec", *arguments, "--json")
        if code is not None:
            self.assertEqual(done.code, code, done.stderr + done.stdout[-2000:])
        return json.loads(done.stdout)

    def tasks_of(self, result, way="plan"):
        [execution] = [each for each in result["executions"] if each["way"] == way]
        return {task["name"]: task for task in execution["tasks"]}

    def test_every_release_has_its_job_and_all_is_stored(self):
        plan = self.plan(self.task("a", program("task", "steady", 500)),
                         self.task("b", program("task", "steady", 500), period_ms=50, deadline_ms=50))
        result = self.execute(plan, "--duration", "600ms")
        tasks = self.tasks_of(result)
        self.assertEqual(tasks["a"]["jobs"], 30)
        self.assertEqual(tasks["b"]["jobs"], 12)
        self.assertEqual(tasks["a"]["ended"] + tasks["a"]["unstarted"], 30)
        response = tasks["a"]["response_ns"]
        self.assertGreaterEqual(response["min"], tasks["a"]["cpu_ns"]["min"])
        self.assertGreater(tasks["a"]["cpu_ns"]["min"], 450_000)
        # One Run of each program, one of the schedule; all of one group.
        runs = {run["label"]: run for run in self.stored()}
        self.assertEqual(set(runs), {"a", "b", "plan.yaml"})
        self.assertEqual(runs["a"]["id"], tasks["a"]["run"])
        self.assertEqual({run["group"] for run in runs.values()}, {result["group"]})
        schedule = self.show(runs["plan.yaml"]["id"])
        counts = {span["name"]: span["count"] for span in schedule["spans"]}
        self.assertEqual(counts, {"a": tasks["a"]["ended"], "b": tasks["b"]["ended"]})
        own = self.show(runs["a"]["id"])
        self.assertEqual([(s["name"], s["count"]) for s in own["spans"]], [("work", tasks["a"]["ended"])])
        self.assertEqual((own["end_reason"], own["exit_code"]), ("exited", 0))
        self.assertIn(f"{tasks['a']['ended']} jobs", own["output_tail"])
        self.assert_nothing_left()

    def test_the_labs_way_misses_what_the_plan_meets(self):
        # A job of 60 ms blocks whoever is in the same queue.
        plan = self.plan(self.task("short", program("task", "steady", 1000), cores="0"),
                         self.task("long", program("task", "steady", 60_000), cores="1", wcet_ms=80, period_ms=200,
                                   deadline_ms=200))
        if os.cpu_count() < 2 or not realtime_is_permitted():
            self.skipTest("needs two cores and real-time policies")
        result = self.execute(plan, "--compare", "--duration", "2s")
        lab, plan = self.tasks_of(result, "lab")["short"], self.tasks_of(result)["short"]
        # Of each ten releases two or three fall into a long job.
        self.assertGreater(lab["misses"], 10)
        self.assertLess(plan["misses"], lab["misses"])
        self.assertIsNotNone(lab["miss_ratio_low"])

    def test_each_executor_runs_its_jobs(self):
        if not realtime_is_permitted():
            self.skipTest("needs real-time policies")
        steady = program("task", "steady", 200)
        plan = self.plan(self.task("edf", steady),
                         self.task("preemptive", steady, executor="edf-preemptive"),
                         self.task("fifo", steady, executor="fifo", priority=40),
                         self.task("rr", steady, executor="rr", priority=30),
                         self.task("deadline", steady, executor="deadline", runtime_ms=5, cores="0"),
                         self.task("other", steady, executor="other"),
                         self.task("started", ["/bin/true"], process_per_job=True, period_ms=50, deadline_ms=50))
        result = self.execute(plan, "--duration", "400ms")
        for name, task in self.tasks_of(result).items():
            self.assertEqual(task["jobs"], 8 if name == "started" else 20, name)
            self.assertGreater(task["ended"], 0, name)

    def test_a_python_program_is_a_task(self):
        script = self.scratch / "loop.py"
        script.write_text("import edgewise\nn = 0\n"
                          "for job in edgewise.Periodic('loop', 1.0):\n    n += 1\nprint('ended after', n)\n")
        self.environment["PYTHONPATH"] = str(SOURCE / "clients/python")
        self.environment["EDGEWISE_CLIENT_LIB"] = str(PROGRAMS.parents[2] / "libedgewise_client.so")
        task = self.tasks_of(self.execute(self.plan(self.task("py", [PYTHON, str(script)])),
                                          "--duration", "300ms"))["py"]
        self.assertEqual(task["jobs"], 15)
        self.assertIn(f"ended after {task['ended']}", self.show(task["run"])["output_tail"])

    def test_a_broken_bound_is_said_and_marks_the_card(self):
        (self.scratch / "card.yaml").write_text("name: x  # mine\nwcet_ms: 1\n")
        plan = self.plan(self.task("x", program("task", "steady", 3000), wcet_ms=1, response_bound_ms=2,
                                   card="card.yaml"))
        done = self.edgewise("exec", plan, "--duration", "200ms")
        self.assertEqual(done.code, 1, done.stderr)
        self.assertIn("FALSIFIED: task x took", done.stdout)
        self.assertIn("C exceeded", done.stdout)
        card = (self.scratch / "card.yaml").read_text()
        self.assertTrue(card.startswith("name: x  # mine\nwcet_ms: 1\nfalsified: "), card)
        self.assertIn("card.yaml is marked", done.stderr)

    def test_late_releases_are_skipped_if_the_plan_says_so(self):
        result = self.execute(self.plan(self.task("x", program("task", "steady", 30_000), on_miss="skip")),
                              "--duration", "400ms")
        task = self.tasks_of(result)["x"]
        self.assertGreater(task["skipped"], 0)
        self.assertEqual(task["jobs"], 20)
        self.assertGreaterEqual(task["misses"], task["skipped"])

    def test_a_program_that_leaves_is_said_with_its_last_words(self):
        plan = self.plan(self.task("quits", program("task", "leaves", 3)),
                         self.task("stays", program("task", "steady", 100)))
        done = self.edgewise("exec", plan, "--duration", "60s")
        self.assertEqual(done.code, 2)
        self.assert_one_sentence(done.stderr, "task quits", "ended by itself", "exit code 3", "I had enough")
        self.assert_nothing_left()

    def test_a_program_that_leaves_before_its_first_job_is_said(self):
        done = self.edgewise("exec", self.plan(self.task("x", ["/bin/echo", "hello"])))
        self.assertEqual(done.code, 2)
        self.assert_one_sentence(done.stderr, "task x", "exit code 0", "hello")

    def test_a_program_that_asks_for_no_job_is_said(self):
        plan = self.plan(self.task("silent", program("task", "never")))
        done = self.edgewise("exec", plan, "--ready-timeout", "300ms")
        self.assertEqual(done.code, 2)
        self.assert_one_sentence(done.stderr, "task silent", "Periodic", "process_per_job")
        self.assert_nothing_left()

    def test_a_job_that_hangs_is_found_by_the_watchdog(self):
        plan = self.plan(self.task("stuck", program("task", "hangs", 2)))
        done = self.edgewise("exec", plan, "--watchdog", "300ms", "--duration", "60s")
        self.assertEqual(done.code, 2)
        self.assert_one_sentence(done.stderr, "task stuck", "did not end a job within 300 ms")
        self.assert_nothing_left()

    def test_a_program_that_does_not_listen_is_ended(self):
        result = self.execute(self.plan(self.task("deaf", program("task", "deaf"))), "--duration", "200ms")
        self.assertEqual(self.tasks_of(result)["deaf"]["jobs"], 10)
        self.assert_nothing_left()

    def test_bad_plans_get_one_sentence(self):
        steady = program("task", "steady", 100)
        for plan, words in (
                (self.task("x", ["/nonexistent/program"]), ("task x", "/nonexistent/program")),
                (self.task("x", steady, cores="4000"), ("task x", "core 4000")),
                (self.task("x", steady, quota_cores=0.5), ("task x", "quota")),
                ({**self.task("x", steady), "wcet_ms": 30}, ("plan.yaml:1", "wcet_ms is above deadline_ms")),
                ({"name": "x"}, ("plan.yaml:1", "cores"))):
            done = self.edgewise("exec", self.plan(plan))
            self.assertEqual(done.code, 2, done.stderr)
            self.assert_one_sentence(done.stderr, *words)
        done = self.edgewise("exec", "missing.yaml")
        self.assertEqual(done.code, 2)
        self.assert_one_sentence(done.stderr, "missing.yaml")

    def test_a_plan_for_another_machine_is_said(self):
        plan = self.plan(self.task("x", program("task", "steady", 100)), machine="0123456789abcdef",
                         machine_name="raspberrypi")
        result = self.execute(plan, "--duration", "100ms")
        self.assertTrue(any("another machine (raspberrypi)" in warning
                            for warning in result["executions"][0]["warnings"]), result)

    def test_without_the_right_to_real_time_it_runs_by_edf_with_a_proof_of_its_own(self):
        prefix = ("setpriv", "--bounding-set", "-sys_nice", "--inh-caps", "-sys_nice")
        if os.geteuid() == 0:
            done = self.edgewise("exec", self.plan(self.task("x", program("task", "steady", 100))),
                                 "--duration", "100ms", "--json", prefix=prefix)
        elif realtime_is_permitted():
            self.skipTest("real-time policies cannot be taken away")
        else:
            done = self.edgewise("exec", self.plan(self.task("x", program("task", "steady", 100))),
                                 "--duration", "100ms", "--json")
        [execution] = json.loads(done.stdout)["executions"]
        self.assertFalse(execution["realtime"])
        [warning] = [each for each in execution["warnings"] if "real-time policies were refused" in each]
        self.assertIn("the proof was redone for that and holds", warning)
        self.assertGreater(execution["tasks"][0]["response_bound_ns"], 0)
        self.assertGreater(execution["tasks"][0]["ended"], 0)

    def test_ctrl_c_ends_it_in_order_and_keeps_what_there_is(self):
        process = self.start("exec", self.plan(self.task("x", program("task", "steady", 100))), "--duration", "600s",
                             "--json")
        wait_until(lambda: processes_with("EDGEWISE_RELEASES="), "the task")
        time.sleep(0.3)  # some jobs; how many does not matter
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, stderr)
        self.assert_nothing_left()

    def test_kill_9_leaves_nothing(self):
        plan = self.plan(self.task("x", program("task", "steady", 100)), self.task("y", program("task", "deaf")),
                         self.task("z", ["sleep", "1000"], process_per_job=True, cores="0"))
        process = self.start("exec", plan, "--duration", "600s")
        pids = wait_until(lambda: (lambda found: found if len(found) >= 3 else None)(
            [pid for pid in processes_with(f"EDGEWISE_HOME={self.home}") if pid != process.pid]), "the tasks")
        process.kill()
        process.wait()
        wait_until(lambda: not any(alive(pid) for pid in pids), "the end of the tasks")
        # What its guardians clean up, or the next start does.
        self.edgewise("list")
        self.assert_nothing_left()


if __name__ == "__main__":
    unittest.main()

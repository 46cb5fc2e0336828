"""Every condition that `run` can set, seen from inside the program."""
import json
import os
import unittest

from driving import PATIENCE_S, PYTHON, EdgewiseTest, program, wait_until


class ConditionsTest(EdgewiseTest):
    def limited(self, *flags, command, code=0):
        """As run_json; skips where cgroups with limits cannot be made."""
        done = self.edgewise("run", "--json", *flags, "--", *command)
        if done.code == 125 and (os.geteuid() != 0 or "controller" in done.stderr or "Read-only" in done.stderr):
            self.skipTest("limits cannot be set here: " + done.stderr.strip())
        self.assertEqual(done.code, code, done.stderr)
        return json.loads(done.stdout)

    def test_cpus_hold_the_program_to_cores(self):
        core = min(os.sched_getaffinity(0))
        run = self.run_json("--cpus", core, "--", "grep", "Cpus_allowed_list", "/proc/self/status")
        self.assertEqual(run["output_tail"].split(), ["Cpus_allowed_list:", str(core)])
        self.assertEqual(run["conditions"]["cpus"], [core])

    def test_threads_are_told_to_every_library(self):
        run = self.run_json("--threads", 3, "--", "env")
        for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS",
                     "EDGEWISE_THREADS"):
            self.assertIn(f"{name}=3\n", run["output_tail"])
        self.assertEqual(run["conditions"]["threads"], 3)

    def test_env_sets_and_overrides(self):
        run = self.run_json("--threads", 3, "--env", "COLOUR=deep blue=x", "--env", "OMP_NUM_THREADS=1", "--", "env")
        self.assertIn("COLOUR=deep blue=x\n", run["output_tail"])
        self.assertIn("OMP_NUM_THREADS=1\n", run["output_tail"])
        self.assertEqual(run["conditions"]["env"], {"COLOUR": "deep blue=x", "OMP_NUM_THREADS": "1"})

    def test_cwd_is_where_it_starts(self):
        folder = self.scratch / "a folder"
        folder.mkdir()
        run = self.run_json("--cwd", folder, "--", "pwd")
        self.assertEqual(run["output_tail"], f"{folder}\n")

    def test_a_relative_command_is_looked_for_in_cwd(self):
        folder = self.scratch / "folder"
        folder.mkdir()
        (folder / "tool").write_text("#!/bin/sh\necho here\n")
        (folder / "tool").chmod(0o755)
        self.assertEqual(self.run_json("--cwd", folder, "--", "./tool")["output_tail"], "here\n")

    def test_nice_is_set(self):
        self.assertEqual(self.run_json("--nice", 7, "--", "nice")["output_tail"], "7\n")

    def test_policies_are_set(self):
        script = "import os; print(os.sched_getscheduler(0), os.sched_getparam(0).sched_priority)"
        for policy, expected in (("batch", os.SCHED_BATCH), ("idle", os.SCHED_IDLE), ("other", os.SCHED_OTHER)):
            run = self.run_json("--policy", policy, "--", PYTHON, "-c", script)
            self.assertEqual(run["output_tail"], f"{expected} 0\n")
            self.assertEqual(run["conditions"]["policy"], policy)

    def test_real_time_policies_are_set(self):
        script = "import os; print(os.sched_getscheduler(0) & 0xff, os.sched_getparam(0).sched_priority)"
        for policy, expected in (("fifo:7", os.SCHED_FIFO), ("rr:3", os.SCHED_RR)):
            done = self.edgewise("run", "--json", "--policy", policy, "--", PYTHON, "-c", script)
            if done.code == 125 and "(policy)" in done.stderr:
                self.skipTest("real-time policies are refused here: " + done.stderr.strip())
            self.assertEqual(done.code, 0, done.stderr)
            self.assertEqual(json.loads(done.stdout)["output_tail"], f"{expected} {policy.partition(':')[2]}\n")

    def test_a_cpu_quota_throttles_and_says_so(self):
        run = self.limited("--cpu-quota", "20%", command=program("burn", 300, 1))
        self.assertEqual(run["conditions"]["cpu_quota_cores"], 0.2)
        self.assertGreater(run["throttled_periods"], 0)
        self.assertGreater(run["throttled_s"], 0)
        self.assertLess(run["cpu_percent"], 60)
        shown = self.edgewise("show")
        self.assertIn("throttled", shown.stdout)

    def test_a_memory_limit_kills_and_is_named(self):
        run = self.limited("--memory-limit", "40Mi", command=program("burn", 0, 200), code=137)
        self.assertEqual((run["end_reason"], run["signal"]), ("out_of_memory", 9))
        self.assertEqual(run["conditions"]["memory_limit_bytes"], 40 << 20)
        self.assertLess(run["max_rss_bytes"], 48 << 20)
        self.assertIn("memory limit of 40", self.edgewise("show").stdout)

    def test_a_memory_limit_that_kills_a_child_is_named(self):
        script = " ".join(program("burn", 0, 200)) + "; exit 3"
        run = self.limited("--memory-limit", "40Mi", command=["sh", "-c", script], code=3)
        self.assertEqual(run["end_reason"], "exited")
        self.assertTrue(any("memory limit" in warning for warning in run["warnings"]), run["warnings"])

    def test_a_memory_limit_that_suffices_is_not_noticed(self):
        run = self.limited("--memory-limit", "200Mi", command=program("burn", 0, 40))
        self.assertEqual(run["end_reason"], "exited")

    def test_limits_leave_nothing_behind(self):
        self.limited("--memory-limit", "200Mi", "--cpu-quota", "0.5", command=["true"])
        self.assert_nothing_left()


class HooksTest(EdgewiseTest):
    def test_prepare_and_cleanup_run_around_each_measurement(self):
        log = self.scratch / "log"
        self.run_json("--repeat", 2, "--prepare", f"echo prepare >>{log}", "--cleanup", f"echo cleanup >>{log}",
                      "--", "sh", "-c", f"echo program >>{log}")
        self.assertEqual(log.read_text().split(), ["prepare", "program", "cleanup"] * 2)

    def test_hooks_are_not_measured(self):
        burn = " ".join(program("burn", 300, 100))
        run = self.run_json("--prepare", burn, "--cleanup", burn, "--", "true")
        self.assertLess(run["cpu_user_s"] + run["cpu_system_s"], 0.2)
        self.assertLess(run["max_rss_bytes"], 50 << 20)
        self.assertEqual(run["output_tail"], "")

    def test_a_failing_prepare_stops_the_run(self):
        done = self.edgewise("run", "--prepare", "exit 3", "--", "touch", self.scratch / "ran")
        self.assertEqual(done.code, 125)
        self.assert_one_sentence(done.stderr, "--prepare", "exit code 3")
        self.assertFalse((self.scratch / "ran").exists())
        self.assertEqual(self.stored(), [])
        self.assert_nothing_left()

    def test_cancelling_prepare_ends_it(self):
        mark = self.scratch / "mark"
        process = self.start("run", "--prepare", f"touch {mark}; sleep 1000", "--", "true")
        wait_until(mark.exists, "--prepare to run")
        process.terminate()
        _, stderr = process.communicate(timeout=PATIENCE_S)
        self.assertEqual(process.returncode, 125)
        self.assert_one_sentence(stderr.decode(), "cancelled while --prepare")
        self.assert_nothing_left()

    def test_a_failing_cleanup_is_a_warning(self):
        run = self.run_json("--cleanup", "exit 3", "--", "sh", "-c", "exit 5", code=5)
        self.assertTrue(any("--cleanup" in warning and "exit code 3" in warning for warning in run["warnings"]),
                        run["warnings"])


class MeasuringTest(EdgewiseTest):
    def test_label_and_note_are_kept_and_found(self):
        self.run_json("--label", "first", "--note", "quiet room", "--", "true")
        self.run_json("--", "true")
        run = self.show("first")
        self.assertEqual((run["label"], run["note"]), ("first", "quiet room"))

    def test_sample_hz_decides_how_often(self):
        def samples(hz):
            run = self.run_json("--sample-hz", hz, "--", "sleep", "0.6")
            self.assertEqual(run["conditions"]["sample_hz"], hz)
            return next(series["count"] for series in run["series"] if series["name"] == "rss")
        self.assertGreater(samples(100), 2 * samples(4))

    def test_events_are_read_or_explained(self):
        run = self.run_json("--events", "page-faults,context-switches,cycles", "--", *program("burn", 50, 8))
        counters = {counter["name"]: counter["value"] for counter in run["counters"]}
        unavailable = " ".join(entry["what"] for entry in run["unavailable"])
        for name in ("page-faults", "context-switches", "cycles"):
            self.assertTrue((counters.get(name) is not None) != (name in unavailable), (name, counters, unavailable))
        if "page-faults" in counters:
            self.assertGreater(counters["page-faults"], 8 * 256)

    def test_repeat_gives_runs_and_a_summary(self):
        result = self.run_json("--repeat", 3, "--", *program("burn", 20, 4))
        self.assertEqual([run["repeat_index"] for run in result["runs"]], [0, 1, 2])
        self.assertEqual({run["group"] for run in result["runs"]}, {result["group"]})
        self.assertEqual(result["summary"]["runs"], 3)
        wall = result["summary"]["figures"]["wall_s"]
        walls = [run["wall_s"] for run in result["runs"]]
        self.assertAlmostEqual(wall["mean"], sum(walls) / 3)
        self.assertEqual((wall["count"], wall["min"], wall["max"]), (3, min(walls), max(walls)))
        self.assertEqual(len(self.stored()), 3)

    def test_repeat_answers_with_the_first_failure(self):
        counter = self.scratch / "count"
        script = self.script(f"echo x >>{counter}; [ $(wc -l <{counter}) -ne 2 ] || exit 9")
        result = self.run_json("--repeat", 3, "--", script, code=9)
        self.assertEqual([run["exit_code"] for run in result["runs"]], [0, 9, 0])

    def test_warmup_leaves_spans_out(self):
        run = self.run_json("--warmup", "100ms", "--", *program("spans", "steady", 800))
        frame = next(span for span in run["spans"] if span["name"] == "frame")
        self.assertGreater(frame["warmup_excluded"], 0)
        self.assertGreater(frame["count"], 0)
        self.assertEqual(frame["count"] + frame["warmup_excluded"], 800)


if __name__ == "__main__":
    unittest.main()

"""What edgewise reports against what the kernel told the program itself.

The bars are those that users are promised. Each comparison is made within one
run, so that a loaded machine changes both sides alike.
"""
import json
import unittest

from driving import EdgewiseTest, program


def cpu_s(account):
    return account["cpu_user_s"] + account["cpu_system_s"]


class SingleProcessTest(EdgewiseTest):
    def test_cpu_time_is_within_one_percent_of_rusage(self):
        run = self.run_json("--", *program("burn", 1000, 1))
        own = json.loads(run["output_tail"])
        self.assertGreater(cpu_s(own), 0.9)
        self.assertAlmostEqual(cpu_s(run), cpu_s(own), delta=0.01 * cpu_s(own))

    def test_peak_memory_is_within_one_percent_of_rusage(self):
        run = self.run_json("--", *program("burn", 50, 100))
        own = json.loads(run["output_tail"])
        self.assertGreater(own["max_rss_bytes"], 100 << 20)
        self.assertLess(own["max_rss_bytes"], 110 << 20)
        self.assertAlmostEqual(run["max_rss_bytes"], own["max_rss_bytes"], delta=0.01 * own["max_rss_bytes"])
        self.assertGreaterEqual(run["tree_peak_bytes"], run["max_rss_bytes"])

    def test_a_small_program_does_not_inherit_the_profilers_peak(self):
        run = self.run_json("--", *program("burn", 0, 0))
        self.assertLess(run["max_rss_bytes"], 6 << 20)

    def test_context_switches_equal_those_in_proc(self):
        run = self.run_json("--", *program("burn", 50, 1, 500))
        own = json.loads(run["output_tail"])
        self.assertGreaterEqual(own["voluntary_switches"], 500)
        # Printing the account and exiting may be interrupted a few times more.
        self.assertIn(run["voluntary_switches"] - own["voluntary_switches"], range(0, 4))
        self.assertIn(run["involuntary_switches"] - own["involuntary_switches"], range(0, 6))

    def test_page_faults_are_counted(self):
        run = self.run_json("--", *program("burn", 0, 40))
        # Huge pages need fewer.
        self.assertGreater(run["minor_faults"], 20)


class TreeTest(EdgewiseTest):
    def check(self, how, flags=()):
        run = self.run_json(*flags, "--", *program("tree", how, 4, 300))
        own = json.loads(run["output_tail"])
        if own["cgroup_cpu_s"] < 0 or any("cgroup" in entry["what"] for entry in run["unavailable"]):
            self.skipTest(f"no cgroup of its own to compare with: {run['unavailable']}")
        self.assertGreater(own["cgroup_cpu_s"], 1.1)
        self.assertAlmostEqual(cpu_s(run), own["cgroup_cpu_s"], delta=0.02 * own["cgroup_cpu_s"])

    def test_children_that_are_waited_for(self):
        self.check("waited")

    def test_children_that_nobody_waits_for(self):
        self.check("forgotten")

    def test_grandchildren_whose_parents_are_gone(self):
        self.check("orphans")

    def test_slow_sampling_loses_nothing(self):
        self.check("orphans", flags=["--sample-hz", "0.5"])

    def test_the_peak_of_the_tree_has_all_processes(self):
        burn = " ".join(program("burn", 400, 30))
        run = self.run_json("--sample-hz", "50", "--", "sh", "-c", f"{burn} & {burn} & wait")
        self.assertGreater(run["tree_peak_bytes"], 55 << 20)
        self.assertLess(run["max_rss_bytes"], 45 << 20)
        self.assertGreaterEqual(run["max_processes"], 3)


if __name__ == "__main__":
    unittest.main()

"""`edgewise plan`: cards to a plan that `exec` runs, or why there is none."""
import json
import os
import re
import unittest
import xml.etree.ElementTree

from driving import EdgewiseTest, program


class PlanTest(EdgewiseTest):
    def card(self, name, c, t, file=None, **more):
        path = self.scratch / (file or f"{name}.yaml")
        path.write_text(json.dumps({"name": name, "period_ms": t, "wcet_ms": c, **more}))
        return path.name

    def three(self):
        return [self.card("a", 5, 20), self.card("b", 12, 50), self.card("c", 30, 100)]

    def plan_json(self, *arguments, code=0):
        done = self.edgewise("plan", *arguments, "--json")
        self.assertEqual(done.code, code, done.stderr)
        self.assertEqual(done.stderr, "")
        return json.loads(done.stdout)

    def refused(self, *arguments, words):
        done = self.edgewise("plan", *arguments)
        self.assertEqual(done.code, 2, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assert_one_sentence(done.stderr, *words)

    def test_the_plan_is_yaml_on_stdout_and_words_on_stderr(self):
        done = self.edgewise("plan", *self.three(), "--cores", "0", "--executor", "edf-preemptive")
        self.assertEqual(done.code, 0, done.stderr)
        self.assertIn("every deadline is proven to be met", done.stderr)
        self.assertIn("executor: edf-preemptive", done.stdout)
        self.assertIn("response_bound_ms:", done.stdout)
        self.assertRegex(done.stdout, r"machine: \"?[0-9a-f]{16}")
        self.assertNotIn("hyperperiod", done.stderr)

    def test_json_has_what_the_plan_has(self):
        plan = self.plan_json(*self.three(), "--cores", "0", "--executor", "fifo", "--reserve", "0")
        self.assertTrue(plan["found"])
        tasks = {task["name"]: task for task in plan["tasks"]}
        self.assertEqual(tasks["a"]["core"], 0)
        self.assertEqual(tasks["a"]["policy"], "fifo")
        # 5, 5 + 12, and 30 + 4 x 5 + 2 x 12 in the busy period of 74.
        self.assertEqual([tasks[n]["response_bound_ns"] for n in "abc"], [5_000_000, 17_000_000, 74_000_000])
        priorities = [tasks[n]["priority"] for n in "abc"]
        self.assertEqual(priorities, sorted(priorities, reverse=True))
        self.assertEqual(len(set(priorities)), 3)
        self.assertEqual(plan["history"]["until_ns"], 100_000_000)
        self.assertEqual(plan["history"]["missed"], 0)

    def test_pictures_and_the_page_are_written(self):
        done = self.edgewise("plan", *self.three(), "--cores", "0", "--executor", "edf-preemptive", "--gantt",
                             "--explain", "--svg", "plan.svg", "--html", "plan.html", "-o", "plan.yaml")
        self.assertEqual(done.code, 0, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertIn("The first hyperperiod, 100 ms", done.stderr)
        self.assertIn("what the proofs assume", done.stderr)
        self.assertIn("where C comes from", done.stderr)
        svg = xml.etree.ElementTree.parse(self.scratch / "plan.svg")
        bars = [r for r in svg.iter("{http://www.w3.org/2000/svg}rect") if "dot" in r.get("class", "")]
        self.assertGreaterEqual(len(bars), 5 + 2 + 1)
        self.assertIn("<svg", (self.scratch / "plan.html").read_text())
        self.assertIn("tasks:", (self.scratch / "plan.yaml").read_text())

    def test_without_a_plan_every_change_that_is_named_makes_one(self):
        cards = self.three()
        int8 = self.card("c", 9, 100, file="c_int8.yaml")
        arguments = (*cards, "--cores", "0")
        done = self.edgewise("plan", *arguments, "--or", int8, "-o", "plan.yaml")
        self.assertEqual(done.code, 1)
        self.assertEqual(done.stdout, "")
        self.assertFalse((self.scratch / "plan.yaml").exists())
        self.assertIn("core 0: Within some 20 ms", done.stderr)
        answer = self.plan_json(*arguments, "--or", int8, code=1)
        self.assertFalse(answer["found"])
        self.assertTrue(answer["certain"])
        kinds = {remedy["kind"] for remedy in answer["remedies"]}
        self.assertLessEqual({"alternative", "longer_period", "shorter_wcet", "executor"}, kinds)
        for remedy in answer["remedies"]:
            if remedy["kind"] == "more_cores" and max(remedy["cores"]) >= os.cpu_count():
                continue  # a machine that is not here
            changed = [self.card(t["name"], t["wcet_ns"] / 1e6, t["period_ns"] / 1e6, file=f"r_{t['name']}.yaml",
                                 deadline_ms=t["deadline_ns"] / 1e6) for t in remedy["tasks"]]
            cores = ",".join(map(str, remedy["cores"]))
            self.assertTrue(self.plan_json(*changed, "--cores", cores, "--executor", remedy["executor"])["found"],
                            remedy["change"])

    def test_a_plan_from_cards_is_executed(self):
        cards = [self.card(name, 3, period, command=" ".join(program("task", "steady", 300)))
                 for name, period in (("x", 20), ("y", 40))]
        self.assertEqual(self.edgewise("plan", *cards, "--cores", "0", "-o", "plan.yaml").code, 0)
        done = self.edgewise("exec", "plan.yaml", "--duration", "300ms", "--json")
        [execution] = json.loads(done.stdout)["executions"]
        self.assertEqual([task["jobs"] for task in execution["tasks"]], [15, 8])
        self.assertFalse(any("not proven" in warning for warning in execution["warnings"]), execution["warnings"])

    def test_contended_times_count_and_are_named(self):
        card = self.card("x", 20, 100, isolated={"p95_ms": 16}, contended={"p95_ms": 24, "beside": "dl"})
        [task] = self.plan_json(card)["tasks"]
        self.assertEqual(task["wcet_ns"], 30_000_000)
        self.assertIn("beside dl", task["wcet_source"])
        [task] = self.plan_json(card, "--alone")["tasks"]
        self.assertEqual(task["wcet_ns"], 20_000_000)

    def test_the_largest_of_few_samples_must_be_accepted(self):
        card = self.card("x", 5, 20, wcet_kind="observed_max", evidence={"runs": ["0123456789ab"], "span": "s", "n": 20})
        self.refused(card, words=("x.yaml", "20 samples", "--accept-observed"))
        self.assertTrue(self.plan_json(card, "--accept-observed")["found"])

    def test_a_measured_card_is_planned(self):
        self.run_json("--repeat", "60", "--", "true")
        made = self.edgewise("card", "last", "--period", "1s", "--name", "true")
        self.assertEqual(made.code, 0, made.stderr)
        (self.scratch / "true.yaml").write_text(made.stdout)
        plan = self.edgewise("plan", "true.yaml", "--accept-observed", "--json")
        self.assertEqual(plan.code, 0, plan.stderr)
        [task] = json.loads(plan.stdout)["tasks"]
        self.assertTrue(task["process_per_job"])
        self.assertEqual(task["command"], ["true"])

    def test_rt_app_files_are_read(self):
        (self.scratch / "set.json").write_text(
            '{/* two */ "tasks": {"t": {"instance": 2, "run": 2000, "timer": {"ref": "x", "period": 10000}}}}')
        tasks = self.plan_json("set.json")["tasks"]
        self.assertEqual([(t["name"], t["wcet_ns"], t["period_ns"]) for t in tasks],
                         [("t-0", 2_000_000, 10_000_000), ("t-1", 2_000_000, 10_000_000)])

    def test_bad_input_gets_one_sentence(self):
        good = self.card("good", 5, 20)
        (self.scratch / "no_period.yaml").write_text("name: x\nwcet_ms: 5\n")
        (self.scratch / "no_wcet.yaml").write_text("name: x\nperiod_ms: 5\n")
        (self.scratch / "negative.yaml").write_text("name: x\nperiod_ms: -5\nwcet_ms: 1\n")
        (self.scratch / "zero.yaml").write_text("name: x\nperiod_ms: 5\nwcet_ms: 0\n")
        (self.scratch / "set.json").write_text('{"tasks": {"t": {"run": 1}}}')
        for arguments, words in (
                (["no_period.yaml"], ("no_period.yaml", "period_ms")),
                (["no_wcet.yaml"], ("no_wcet.yaml", "wcet_ms", "edgewise card")),
                (["negative.yaml"], ("negative.yaml:2", "period_ms")),
                (["zero.yaml"], ("zero.yaml:3", "wcet_ms")),
                ([self.card("late", 30, 20)], ("late.yaml", "30 ms", "20 ms")),
                ([good, "--cores", "4000"], ("core 4000", "choose from")),
                ([good, "--cores", "x"], ("--cores",)),
                ([good, good], ("good.yaml", "own name")),
                ([good, "--reserve", "95%"], ("--reserve", "90%")),
                ([good, "--executor", "magic"], ("--executor magic", "edf-preemptive")),
                ([good, "--latency", "soon"], ("--latency",)),
                ([good, "--or", self.card("stranger", 1, 20)], ("--or", "TASK=CARD")),
                (["set.json"], ("set.json", "task t")),
                (["missing.yaml"], ("missing.yaml",)),
                ([], ("CARD",))):
            with self.subTest(arguments):
                self.refused(*arguments, words=words)

    def test_more_load_than_cores_is_a_no_with_the_sum(self):
        cards = [self.card(f"t{i}", 15, 20) for i in range(3)]
        done = self.edgewise("plan", *cards, "--cores", "0")
        self.assertEqual(done.code, 1)
        self.assertIn("no plan meets every deadline", done.stderr)
        self.assertTrue(re.search(r"225%|2\.25|No partition exists", done.stderr), done.stderr)


if __name__ == "__main__":
    unittest.main()

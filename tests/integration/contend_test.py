"""`edgewise contend` with real programs beside each other.

The apps are edgewise's own probes: they record items until they are ended. No
figure is compared with another: the machine is shared.
"""
import json
import os
import signal
import unittest

from driving import EDGEWISE, PATIENCE_S, EdgewiseTest, processes_with, wait_until

PROBE = f"{EDGEWISE} stress cpu --probe"
SHORT = ("--duration", "300ms", "--warmup", "50ms", "--settle", "50ms")


class ContendTest(EdgewiseTest):
    def contend(self, mode, *arguments, apps=("a", "b"), code=0):
        named = [word for app in apps for word in ("--app", f"{app}={PROBE}")]
        done = self.edgewise("contend", mode, *named, *SHORT, "--json", *arguments)
        self.assertEqual(done.code, code, done.stderr + done.stdout[-2000:])
        return json.loads(done.stdout)

    def cell(self, report, app, *beside):
        return next(each for each in report["slow_downs"]
                    if each["app"] == app and each["beside"] == list(beside))

    def test_baseline_measures_each_app_alone(self):
        report = self.contend("baseline", "--repeat", "2")
        self.assertEqual([app["name"] for app in report["apps"]], ["a", "b"])
        for app in report["apps"]:
            self.assertEqual(len(app["runs"]), 2)
            self.assertEqual(app["span"], "item")
            self.assertGreater(app["p50"]["value_ms"], 0)
        self.assertEqual(report["slow_downs"], [])
        self.assert_nothing_left()

    def test_pairwise_measures_both_sides_of_every_pair(self):
        svg, html = self.scratch / "m.svg", self.scratch / "m.html"
        report = self.contend("pairwise", "--beside", "memory:1", "--beside", "idle=sleep 1000", "--svg", svg,
                              "--html", html)
        for app in ("a", "b"):
            for beside in ("a", "b", "memory:1", "idle"):
                cell = self.cell(report, app, beside)
                self.assertEqual(cell["failure"], "")
                self.assertGreater(cell["p50_slow_down"]["ratio"], 0)
        self.assertTrue(svg.read_text().startswith("<svg"))
        self.assertIn("What neighbours cost", html.read_text())
        runs = self.stored()
        self.assertEqual({run["group"] for run in runs}, {report["group"]})
        roles = {run["group_role"] for run in runs}
        self.assertIn("a alone", roles)
        self.assertIn("a beside memory:1: memory:1", roles)
        self.assert_nothing_left()

    def test_stress_ng_can_be_the_neighbour(self):
        report = self.contend("pairwise", "--beside", "ng=stress-ng --cpu 1 --quiet", apps=("a",))
        self.assertEqual(self.cell(report, "a", "ng")["failure"], "")
        [beside] = [run for run in self.stored() if run["group_role"] == "a beside ng: ng"]
        self.assertEqual(beside["command"][0], "stress-ng")
        self.assertGreater(beside["cpu_user_s"], 0)
        self.assert_nothing_left()

    def test_sensitivity_has_a_point_for_each_dial_and_the_apps_own_pressure(self):
        report = self.contend("sensitivity", "--dials", "50,100", "--stress", "cpu,network", apps=["a"])
        for beside in ("cpu:50", "cpu:100", "network:50", "network:100"):
            self.assertGreater(self.cell(report, "a", beside)["p50_slow_down"]["ratio"], 0)
        self.assertEqual(set(report["apps"][0]["pressure_percent"]), {"cpu", "cache", "bandwidth"})
        self.assertTrue(report["advice"])

    def test_random_is_the_same_again_with_the_same_seed(self):
        drawn = [[each["beside"] for each in self.contend("random", "--deployments", "2", "--seed", "4", "--cpus",
                                                          "0")["slow_downs"]] for _ in range(2)]
        self.assertEqual(drawn[0], drawn[1])
        self.assertTrue(drawn[0])

    def test_check_prints_predicted_against_measured(self):
        done = self.edgewise("contend", "check", "--app", f"a={PROBE}", *SHORT, "--dials", "100", "--json")
        self.assertIn(done.code, (0, 1), done.stderr)
        check = json.loads(done.stdout)["check"]
        self.assertEqual(check["passed"], done.code == 0)
        self.assertGreaterEqual(check["bar"], 0.15)
        (pair,) = check["pairs"]
        self.assertGreaterEqual(pair["predicted"], 1)
        self.assertGreater(pair["measured"], 0)

    def test_an_app_that_fails_is_marked_and_the_rest_goes_on(self):
        bad = self.script("exit 7")
        report = self.contend("pairwise", "--app", f"bad={bad}", apps=["a"])
        self.assertIn("code 7", self.cell(report, "a", "bad")["failure"])
        self.assertIn("code 7", next(app for app in report["apps"] if app["name"] == "bad")["failure"])
        self.assertEqual(self.cell(report, "a", "a")["failure"], "")
        self.assertGreater(self.cell(report, "a", "a")["p50_slow_down"]["ratio"], 0)

    def test_when_no_app_can_be_measured_the_answer_is_no(self):
        done = self.edgewise("contend", "baseline", "--app", f"bad={self.script('exit 7')}", *SHORT)
        self.assertEqual(done.code, 1)
        self.assertIn("code 7", done.stdout)
        self.assert_one_sentence(done.stderr, "no app could be measured")

    def test_a_card_is_made_and_then_updated(self):
        card = self.scratch / "a.yaml"
        self.contend("pairwise", "--card", card, apps=["a"])
        first = card.read_text()
        for key in ("name: a", "isolated: {p50_ms:", "contended: {p50_ms:", "beside: a", "wcet_ms:"):
            self.assertIn(key, first)
        card.write_text("name: mine\nperiod_ms: 123\n")
        self.contend("baseline", "--card", f"a={card}", apps=["a"])
        second = card.read_text()
        self.assertIn("name: mine", second)
        self.assertIn("period_ms: 123", second)
        self.assertIn("isolated: {p50_ms:", second)
        self.assertEqual(self.edgewise("card", "--check", card).code, 0)

    def test_ctrl_c_keeps_what_was_measured(self):
        process = self.start("contend", "pairwise", "--app", f"a={PROBE}", "--duration", "1000s")
        # edgewise, the process of the session, and its program.
        wait_until(lambda: len(processes_with(f"EDGEWISE_HOME={self.home}")) >= 3, "the subject")
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=PATIENCE_S)
        self.assertEqual(process.returncode, 130, stderr)
        self.assert_one_sentence(stderr.decode(), "cancelled")
        self.assert_nothing_left()

    def test_kill_9_leaves_nothing(self):
        process = self.start("contend", "pairwise", "--app", f"a={PROBE}", "--beside", "cpu:10", *SHORT,
                             "--repeat", "1000")
        # edgewise, and of each session a process and its program.
        wait_until(lambda: len(processes_with(f"EDGEWISE_HOME={self.home}")) >= 5, "a pair")
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        self.assert_nothing_left()

    def test_bad_input_says_what_to_do(self):
        app = ("--app", f"a={PROBE}")
        for words, code, hint in [
                (["baseline"], 2, "--app"),
                (["sideways", *app], 2, "MODE"),
                (["baseline", "--app", "just-a-command"], 2, "NAME=COMMAND"),
                (["baseline", "--app", "a=/nowhere/app"], 2, "/nowhere/app"),
                (["baseline", "--app", f"cache={PROBE}"], 2, "is the name of a stressor"),
                (["pairwise", *app, *app], 2, "two programs are called"),
                (["pairwise", *app, "--beside", "gpu:50"], 2, "KIND:DIAL"),
                (["pairwise", *app, "--beside", "cpu:150"], 2, "from 0 (idle) to 100"),
                (["pairwise", *app, "--beside", "ng=stress-ng-that-is-not-there --cpu 1"], 2, "not found"),
                (["sensitivity", *app, "--dials", "50,150"], 2, "--dials"),
                (["sensitivity", *app, "--stress", "cpu,gpu-thing"], 2, "--stress"),
                (["baseline", *app, "--svg", "m.svg"], 2, "--svg"),
                (["baseline", *app, "--cpus", "9999"], 2, "core"),
                (["baseline", *app, "--duration", "1s", "--warmup", "2s"], 2, "--warmup"),
                (["baseline", *app, "--span", "b=frame"], 2, "--span"),
                (["baseline", *app, "--card", "b=x.yaml"], 2, "--card"),
                (["baseline", *app, "--app", f"b={PROBE}", "--card", "x.yaml"], 2, "APP=FILE"),
        ]:
            done = self.edgewise("contend", *words)
            self.assertEqual(done.code, code, (words, done))
            self.assert_one_sentence(done.stderr, hint)
        self.assertEqual(self.stored(), [])


unittest.main()

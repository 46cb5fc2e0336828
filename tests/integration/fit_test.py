"""`edgewise fit`: the least CPU and memory that meet a target, with real programs."""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import unittest

from driving import EDGEWISE, PROGRAMS, EdgewiseTest, program, wait_until

SPIN = pathlib.Path(os.environ.get("EDGEWISE_APPS", "")) / "spin"
NOBODY = 65534


def may_limit():
    """Whether this user may set limits here at all."""
    done = subprocess.run([EDGEWISE, "run", "--quiet", "--cpu-quota", "1", "--memory-limit", "1Gi", "--", "true"],
                          capture_output=True, env={**os.environ, "EDGEWISE_HOME": f"/tmp/ew-limits-{os.getpid()}"})
    shutil.rmtree(f"/tmp/ew-limits-{os.getpid()}", ignore_errors=True)
    return done.returncode == 0


class FitTest(EdgewiseTest):
    def fit(self, *arguments, code=0):
        done = self.edgewise("fit", *arguments)
        self.assertEqual(done.code, code, done.stderr + done.stdout[-3000:])
        return done


class BadInputTest(FitTest):
    def test_what_cannot_be_is_refused_in_one_sentence(self):
        for arguments, words in (
                ((), ("--target 'fps>=10'",)),
                (("--target", "fps=10"), ("fps=10", ">=")),
                (("--target", "p95(x)<=80"), ("80ms",)),
                (("--target", "p42(x)<=80ms"), ("p42", "p95(frame)<=80ms")),
                (("--target", "fps>=10 and nonsense"), ("nonsense",)),
                (("--target", "fps>=10", "--duration", "soon"), ("--duration",)),
                (("--target", "fps>=10", "--json", "--html", "-"), ("stdout",)),
        ):
            done = self.fit(*arguments, "--", "true", code=2)
            self.assert_one_sentence(done.stderr, *words)
        self.assert_one_sentence(self.fit("--target", "fps>=10", "--", "/not/there", code=2).stderr, "/not/there")
        self.assertIn("max-runs", self.fit("--target", "fps>=10", "--max-runs", "2", "--", "true", code=2).stderr)

    def test_a_card_that_is_none_is_told_before_anything_runs(self):
        card = self.scratch / "card.yaml"
        card.write_text("period_ms: 3\n")
        done = self.fit("--target", "fps>=10", "--card", card, "--", "true", code=2)
        self.assert_one_sentence(done.stderr, "name")
        self.assertEqual(self.stored(), [])


@unittest.skipUnless(may_limit(), "limits need cgroups that may be written")
class LimitedTest(FitTest):
    def test_a_program_that_fails_shows_its_last_lines(self):
        done = self.fit("--target", "wall<=1s", "--", "sh", "-c", "echo hello; echo oops >&2; exit 3", code=1)
        self.assertIn("exit code 3", done.stdout)
        self.assertIn("hello", done.stdout)
        self.assertIn("oops", done.stdout)

    def test_a_target_on_spans_that_are_not_there_says_what_to_do(self):
        done = self.fit("--target", "fps>=5", "--", "true", code=2)
        self.assert_one_sentence(done.stderr, "wall<=TIME")

    def test_memory_is_squeezed_to_where_it_is_killed(self):
        # 60 MiB are touched; whatever the wall times here are, less kills it.
        done = self.edgewise("fit", "--json", "--squeeze-memory", "--max-runs", "40", "--target", "wall<=600ms", "--",
                             *program("burn", 10, 60))
        answer = json.loads(done.stdout)
        ends = {step["end"]: step for step in answer["steps"]}
        self.assertIn("out_of_memory", ends, answer["sentences"])
        self.assertLess(ends["out_of_memory"]["memory_bytes"], 64 << 20)
        self.assertGreaterEqual(answer["peak_bytes"], 60 << 20)
        self.assertIn("killed for want of memory", " ".join(answer["sentences"]))
        self.assertIn(done.code, (0, 1), done.stderr)  # 1: the machine was too restless to confirm it
        self.assert_nothing_left()

    def test_ctrl_c_ends_it_and_leaves_nothing(self):
        process = self.start("fit", "--json", "--target", "wall<=1s", "--", "sleep", "1000")
        wait_until(self.stored, "the first Run")
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=60), 130)
        self.assertEqual(json.loads(process.stdout.read())["outcome"], "cancelled")
        self.assert_nothing_left()

    def test_a_kill_leaves_nothing(self):
        process = self.start("fit", "--target", "wall<=1s", "--", "sleep", "1000")
        wait_until(self.stored, "the first Run")
        process.kill()
        process.wait()
        self.assert_nothing_left()


@unittest.skipUnless(SPIN.exists() and may_limit(), "needs the sample applications, and limits")
class KnownAnswerTest(FitTest):
    def setUp(self):
        super().setUp()
        # The same work in all Runs, and no calibration in them.
        first = subprocess.run([SPIN, "--work", "1ms", "--items", "1", "--json"], capture_output=True, check=True)
        self.spin = [str(SPIN), "--steps", str(json.loads(first.stdout)["steps"])]

    def test_a_known_need_is_found_confirmed_and_written(self):
        card = self.scratch / "card.yaml"
        page = self.scratch / "page.html"
        card.write_text("name: kept\nperiod_ms: 10\n")
        # 1 ms at 100 a second is a tenth of a core; a busy neighbour on the
        # same core can double the cost.
        done = self.fit("--json", "--target", "fps>=100", "--duration", "800ms", "--max-runs", "30", "--card", card,
                        "--html", page, "--", *self.spin)
        answer = json.loads(done.stdout)
        self.assertEqual(answer["outcome"], "found")
        cores = answer["target"]["cpu_cores"]
        self.assertGreater(cores, 0.07)
        self.assertLess(cores, 0.3)
        self.assertLess(answer["lower"]["cpu_cores"], cores)
        self.assertGreater(answer["upper"]["cpu_cores"], cores)
        self.assertEqual(answer["requests"]["cpu"], f"{round(cores * 1000)}m")
        self.assertRegex(answer["limits"]["memory"], r"^\d+Mi$")
        last = answer["steps"][-1]
        self.assertEqual(last["purpose"], "confirm")
        self.assertEqual(last["standing"], "met")
        self.assertEqual(last["cpu_cores"], cores)
        self.assertEqual(last["memory_bytes"], answer["target"]["memory_bytes"])
        self.assertIn("saved", " ".join(answer["sentences"]))

        runs = self.stored()
        self.assertEqual({run["group"] for run in runs}, {answer["group"]})
        self.assertEqual({run["id"] for run in runs}, {step["run"] for step in answer["steps"]})
        self.assertEqual(self.show(last["run"])["conditions"]["cpu_quota_cores"], cores)

        text = card.read_text()
        self.assertIn("name: kept\nperiod_ms: 10\n", text)
        self.assertIn(f"requests: {{cpu: {answer['requests']['cpu']}, memory: {answer['requests']['memory']}}}", text)
        self.assertIn('meets: "fps>=100"', text)
        self.assertEqual(self.edgewise("card", "--check", card).code, 0)
        html = page.read_text()
        self.assertIn("<svg", html)
        self.assertNotIn("<script", html)
        self.assert_nothing_left()

    def test_what_cannot_be_met_is_a_no_with_the_best_there_was(self):
        card = self.scratch / "card.yaml"
        done = self.fit("--target", "fps>=100000", "--duration", "300ms", "--card", card, "--", *self.spin, code=1)
        self.assertRegex(done.stdout, r"fps>=100000 cannot be met here: with all of \S+ cores? it reached \S+ fps")
        self.assertFalse(card.exists())

    def test_a_misspelt_span_lists_those_there_are(self):
        done = self.fit("--target", "p50(itm)<=1s", "--duration", "300ms", "--", *self.spin, code=2)
        self.assert_one_sentence(done.stderr, "item", "spin")

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("setpriv"), "becoming another user needs root and setpriv")
    def test_without_permission_it_says_what_to_do(self):
        tools = self.scratch / "bin"
        tools.mkdir()
        for source in (EDGEWISE, PROGRAMS / "burn"):
            shutil.copy(source, tools)
        os.chmod(self.scratch, 0o755)
        self.home.mkdir()
        for folder in (self.home, self.temp):
            os.chown(folder, NOBODY, NOBODY)
        done = self.edgewise("fit", "--target", "wall<=1s", "--", tools / "burn", "1", "1", binary=tools / EDGEWISE.name,
                             prefix=["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups",
                                     "--inh-caps=-all", "--bounding-set=-all", "--"])
        self.assertEqual(done.code, 3, done.stderr)
        self.assert_one_sentence(done.stderr, "cgroup")


if __name__ == "__main__":
    unittest.main()

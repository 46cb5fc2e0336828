"""`edgewise place --verify`: tenants deployed where a placement puts them, and placements replayed."""
import json
import os
import signal
import unittest

from driving import EdgewiseTest, wait_until

# Processor sharing of one core, roughly.
PRESSURES = """basis: a guess
resources: [cpu]
ranks:
  - {rank: 0, speed: 1, capacity: {cpu: 1}}
apps:
""" + "".join(f"""  - {{name: {app}, memory: 80MiB, service_ms: 4, exerts: {{cpu: 0.004}}, feels: {{cpu: 1}},
     slow_down: [[0, 1], [0.5, 2], [0.8, 5]]}}
""" for app in ("gcn", "lstm", "forest"))
CORES = sorted(os.sched_getaffinity(0))


class VerifyTest(EdgewiseTest):
    def files(self, delay_ms=1000, cpus=True, app="gcn"):
        here = f', cpus: "{CORES[0]}"' if cpus else ""
        other = f', cpus: "{CORES[-1]}"' if cpus else ""
        (self.scratch / "pressures.yaml").write_text(PRESSURES)
        servers = f"  - {{name: first, memory: 200MiB{here}}}\n"
        if len(CORES) > 1:
            servers += f"  - {{name: second, memory: 200MiB{other}}}\n"
        (self.scratch / "servers.yaml").write_text("servers:\n" + servers)
        (self.scratch / "requests.yaml").write_text("requests:\n" + "".join(
            f"  - {{name: {name}, app: {each}, rate: 20, sla: {{quantile: p75, delay_ms: {delay_ms}}}, pay: 1}}\n"
            for name, each in (("a b", app), ("c", "lstm"))))
        return (self.scratch / "requests.yaml", "--servers", self.scratch / "servers.yaml", "--time-limit", "200ms",
                "--verify", "--verify-time", "3s")

    def left(self):
        """Tenant programs of this test that still run."""
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/environ", "rb") as environ, open(f"/proc/{pid}/cmdline", "rb") as words:
                    if str(self.scratch).encode() in environ.read() and b"--service" in words.read():
                        found.append(int(pid))
            except OSError:
                pass
        return found

    def test_promises_are_measured_where_they_stand(self):
        done = self.edgewise("place", *self.files(), "--json")
        self.assertIn(done.code, (0, 1), done.stderr)  # 1: the machine was too slow for a second
        verification = json.loads(done.stdout)["verification"]
        self.assertTrue(verification["measured"])
        own = verification["placements"][0]
        self.assertEqual(done.code, int(own["broken"] > 0.1 * (own["broken"] + own["kept"]) + 1e-9))
        promises = verification["placements"][0]["promises"]
        self.assertEqual({each["request"] for each in promises}, {"a b", "c"})
        for promise in promises:
            self.assertGreater(promise["measured"]["requests"], 0, promise)
            self.assertGreater(promise["simulated"]["requests"], 0, promise)
            self.assertIn(promise["measured"]["verdict"], ("kept", "broken", "too close to tell", "insufficient samples"))

    def test_a_larger_cluster_is_replayed_and_the_answer_says_so(self):
        done = self.edgewise("place", *self.files(cpus=False))
        self.assertEqual(done.code, 0, done.stderr)
        self.assertIn("Replayed in the simulator", done.stdout)
        self.assertIn("has no cpus", done.stdout.replace("\n", " "))
        answer = json.loads(self.edgewise("place", *self.files(cpus=False), "--baselines", "--json").stdout)
        self.assertEqual([each["placed_by"] for each in answer["verification"]["placements"]],
                         ["edgewise", "first-fit", "best-fit", "least-allocated", "load-aware", "relax-and-round"])

    def test_broken_promises_are_exit_code_1(self):
        # A thousandth of a millisecond is less than any service takes, but the pressures say that it is enough.
        files = self.files(delay_ms=0.001)
        text = PRESSURES.replace("service_ms: 4", "service_ms: 0.0001").replace("cpu: 0.004", "cpu: 0.0000001")
        (self.scratch / "pressures.yaml").write_text(text)
        done = self.edgewise("place", *files)
        self.assertEqual(done.code, 1, done.stderr + done.stdout)
        self.assertIn("broken", done.stdout)

    def test_all_late_is_broken_even_if_few_were_asked(self):
        files = self.files(delay_ms=0.001, cpus=False)
        requests = self.scratch / "requests.yaml"
        requests.write_text(requests.read_text().replace("p75", "p99"))
        text = PRESSURES.replace("service_ms: 4", "service_ms: 0.0001").replace("cpu: 0.004", "cpu: 0.0000001")
        (self.scratch / "pressures.yaml").write_text(text)
        cpus = f', cpus: "{CORES[0]}"'
        (self.scratch / "servers.yaml").write_text(f"servers:\n  - {{name: first, memory: 400MiB{cpus}}}\n")
        done = self.edgewise("place", *files, "--json")
        self.assertEqual(done.code, 1, done.stderr + done.stdout)
        for promise in json.loads(done.stdout)["verification"]["placements"][0]["promises"]:
            self.assertLess(promise["measured"]["requests"], 299)
            self.assertEqual(promise["measured"]["verdict"], "broken", promise)

    def test_an_answer_is_told_before_it_cannot_be_verified(self):
        files = self.files()
        if len(CORES) > 1:
            (self.scratch / "servers.yaml").write_text(
                f'servers:\n  - {{name: first, memory: 100MiB, cpus: "{CORES[0]}"}}\n'
                f'  - {{name: second, memory: 100MiB, cpus: "{CORES[0]}"}}\n')
            kept = self.scratch / "kept.yaml"
            done = self.edgewise("place", *files, "--out", kept)
            self.assertEqual(done.code, 2, done.stderr)
            self.assertIn("2 of 2 requests placed", done.stdout)
            self.assertIn("first", kept.read_text())

    def test_nothing_is_left_after_kill_9(self):
        files = [*self.files(), "--verify-time", "10m"]
        files.remove("3s")
        files.remove("--verify-time")
        process = self.start("place", *files)
        wait_until(lambda: self.left(), "tenants run")
        process.send_signal(signal.SIGKILL)
        process.wait()
        wait_until(lambda: not self.left(), "tenants ended")

    def test_bad_input_is_one_sentence(self):
        done = self.edgewise("place", *self.files(app="forest"), "--tenants", "gcn,lstm")
        self.assertEqual(done.code, 2, done.stderr)
        self.assertIn("there is no tenant forest", done.stderr)
        for wrong in ("0s", ""):
            done = self.edgewise("place", *self.files()[:-1], wrong)
            self.assertEqual(done.code, 2, done.stderr)
            self.assertIn("--verify-time", done.stderr)
        if len(CORES) > 1:
            files = self.files()
            (self.scratch / "servers.yaml").write_text(
                f'servers:\n  - {{name: first, memory: 100MiB, cpus: "{CORES[0]}"}}\n'
                f'  - {{name: second, memory: 100MiB, cpus: "{CORES[0]}"}}\n')
            done = self.edgewise("place", *files)
            self.assertEqual(done.code, 2, done.stderr)


if __name__ == "__main__":
    unittest.main()

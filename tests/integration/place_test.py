"""`edgewise predict --place` with the default model and a kubectl played by a script."""
import json
import unittest

from driving import EdgewiseTest

NODES = """nodes:
  - {name: slow, device: Raspberry Pi 3B+, threads: 1}
  - {name: fast, device: Raspberry Pi 5, threads: 4}
  - {name: mystery, device: Quantum 9000}
"""
PLACE = ("predict", "mobilenet_v2", "--place", "--nodes", "nodes.yaml", "--image", "lab/detect:1.2")


class PlaceTest(EdgewiseTest):
    def setUp(self):
        super().setUp()
        (self.scratch / "nodes.yaml").write_text(NODES)

    def kubectl(self, code):
        """A kubectl that keeps what it is told."""
        folder = self.scratch / "bin"
        folder.mkdir()
        program = folder / "kubectl"
        program.write_text(f"#!/bin/sh\necho \"$@\" >{self.scratch}/words\ncat >{self.scratch}/applied\necho done\nexit {code}\n")
        program.chmod(0o755)
        return {**self.environment, "PATH": f"{folder}:{self.environment['PATH']}"}

    def test_the_manifest_alone_is_on_stdout_and_names_the_fastest_node(self):
        done = self.edgewise(*PLACE)
        self.assertEqual(done.code, 0, done.stderr)
        self.assertTrue(done.stdout.startswith("apiVersion: apps/v1\n"))
        self.assertIn("- fast\n", done.stdout)
        self.assertIn("lab/detect:1.2", done.stdout)
        self.assertIn("mystery", done.stderr)

    def test_json_has_every_node_and_the_manifest(self):
        answer = json.loads(self.edgewise(*PLACE, "--json").stdout)
        self.assertEqual(answer["node"], "fast")
        self.assertEqual([node["node"] for node in answer["nodes"]], ["fast", "slow", "mystery"])
        self.assertIn("- fast\n", answer["manifest"])
        self.assertIn("spec", answer["nodes"][2]["why_not"])
        self.assertFalse(answer["applied"])

    def test_kubectl_gets_the_manifest(self):
        manifest = self.edgewise(*PLACE).stdout
        done = self.edgewise(*PLACE, "--apply", env=self.kubectl(0))
        self.assertEqual(done.code, 0, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertEqual((self.scratch / "words").read_text(), "apply -f -\n")
        self.assertEqual((self.scratch / "applied").read_text(), manifest)

    def test_a_kubectl_that_fails_or_is_missing_is_said(self):
        failed = self.edgewise(*PLACE, "--apply", env=self.kubectl(1))
        self.assertEqual(failed.code, 3)
        self.assertIn("kubectl apply ended", failed.stderr)
        (self.scratch / "empty").mkdir()
        missing = self.edgewise(*PLACE, "--apply", env={**self.environment, "PATH": str(self.scratch / "empty")})
        self.assertEqual(missing.code, 3)
        self.assertIn("kubectl could not be started", missing.stderr)

    def test_a_cluster_without_known_hardware_is_a_no(self):
        (self.scratch / "nodes.yaml").write_text("nodes: [{name: mystery, device: Quantum 9000}]\n")
        done = self.edgewise(*PLACE)
        self.assertEqual(done.code, 1)
        self.assertIn("mystery", done.stderr)
        self.assertEqual(done.stdout, "")

    def test_bad_input_says_what_to_do(self):
        for arguments, words in ((PLACE[:3], "--image"), ((*PLACE[:3], *PLACE[5:]), "--nodes"), ((*PLACE, "--device", "x"), "the nodes say"),
                                 ((*PLACE[:-1], "no image"), "--image"), ((*PLACE[:4], "missing.yaml", *PLACE[5:]), "missing.yaml")):
            done = self.edgewise(*arguments)
            self.assertEqual(done.code, 2, (arguments, done.stderr))
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main()

"""`edgewise place`: a made-up cluster placed, kept, asked about and changed."""
import json
import unittest

from driving import EdgewiseTest


class OrchestrateTest(EdgewiseTest):
    def setUp(self):
        super().setUp()
        self.folder = self.scratch / "cluster"
        self.kept = self.scratch / "placement.yaml"

    def place(self, *arguments, code=0):
        done = self.edgewise("place", *arguments)
        self.assertEqual(done.code, code, done.stderr + done.stdout[-2000:])
        return done

    def files(self):
        return (self.folder / "requests.yaml", "--servers", self.folder / "servers.yaml")

    def generate(self):
        return json.loads(self.place("--generate", "servers=3,requests=45,seed=2", "--save", self.folder, "--out",
                                     self.kept, "--time-limit", "500ms", "--baselines", "--json").stdout)

    def test_a_placement_has_revenue_bound_and_reasons(self):
        answer = self.generate()
        self.assertGreater(answer["revenue"], 0)
        self.assertGreaterEqual(answer["bound"], answer["revenue"])
        self.assertGreaterEqual(answer["gap"], 0)
        placed = [name for server in answer["servers"] for name in server["requests"]]
        self.assertEqual(len(placed), len(set(placed)))
        self.assertEqual(len(placed) + len(answer["refused"]), 45)
        self.assertTrue(all(refusal["why"] for refusal in answer["refused"]))
        self.assertTrue(all(server["strain"] <= 1 for server in answer["servers"]))
        self.assertEqual(len(answer["baselines"]), 5)
        self.assertTrue(all(revenue <= answer["revenue"] for revenue in answer["baselines"].values()))

    def test_files_and_pictures_are_written_and_read_again(self):
        self.generate()
        svg, html = self.scratch / "p.svg", self.scratch / "p.html"
        text = self.place(*self.files(), "--current", self.kept, "--move-cost", "1000", "--time-limit", "300ms",
                          "--svg", svg, "--html", html).stdout
        self.assertIn("No placement can earn", text)
        self.assertIn("</svg>", svg.read_text())
        self.assertIn("server3", html.read_text())

    def test_one_more_request_is_admitted_or_refused_with_a_reason(self):
        self.generate()
        one = self.scratch / "one.yaml"
        request = "requests:\n  - {name: new, app: gcn, rate: 0.01, pay: 1, sla: {delay_ms: %s}, memory: %s}\n"
        one.write_text(request % (0.001, "1MiB"))
        refused = json.loads(self.place(*self.files(), "--current", self.kept, "--admit", one, "--json", code=1).stdout)
        self.assertFalse(refused["admitted"])
        self.assertIn("even alone", refused["why"])
        empty = self.scratch / "empty.yaml"
        empty.write_text("placed: []\n")
        one.write_text(request % (5000, "1MiB"))
        admitted = json.loads(self.place(*self.files(), "--current", empty, "--admit", one, "--json").stdout)
        self.assertTrue(admitted["admitted"])

    def test_what_if_a_server_were_gone(self):
        self.generate()
        fewer = json.loads(self.place(*self.files(), "--remove", "server1", "--time-limit", "300ms", "--json").stdout)
        self.assertEqual([server["name"] for server in fewer["servers"]], ["server2", "server3"])
        self.place(*self.files(), "--rate", "x2", "--time-limit", "300ms")

    def test_bad_input_is_one_sentence(self):
        self.generate()
        for arguments, words in (
                (("--generate", "servers=0"), "servers=0"),
                (("--generate", "servers=2", "--time-limit", "0s"), "--time-limit"),
                ((self.folder / "requests.yaml",), "--servers"),
                ((*self.files(), "--remove", "nobody"), "nobody"),
                ((*self.files(), "--rate", "2"), "x2"),
                ((*self.files(), "--manifests", "-", "--time-limit", "200ms"), "image"),
                ((*self.files(), "--admit", self.kept), "--current")):
            done = self.place(*arguments, code=2)
            self.assertIn(words, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()

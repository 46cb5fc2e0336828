"""What the apps compute, and the spans they leave."""
import unittest

from running import AppTest

# App, arguments, its item, its stages.
APPS = {
    "image": (["--items", 12], "frame", ["capture", "resize", "background", "flow", "contours"]),
    "image.py": (["--items", 12], "frame", ["capture", "resize", "background", "flow", "contours"]),
    "audio": (["--items", 12], "chunk", ["capture", "fft", "mel", "mfcc", "centroid"]),
    "audio.py": (["--items", 12], "chunk", ["capture", "fft", "mel", "mfcc", "centroid"]),
    "dl": (["--items", 3, "--model", "mlp"], "inference", ["capture", "preprocess", "forward", "postprocess"]),
    "spin": (["--items", 12, "--work", "1ms"], "item", ["spin"]),
}


class ResultsTest(AppTest):
    def test_the_same_seed_gives_the_same_checksum_and_another_one_another(self):
        for app, (arguments, _, _) in APPS.items():
            with self.subTest(app=app):
                first, again = (self.result(app, *arguments, "--seed", 1) for _ in range(2))
                other = self.result(app, *arguments, "--seed", 2)
                self.assertEqual(first["items"], arguments[1])
                self.assertGreater(first["fps"], 0)
                self.assertRegex(first["checksum"], "^[0-9a-f]{8}$")
                self.assertEqual(first["checksum"], again["checksum"])
                self.assertNotEqual(first["checksum"], other["checksum"])

    def test_every_item_counts_in_the_checksum(self):
        for app, (arguments, _, _) in APPS.items():
            with self.subTest(app=app):
                fewer = [2 if argument == arguments[1] else argument for argument in arguments]
                self.assertNotEqual(self.result(app, *arguments)["checksum"], self.result(app, *fewer)["checksum"])

    def test_threads_change_nothing_in_the_results(self):
        for app in ("image", "audio", "spin"):
            with self.subTest(app=app):
                one, three = (self.result(app, *APPS[app][0], "--threads", threads) for threads in (1, 3))
                self.assertEqual(one["checksum"], three["checksum"])
                self.assertEqual((one["threads"], three["threads"]), (1, 3))

    def test_the_python_twin_of_image_finds_what_image_finds(self):
        self.assertEqual(self.result("image", "--items", 15)["checksum"],
                         self.result("image.py", "--items", 15)["checksum"])

    def test_spin_has_the_same_checksum_on_every_machine(self):
        self.assertEqual(self.result("spin", "--items", 50, "--work", "100us")["checksum"], "a4d8d51d")
        self.assertEqual(self.result("spin", "--items", 50, "--steps", 1000, "--threads", 2)["checksum"], "a4d8d51d")

    def test_every_item_and_stage_is_a_span(self):
        for app, (arguments, item, stages) in APPS.items():
            with self.subTest(app=app):
                run, spans = self.measured(app, *arguments)
                self.assertEqual(set(spans), {item, *stages})
                for name in (item, *stages):
                    self.assertEqual((spans[name]["count"], spans[name]["dropped"]), (arguments[1], 0), name)
                self.assertIn("fps", {series["name"] for series in run["series"]})
                self.assertIn("checksum", run["output_tail"])

    def test_threads_of_a_run_are_obeyed(self):
        run = self.run_json("--threads", 2, "--", *self.command("spin", "--items", 2, "--work", "1ms", "--json"))
        self.assertIn('"threads":2', run["output_tail"])

    def test_the_end_in_words(self):
        done = self.app("audio", "--items", 2)
        self.assertRegex(done.stdout, r"^audio: 2 items in \S+ \S+, \S+ fps, checksum [0-9a-f]{8} \(seed 1\)\n$")


if __name__ == "__main__":
    unittest.main()

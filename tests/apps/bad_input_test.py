"""Bad input is answered with one sentence that says what to do."""
import pathlib
import unittest

from running import AppTest


class FlagsTest(AppTest):
    def test_contradictions_and_nonsense_are_refused(self):
        for arguments, words in (
                (["--rate", "fast"], ["--rate", "fast"]),
                (["--rate", "0"], ["--rate"]),
                (["--rate", "nan"], ["--rate"]),
                (["--rate", "10", "--max"], ["--rate", "--max"]),
                (["--rate", "10", "--period", "1s"], ["--rate", "--period"]),
                (["--period", "soon"], ["--period", "soon"]),
                (["--deadline", "5ms"], ["--deadline", "--period"]),
                (["--arrivals", "poisson"], ["--arrivals", "--rate"]),
                (["--arrivals", "at-once", "--rate", "5"], ["at-once"]),
                (["--arrivals", "never"], ["--arrivals"]),
                (["--items", "0"], ["--items"]),
                (["--duration", "-1s"], ["--duration"]),
                (["--threads", "0"], ["--threads"]),
                (["--seed", "x"], ["--seed"]),
                (["--work", "long"], ["--work"]),
                (["--work", "2h"], ["--work"]),
                (["--work", "1ms", "--steps", "5"], ["--work", "--steps"]),
                (["--wrok", "1ms"], ["--wrok"])):
            with self.subTest(arguments=arguments):
                self.refused("spin", *arguments, words=words)

    def test_a_bad_number_of_threads_in_the_environment_is_refused(self):
        self.refused("spin", env={"EDGEWISE_THREADS": "many"}, words=["EDGEWISE_THREADS", "many"])

    def test_the_python_twins_refuse_too(self):
        for app in ("image.py", "audio.py"):
            for arguments, words in ((["--rate", "0"], ["--rate"]), (["--deadline", "1s"], ["--deadline"]),
                                     (["--input", "no-such-file"], ["no-such-file"]), (["--items", "-3"], ["--items"])):
                with self.subTest(app=app, arguments=arguments):
                    self.refused(app, *arguments, words=words)

    def test_help_names_every_flag(self):
        for app in ("image", "audio", "dl", "sensor", "spin"):
            done = self.app(app, "--help")
            self.assertEqual((done.code, done.stderr), (0, ""))
            for flag in ("--rate", "--max", "--period", "--deadline", "--threads", "--items", "--duration", "--seed",
                         "--json"):
                self.assertIn(flag, done.stdout)


class InputTest(AppTest):
    def setUp(self):
        super().setUp()
        self.text = self.scratch / "text"
        self.text.write_text("this is neither a film nor a sound\n")

    def test_files_that_are_missing_or_something_else_are_refused(self):
        for app in ("image", "audio"):
            with self.subTest(app=app):
                self.refused(app, "--input", "no-such-file", words=["no-such-file", "synthetic"])
                self.refused(app, "--input", self.text, words=[str(self.text)])
                self.refused(app, "--input", self.scratch, words=[str(self.scratch)])

    def test_inputs_of_the_wrong_kind_are_refused(self):
        self.refused("image", "--input", "mic", words=["microphone"])
        self.refused("audio", "--input", "camera:0", words=["pictures"])
        self.refused("image", "--input", "camera:front", words=["camera:N"])

    def test_no_camera_is_named(self):
        if pathlib.Path("/dev/video17").exists():
            self.skipTest("there is a camera 17")
        self.refused("image", "--input", "camera:17", code=3, words=["camera 17", "--input synthetic"])

    def test_no_stream_is_named(self):
        self.refused("image", "--input", "rtsp://127.0.0.1:9/none", code=3, words=["rtsp://127.0.0.1:9/none"])

    def test_no_microphone_is_named(self):
        self.refused("audio", "--input", "mic:no-such", code=3, words=["no-such", "--input synthetic"])


if __name__ == "__main__":
    unittest.main()

"""`edgewise measure-model`: the sample app beside a stressor, as rows."""
import csv
import io
import json
import signal
import unittest

from driving import PATIENCE_S, processes_with, wait_until
from running import AppTest

SOPRANO = ["model", "conv_layers", "pool_layers", "fc_layers", "filter_details", "total_parameters",
           "model_input_size", "model_output_size", "cpu_usage(percentage)", "disk_usage(percentage)", "device_type",
           "execution_time"]


class MeasureModelTest(AppTest):
    def setUp(self):
        super().setUp()
        done = self.app("models", "mlp", "--output", self.scratch)
        self.assertEqual(done.code, 0, done.stderr)

    def refuse(self, *arguments, words):
        done = self.edgewise("measure-model", *arguments)
        self.assertEqual((done.code, done.stdout), (2, ""), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_rows_say_what_was_asked_and_what_was_measured(self):
        done = self.edgewise("measure-model", "mlp.onnx", "--load", "0,60", "--repeat", "10", "-o", "rows.csv")
        self.assertEqual((done.code, done.stderr), (0, ""))
        self.assertIn("CPU before", done.stdout)
        with open(self.scratch / "rows.csv", newline="", encoding="utf-8") as file:
            reader = csv.DictReader(file)
            rows = list(reader)
        self.assertEqual(reader.fieldnames[:len(SOPRANO)], SOPRANO)
        self.assertEqual([(row["load_asked(percentage)"], row["threads"]) for row in rows], [("0", "1"), ("60", "1")])
        done = self.edgewise("inspect", "mlp.onnx", "--json")
        said = json.loads(done.stdout)
        for row in rows:
            for field, value in said["characteristics"].items():
                self.assertEqual(row[field], str(value))
            self.assertEqual(row["macs"], str(said["macs"]))
            # An inference of so small a network is far shorter than two seconds.
            self.assertGreater(int(row["samples"]), 10)
            times = [float(row[name]) for name in ("min_ms", "median_low_ms", "median_ms", "median_high_ms", "max_ms")]
            self.assertEqual(times, sorted(times))
            self.assertGreater(times[0], 0)
            self.assertAlmostEqual(float(row["execution_time"]) * 1000, float(row["mean_ms"]), places=5)
            self.assertGreater(float(row["preprocess_median_ms"]), 0)
            self.assertEqual(self.show(row["run_id"])["command"][1:3], ["--model", "mlp.onnx"])
        # Whatever else runs here: what was asked for is part of it.
        self.assertGreater(float(rows[1]["cpu_usage(percentage)"]), 30)

    def test_rows_go_to_stdout_alone(self):
        done = self.edgewise("measure-model", "mlp.onnx", "--repeat", "3", "--threads", "1")
        self.assertEqual((done.code, done.stderr), (0, ""))
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
        self.assertEqual(len(rows), 1)
        self.assertEqual(rows[0]["model"], "mlp")

    def test_bad_input_is_refused_in_one_sentence(self):
        self.refuse("mlp.onnx", "--load", "0,101", words=["--load", "101"])
        self.refuse("mlp.onnx", "--load", "", words=["--load"])
        self.refuse("mlp.onnx", "--load", "50,50", words=["--load", "twice"])
        self.refuse("mlp.onnx", "--threads", "0", words=["--threads"])
        self.refuse("mlp.onnx", "--repeat", "0", words=["--repeat"])
        self.refuse("none.onnx", words=["none.onnx"])
        (self.scratch / "bad.onnx").write_bytes(b"hello")
        self.refuse("bad.onnx", words=["bad.onnx"])

    def test_a_network_that_the_engine_cannot_run_is_named(self):
        import onnx
        from onnx import TensorProto, helper
        ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 4]) for name in "xy"]
        node = helper.make_node("Frobnicate", ["x"], ["y"])
        onnx.save(helper.make_model(helper.make_graph([node], "odd", ends[:1], ends[1:])), self.scratch / "odd.onnx")
        self.refuse("odd.onnx", words=["Frobnicate"])

    def test_a_signal_ends_it_and_leaves_nothing(self):
        process = self.start("measure-model", "mlp.onnx", "--load", "30", "--repeat", "100000")
        wait_until(lambda: len(processes_with(str(self.home))) > 4, "the network beside its load")
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=PATIENCE_S), 130)
        wait_until(lambda: not processes_with(str(self.home)), "the end of all that was started")


if __name__ == "__main__":
    unittest.main()

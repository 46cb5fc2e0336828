"""`edgewise train`, `evaluate`, `predict` and `calibrate --device --measured` on tables made here."""
import csv
import json
import math
import random
import unittest

from driving import EdgewiseTest

NETWORKS = 12
BOARDS = 12


def layers(index):
    """Rows of a network of pointwise and 3x3 convolutions."""
    side, channels = 14 * (1 + index % 3), 32 + 16 * (index % 5)
    rows = []
    for kernel, count in ((1, 2 + index % 4), (3, 1 + index % 3)):
        for _ in range(count):
            parameters = kernel * kernel * channels * channels
            shape = f"{channels}x{side}x{side}"
            rows.append([f"net{index}", len(rows), "Convolution", kernel, 1, 1, shape, shape,
                         parameters * side * side, parameters, 0])
    return rows


class PredictTest(EdgewiseTest):
    def setUp(self):
        super().setUp()
        chance = random.Random(1)
        networks = [layers(n) for n in range(NETWORKS)]
        self.write("layers.csv", ["model", "layer", "type", "kernel_w", "stride", "groups", "in_shape", "out_shape",
                                  "macs", "parameters", "int8"], [row for network in networks for row in network])
        self.write("models.csv", ["model", "conv_layers", "pool_layers", "fc_layers", "filter_details",
                                  "total_parameters", "model_input_size"],
                   [[f"net{n}", len(rows), 0, 0, 32 * len(rows), sum(row[9] for row in rows), 4000 * (1 + n % 3)]
                    for n, rows in enumerate(networks)])
        self.ms = {}
        for board in range(BOARDS):
            rate = {1: 9 * math.exp(chance.gauss(0, 1)), 3: math.exp(chance.gauss(0, 0.7))}
            for n, rows in enumerate(networks):
                ms = sum(row[8] * rate[row[3]] for row in rows) * 1e-6 * math.exp(chance.gauss(0, 0.03))
                self.ms[board, n] = ms
        self.latencies("latency.csv", range(BOARDS - 1))

    def write(self, name, header, rows):
        with open(self.scratch / name, "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([header, *rows])

    def latencies(self, name, boards):
        self.write(name, ["device", "cpu_arch", "threads", "model", "min_ms", "run", "suspect", "backend"],
                   [[f"Board {board} Model B", "Cortex-A53", 1, f"net{n}", f"{self.ms[board, n]:.5f}", f"{board}.1", 0, "cpu"]
                    for board in boards for n in range(NETWORKS)])

    def train(self):
        done = self.edgewise("train", "latency.csv", "layers.csv", "models.csv", "--source", "a test", "-o", "model.ewm")
        self.assertEqual(done.code, 0, done.stderr)
        return done

    def predict(self, *arguments):
        done = self.edgewise("predict", "--model", "model.ewm", "--json", *arguments)
        self.assertEqual(done.code, 0, done.stderr)
        return json.loads(done.stdout)

    def test_a_trained_model_ranks_devices_with_intervals(self):
        self.assertIn("new network, known device", self.train().stdout)
        answer = self.predict("--model-features", "net3")
        self.assertEqual(answer["trained_on"], "a test")
        ranking = answer["ranking"]
        self.assertEqual(len(ranking), BOARDS - 1)
        self.assertEqual(ranking, sorted(ranking, key=lambda row: row["predicted_ms"]))
        for row in ranking:
            self.assertLess(row["interval_90_ms"][0], row["predicted_ms"])
            self.assertGreater(row["interval_90_ms"][1], row["predicted_ms"])
            board = int(row["device"].split()[1])
            self.assertLess(abs(row["predicted_ms"] / self.ms[board, 3] - 1), 0.3)

    def test_device_names_are_matched_as_people_write_them(self):
        self.train()
        ranking = self.predict("--model-features", "net3", "--device", "board 4B Rev 1.2")["ranking"]
        self.assertEqual([row["device"] for row in ranking], ["Board 4 Model B"])
        unknown = self.edgewise("predict", "--model", "model.ewm", "--model-features", "net3", "--device", "Board 77")
        self.assertEqual(unknown.code, 2)
        self.assertIn("--spec", unknown.stderr)

    def test_a_new_network_is_read_from_its_layers_and_more_of_them_take_longer(self):
        self.train()
        header = (self.scratch / "layers.csv").read_text().splitlines()[0].split(",")
        times = []
        for count in (1, 2, 3):
            rows = [["mine", *row[1:]] for row in layers(2) * count]
            self.write("mine.csv", header, rows)
            times.append(self.predict("--model-features", "mine.csv", "--device", "Board 1 Model B")
                         ["ranking"][0]["predicted_ms"])
        self.assertEqual(times, sorted(times))

    def test_the_eight_fields_give_a_coarse_answer_and_absurd_ones_are_marked(self):
        self.train()
        fields = {"model": "m", "conv_layers": 66666666, "pool_layers": 77777777, "fc_layers": 34535353535,
                  "filter_details": 66, "total_parameters": 10 ** 19, "model_input_size": 345343543,
                  "model_output_size": 123421435}
        (self.scratch / "fields.json").write_text(json.dumps(fields))
        best = self.predict("--model-features", "fields.json")["ranking"][0]
        self.assertEqual(best["basis"], "coarse")
        self.assertTrue(best["out_of_distribution"])
        self.assertTrue(math.isfinite(best["predicted_ms"]))

    def test_five_networks_place_a_new_device(self):
        self.train()
        new = BOARDS - 1
        self.write("five.csv", ["model", "min_ms"], [[f"net{n}", self.ms[new, n]] for n in range(5)])
        done = self.edgewise("calibrate", "--device", "New board", "--measured", "five.csv", "--model", "model.ewm",
                             "-o", "mine.ewm", "--json")
        self.assertEqual(done.code, 0, done.stderr)
        self.assertEqual(len(json.loads(done.stdout)["used"]), 5)
        errors = []
        for n in range(5, NETWORKS):
            done = self.edgewise("predict", "--model", "mine.ewm", "--model-features", f"net{n}", "--device", "New board",
                                 "--json")
            row = json.loads(done.stdout)["ranking"][0]
            self.assertEqual(row["basis"], "calibrated")
            errors.append(abs(row["predicted_ms"] / self.ms[new, n] - 1))
        self.assertLess(sum(errors) / len(errors), 0.2)

    def test_load_that_was_measured_makes_predictions_slower_and_wider(self):
        self.train()
        refused = self.edgewise("predict", "--model", "model.ewm", "net3", "--load", "50")
        self.assertEqual(refused.code, 2)
        self.assertIn("measure-model", refused.stderr)
        chance = random.Random(2)
        self.write("load.csv", ["model", "conv_layers", "cpu_usage(percentage)", "device_type", "threads", "mean_ms", "min_ms"],
                   [[f"net{n}", 3, load, "Board 1", 1, 10 * (1 + n) * (1 + load / 100) * math.exp(chance.gauss(0, 0.05)), 9]
                    for n in range(4) for load in (1, 25, 50, 75)])
        done = self.edgewise("train", "latency.csv", "layers.csv", "load.csv", "-o", "model.ewm")
        self.assertEqual(done.code, 0, done.stderr)
        idle, half, most = (self.predict("net3", "--device", "Board 1 Model B", "--load", load)["ranking"][0]
                            for load in ("0", "50", "75"))
        self.assertLess(abs(half["predicted_ms"] / idle["predicted_ms"] / 1.5 - 1), 0.2)
        self.assertGreater(most["predicted_ms"], half["predicted_ms"])
        self.assertEqual(half["load_percent"], 50)
        width = lambda row: row["interval_90_ms"][1] / row["interval_90_ms"][0]
        unloaded = self.predict("net3", "--device", "Board 1 Model B")["ranking"][0]
        self.assertIsNone(unloaded["load_percent"])
        self.assertGreater(width(half), width(unloaded))

    def test_evaluation_beats_macs_alone(self):
        done = self.edgewise("evaluate", "latency.csv", "layers.csv", "models.csv", "--json")
        self.assertEqual(done.code, 0, done.stderr)
        rows = json.loads(done.stdout)["rows"]
        self.assertEqual(rows[0]["name"], "new network, known device")
        self.assertLess(rows[0]["median_ape"], rows[1]["median_ape"])

    def test_the_default_model_is_found(self):
        done = self.edgewise("predict", "--model-features", "mobilenet_v2", "--device", "Raspberry Pi 4B", "--json")
        self.assertEqual(done.code, 0, done.stderr)
        self.assertIn("ncnn", json.loads(done.stdout)["trained_on"])

    def test_bad_input_says_what_to_do(self):
        (self.scratch / "broken.ewm").write_text("{\"format\": \"edgewise-latency-model\"")
        for arguments, words in (
                (("train", "layers.csv", "-o", "x.ewm"), "latencies"),
                (("train", "missing.csv", "-o", "x.ewm"), "missing.csv"),
                (("predict", "--model", "broken.ewm", "--model-features", "net1"), "broken.ewm"),
                (("predict", "--model-features", "mobilenet_v9"), "did you mean mobilenet_v"),
                (("calibrate", "--device", "x"), "-o FILE"),
                (("predict", "mobilenet_v2", "--load", "101"), "--load"),
                (("predict", "mobilenet_v2", "--apply"), "--place"),
                (("predict",), "--model-features"),
                (("calibrate",), "--timers")):
            done = self.edgewise(*arguments)
            self.assertEqual(done.code, 2, (arguments, done.stderr))
            self.assertIn(words, done.stderr)
            self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
        self.assertFalse((self.scratch / "x.ewm").exists())


if __name__ == "__main__":
    unittest.main()

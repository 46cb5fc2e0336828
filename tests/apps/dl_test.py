"""Neural networks in either precision, from our files and from others'."""
import struct
import unittest

from running import MODELS, AppTest


def varint(value):
    out = b""
    while value >= 0x80:
        out += bytes([value & 0x7F | 0x80])
        value >>= 7
    return out + bytes([value])


def field(number, content):
    """One field of a protocol buffer: an int, or bytes."""
    if isinstance(content, int):
        return varint(number << 3) + varint(content)
    return varint(number << 3 | 2) + varint(len(content)) + content


def value_info(name, dims, element_type=1):
    shape = b"".join(field(1, field(1, dim) if isinstance(dim, int) else field(2, dim)) for dim in dims)
    return field(1, name) + field(2, field(1, field(1, element_type) + field(2, shape)))


def onnx(op, dims=(1, 3, 8, 8), inputs=(b"x",), element_type=1):
    """A model of one node."""
    node = b"".join(field(1, name) for name in inputs) + field(2, b"y") + field(4, op)
    graph = field(1, node) + field(2, b"g")
    graph += b"".join(field(11, value_info(name, dims, element_type)) for name in inputs)
    return field(1, 5) + field(8, field(1, b"") + field(2, 10)) + field(7, graph + field(12, value_info(b"y", dims)))


class ModelsTest(AppTest):
    def test_every_model_loads_and_runs_in_fp32(self):
        for model in MODELS:
            with self.subTest(model=model):
                result = self.result("dl", "--model", model, "--items", 2)
                self.assertEqual((result["items"], result["model"], result["precision"]), (2, model, "fp32"))
                self.assertGreater(result["weights_bytes"], 100_000)

    def test_a_file_is_the_same_for_the_same_seed(self):
        first, second, other = (self.scratch / name for name in ("first", "second", "other"))
        for folder, seed in ((first, 7), (second, 7), (other, 8)):
            done = self.app("models", "lstm", "--seed", seed, "--output", folder)
            self.assertEqual((done.code, done.stderr), (0, ""))
        read = [next(folder.iterdir()).read_bytes() for folder in (first, second, other)]
        self.assertEqual(read[0], read[1])
        self.assertNotEqual(read[0], read[2])

    def test_models_lists_what_there_is(self):
        listed = self.app("models").stdout
        self.assertEqual([line.split()[0] for line in listed.splitlines()], list(MODELS))

    def test_a_users_own_file_runs(self):
        path = self.scratch / "own.onnx"
        path.write_bytes(onnx(b"Relu"))
        self.assertEqual(self.result("dl", "--model", path, "--items", 2)["items"], 2)

    def test_a_batch_counts_its_pictures(self):
        result = self.result("dl", "--model", "mlp", "--items", 3, "--batch", 4)
        self.assertEqual((result["items"], result["batch"]), (3, 4))
        self.assertAlmostEqual(result["fps"] * result["elapsed_s"], 12, places=6)


class Int8Test(AppTest):
    def test_int8_is_compared_with_fp32(self):
        for model in ("squeezenet", "mlp"):
            with self.subTest(model=model):
                result = self.result("dl", "--model", model, "--items", 2, "--precision", "int8")
                self.assertEqual(result["compared_inputs"], 16)
                self.assertLessEqual(result["same_top1"], 16)
                self.assertGreater(result["cosine"], 0.9)
                self.assertLess(result["weights_bytes"], 0.3 * result["fp32_weights_bytes"])
                self.assertGreater(result["fp32_median_ms"], 0)
                self.assertGreater(result["int8_median_ms"], 0)
                exact = self.result("dl", "--model", model, "--items", 2)
                self.assertNotEqual(result["checksum"], exact["checksum"])

    def test_the_comparison_is_said_in_words(self):
        done = self.app("dl", "--model", "mlp", "--items", 2, "--precision", "int8")
        self.assertRegex(done.stdout, r"dl: int8 against fp32: \d+ of 16 inputs have the same answer, cosine 0\.\d+")
        self.assertRegex(done.stdout, "times (as fast|slower)")

    def test_what_cannot_be_quantised_is_said(self):
        for model in ("lstm", "transformer"):
            with self.subTest(model=model):
                self.refused("dl", "--model", model, "--precision", "int8", words=["int8", model, "fp32"])


class BadModelTest(AppTest):
    def model(self, content):
        path = self.scratch / "bad.onnx"
        path.write_bytes(content)
        return path

    def test_what_is_no_onnx_file_is_named(self):
        for content in (b"", b"hello", bytes(range(256)), struct.pack("<Q", 1) * 100, onnx(b"Relu")[:-9]):
            with self.subTest(content=content[:20]):
                path = self.model(content)
                self.refused("dl", "--model", path, words=[str(path), "not an ONNX file"])

    def test_an_unsupported_operator_is_named(self):
        for op in (b"Frobnicate", b"NonZero"):
            with self.subTest(op=op):
                self.refused("dl", "--model", self.model(onnx(op)), words=["operator " + op.decode()])

    def test_inputs_that_cannot_be_fed_are_named(self):
        self.refused("dl", "--model", self.model(onnx(b"Add", inputs=(b"x", b"z"))), words=["2 inputs"])
        self.refused("dl", "--model", self.model(onnx(b"Relu", element_type=7)), words=["32-bit floats"])
        self.refused("dl", "--model", self.model(onnx(b"Relu", dims=(1, 3, b"h", b"w"))), words=["height and width"])
        self.refused("dl", "--model", self.model(onnx(b"Relu", dims=(1 << 40, 1 << 40))), words=["too large"])

    def test_unknown_names_get_a_suggestion(self):
        self.refused("dl", "--model", "resnet", words=["resnet18"])
        self.refused("models", "mobilnetv2", words=["mobilenetv2"])
        self.refused("dl", "--precision", "int4", words=["--precision"])
        self.refused("dl", "--model", "lstm", "--batch", 2, words=["--batch"])

    def test_a_folder_that_cannot_be_written_is_named(self):
        file = self.scratch / "file"
        file.write_text("")
        self.refused("dl", "--model", "mlp", code=3, env={"EDGEWISE_MODELS": str(file)}, words=["EDGEWISE_MODELS"])


if __name__ == "__main__":
    unittest.main()

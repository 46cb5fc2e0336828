"""`edgewise inspect` against an independent count with Python's onnx."""
import builtins
import copy
import json
import math
import os
import unittest

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper, shape_inference

from driving import EDGEWISE
from running import MODELS, AppTest

FLOAT_BYTES = 4


def tensor(name, *dims, kind=numpy.float32):
    return numpy_helper.from_array(numpy.zeros(dims, kind), name)


def integers(name, *values):
    return numpy_helper.from_array(numpy.array(values, numpy.int64), name)


def value(name, *dims):
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, dims)


def model_of(nodes, inputs, outputs, initializers, opset=13):
    graph = helper.make_graph(nodes, "test", inputs, outputs, initializers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
    onnx.checker.check_model(model)
    return model


class Count:
    """What a model costs, by onnx's own shape inference and formulas written here."""

    def __init__(self, model):
        graph = shape_inference.infer_shapes(model, data_prop=True).graph
        self.weights = {w.name: list(w.dims) for w in graph.initializer}
        self.shapes = dict(self.weights)
        for info in [*graph.value_info, *graph.output, *graph.input]:
            dims = info.type.tensor_type.shape.dim
            if info.name not in self.weights and all(d.HasField("dim_value") for d in dims):
                self.shapes[info.name] = [d.dim_value for d in dims]
        self.inputs = [i.name for i in graph.input if i.name not in self.weights]
        self.outputs = [o.name for o in graph.output]
        self.nodes = list(graph.node)
        self.maker = {name: node for node in self.nodes for name in node.output}

    def size(self, name):
        return math.prod(self.shapes[name])

    def macs(self):
        return sum(self.node_macs(node) for node in self.nodes)

    def node_macs(self, node):
        attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute}
        shape = self.shapes
        if node.op_type == "Conv":
            out_channels, group_channels, *kernel = shape[node.input[1]]
            batch, _, *windows = shape[node.output[0]]
            return batch * math.prod(windows) * out_channels * group_channels * math.prod(kernel)
        if node.op_type == "ConvTranspose":
            batch, in_channels, *windows = shape[node.input[0]]
            _, group_outputs, *kernel = shape[node.input[1]]
            return batch * in_channels * math.prod(windows) * group_outputs * math.prod(kernel)
        if node.op_type == "Gemm":
            inner = shape[node.input[0]][0 if attributes.get("transA") else 1]
            return self.size(node.output[0]) * inner
        if node.op_type == "MatMul":
            return self.size(node.output[0]) * shape[node.input[0]][-1]
        if node.op_type in ("LSTM", "GRU", "RNN"):
            gates = {"LSTM": 4, "GRU": 3, "RNN": 1}[node.op_type]
            steps, batch, width = shape[node.input[0]]
            directions, _, hidden = shape[node.input[2]]
            return steps * batch * directions * gates * hidden * (width + hidden)
        return 0

    def characteristics(self):
        def follows(node, op):
            return node.input[0] in self.maker and self.maker[node.input[0]].op_type == op

        convolutions = [n for n in self.nodes if n.op_type == "Conv" and n.input[1] in self.weights]
        return {
            "conv_layers": len(convolutions),
            "filter_details": sum(self.weights[n.input[1]][0] for n in convolutions),
            "pool_layers": sum(n.op_type in ("MaxPool", "AveragePool", "GlobalAveragePool") for n in self.nodes),
            "fc_layers": sum(n.op_type == "Gemm"
                             or n.op_type == "MatMul" and (n.input[1] in self.weights or follows(n, "Flatten"))
                             or n.op_type == "Conv" and follows(n, "GlobalAveragePool") for n in self.nodes),
            "total_parameters": sum(math.prod(dims) for dims in self.weights.values()),
            "model_input_size": FLOAT_BYTES * sum(self.size(name) for name in self.inputs),
            "model_output_size": FLOAT_BYTES * sum(self.size(name) for name in self.outputs),
        }

    def activation_bytes(self):
        """Of networks of 32-bit floats that compute nothing from shapes."""
        free = ("Reshape", "Flatten", "Squeeze", "Unsqueeze", "Identity", "Dropout")
        return FLOAT_BYTES * sum(self.size(name) for node in self.nodes if node.op_type not in free
                                 for name in [*dict.fromkeys(node.input), *node.output]
                                 if name and name not in self.weights)


class InspectTest(AppTest):
    def inspect(self, model, *arguments):
        path = model
        if not isinstance(model, (str, os.PathLike)):
            path = self.scratch / "model.onnx"
            onnx.save(model, path)
        done = self.edgewise("inspect", path, "--json", *arguments)
        self.assertEqual((done.code, done.stderr), (0, ""))
        return json.loads(done.stdout)

    def refuse(self, path, *arguments, words):
        done = self.edgewise("inspect", path, *arguments)
        self.assertEqual((done.code, done.stdout), (2, ""), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1)
        for word in words:
            self.assertIn(word, done.stderr)

    def agree(self, said, count):
        self.assertEqual(said["macs"], count.macs())
        self.assertEqual(said["activation_bytes"], count.activation_bytes())
        said["characteristics"].pop("model")
        self.assertEqual(said["characteristics"], count.characteristics())
        self.assertEqual(said["unknown_nodes"], 0)
        for name, values in (("inputs", count.inputs), ("outputs", count.outputs)):
            self.assertEqual([(v["name"], v["shape"]) for v in said[name]], [(n, count.shapes[n]) for n in values])
        for layer, node in zip(said["layers"], count.nodes):
            self.assertEqual((layer["operator"], layer["out_shape"]), (node.op_type, count.shapes[node.output[0]]))

    def test_the_sample_models_cost_what_an_independent_count_says(self):
        for name in MODELS:
            with self.subTest(model=name):
                path = self.sample_model(name)
                self.agree(self.inspect(path, "--layers"), Count(onnx.load(path)))

    def test_operators_of_edge_networks_have_the_shapes_that_onnx_infers(self):
        nodes = [
            helper.make_node("Conv", ["x", "w1", "b1"], ["a"], strides=[2, 2], pads=[1, 1, 1, 1]),
            helper.make_node("BatchNormalization", ["a", "b1", "b1", "b1", "b1"], ["b"]),
            helper.make_node("HardSwish", ["b"], ["c"]),
            helper.make_node("Conv", ["c", "w2"], ["d"], group=8, auto_pad="SAME_UPPER"),
            helper.make_node("AveragePool", ["d"], ["e"], kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1),
            helper.make_node("ConvTranspose", ["e", "w3"], ["f"], strides=[2, 2], output_padding=[1, 1]),
            helper.make_node("Split", ["f", "parts"], ["g", "h"], axis=1),
            helper.make_node("Concat", ["h", "g"], ["i"], axis=1),
            helper.make_node("Slice", ["i", "starts", "ends", "axes", "steps"], ["j"]),
            helper.make_node("Pad", ["j", "pads"], ["k"]),
            helper.make_node("Transpose", ["k"], ["l"], perm=[0, 2, 3, 1]),
            helper.make_node("ReduceMean", ["l"], ["m"], axes=[1], keepdims=0),
            helper.make_node("LayerNormalization", ["m", "ln"], ["n"], axis=-1),
            helper.make_node("MatMul", ["n", "w4"], ["o"]),
            helper.make_node("Softmax", ["o"], ["p"]),
            helper.make_node("Unsqueeze", ["p", "front"], ["q"]),
            helper.make_node("Expand", ["q", "wide"], ["y"]),
        ]
        weights = [tensor("w1", 8, 3, 3, 3), tensor("b1", 8), tensor("w2", 8, 1, 5, 5), tensor("w3", 8, 6, 3, 3),
                   integers("parts", 2, 4), integers("starts", 1, 0), integers("ends", -1, 2**62),
                   integers("axes", 2, 3), integers("steps", 1, 2), integers("pads", 0, 0, 1, 2, 0, 0, 1, 2),
                   tensor("ln", 6), tensor("w4", 6, 10), integers("front", 0), integers("wide", 4, 1, 1, 1)]
        model = model_of(nodes, [value("x", 1, 3, 65, 47)], [value("y", 4, 1, None, 10)],
                         weights, opset=17)
        said = self.inspect(model, "--layers")
        count = Count(model)
        compared = [(layer["out_shape"], count.shapes[node.output[0]]) for layer, node in zip(said["layers"], count.nodes)
                    if node.output[0] in count.shapes]
        self.assertGreaterEqual(len(compared), len(nodes) - 2)
        for ours, theirs in compared:
            self.assertEqual(ours, theirs)
        self.assertEqual(said["macs"], count.macs())

    def test_shapes_computed_while_running_are_worked_out(self):
        nodes = [
            helper.make_node("Shape", ["x"], ["s"]),
            helper.make_node("Gather", ["s", "zero"], ["batch"], axis=0),
            helper.make_node("Concat", ["batch", "rest"], ["to"], axis=0),
            helper.make_node("Reshape", ["x", "to"], ["flat"]),
            helper.make_node("MatMul", ["flat", "w"], ["y"]),
        ]
        model = model_of(nodes, [value("x", "n", 4, 6)], [value("y", "n", 5)],
                         [integers("zero", 0), integers("rest", -1), tensor("w", 24, 5)])
        said = self.inspect(model, "--input-shape", "x=3x4x6")
        self.assertEqual(said["macs"], 3 * 24 * 5)
        self.assertEqual(said["outputs"][0]["shape"], [3, 5])
        self.assertEqual(said["folded_nodes"], 3)

    def test_open_dimensions_ask_for_a_shape(self):
        path = self.scratch / "open.onnx"
        onnx.save(model_of([helper.make_node("Relu", ["x"], ["y"])], [value("x", "n", 3)], [value("y", "n", 3)], []),
                  path)
        self.refuse(path, words=["\"x\"", "n x 3", "--input-shape x=1x3"])
        self.refuse(path, "--input-shape", "z=1x3", words=["no input \"z\""])
        self.refuse(path, "--input-shape", "x=1x4", words=["fixed to 3"])
        self.refuse(path, "--input-shape", "x", words=["NAME=1x3x224x224"])
        self.assertEqual(self.inspect(path, "--input-shape", "x=7x3")["outputs"][0]["shape"], [7, 3])

    def test_unknown_operators_are_counted_and_named(self):
        graph = helper.make_graph([helper.make_node("Frobnicate", ["x"], ["a"], domain="com.acme"),
                                   helper.make_node("Gemm", ["x", "w"], ["y"])], "test", [value("x", 2, 3)],
                                  [value("y", 2, 4)], [tensor("w", 3, 4)])
        said = self.inspect(helper.make_model(graph))
        self.assertEqual(said["unknown_operators"], [{"operator": "com.acme:Frobnicate", "nodes": 1}])
        self.assertEqual(said["macs"], 24)
        self.assertEqual(said["unknown_nodes"], 1)
        self.assertEqual(said["characteristics"]["model_output_size"], 32)

    def test_sizes_that_depend_on_data_are_unknown_not_nothing(self):
        said = self.inspect(model_of([helper.make_node("NonZero", ["x"], ["y"])], [value("x", 2, 3)],
                                     [helper.make_tensor_value_info("y", TensorProto.INT64, [2, None])], []))
        self.assertIsNone(said["characteristics"]["model_output_size"])
        self.assertEqual((said["unknown_operators"], said["unknown_nodes"]), ([], 1))
        self.assertIn("lower bounds", said["notes"][0])

    def test_weights_in_another_file_are_not_needed_but_missed(self):
        model = model_of([helper.make_node("Gemm", ["x", "w"], ["y"])], [value("x", 1, 300)], [value("y", 1, 200)],
                         [tensor("w", 300, 200)])
        path = self.scratch / "model.onnx"
        onnx.save_model(model, str(path), save_as_external_data=True, location="w.bin", size_threshold=0)
        self.assertLess(path.stat().st_size, 1000)
        said = self.inspect(path)
        self.assertEqual((said["macs"], said["weight_bytes"], said["notes"]), (60000, 240000, []))
        (self.scratch / "w.bin").unlink()
        said = self.inspect(path)
        self.assertEqual(said["macs"], 60000)
        self.assertIn("w.bin", said["notes"][0])

    def test_bad_files_are_refused_in_one_sentence(self):
        path = self.scratch / "bad.onnx"
        for content in (b"\x08", b"hello", bytes(range(256))):
            path.write_bytes(content)
            self.refuse(path, words=["bad.onnx", "not an ONNX file"])
        path.write_bytes(b"")
        self.refuse(path, words=["bad.onnx"])
        self.refuse(self.scratch, words=[])
        done = self.edgewise("inspect", "missing.onnx")
        self.assertEqual((done.code, done.stdout), (2, ""))

    def test_people_get_a_table(self):
        done = self.edgewise("inspect", self.sample_model("squeezenet"), "--layers")
        self.assertEqual((done.code, done.stderr), (0, ""))
        for word in ("squeezenet", "conv_layers 26", "pool_layers 4", "filter_details 3944", "GlobalAveragePool",
                     "1x3x224x224", "fp32"):
            self.assertIn(word, done.stdout)

    def test_predict_takes_a_model(self):
        done = self.edgewise("predict", self.sample_model("mobilenetv2"), "--device", "Raspberry Pi 4B", "--json")
        self.assertEqual((done.code, done.stderr), (0, ""))
        own = json.loads(done.stdout)["ranking"]
        done = self.edgewise("predict", "mobilenet_v2", "--device", "Raspberry Pi 4B", "--json")
        known = json.loads(done.stdout)["ranking"]
        # The same architecture as the model knows, written by others.
        for mine, theirs in zip(own, known):
            self.assertLess(abs(math.log(mine["predicted_ms"] / theirs["predicted_ms"])), 0.25)
            self.assertFalse(mine["out_of_distribution"])


class OnnxCasesTest(AppTest):
    """The cases that onnx itself tests engines with: one operator each, of every kind."""
    STRIDE = 4  # of them all there are 900
    # Their values say what comes out; exporters write them as constants.
    CONSTANTS = ("scales", "roi", "sizes", "limit", "start", "delta")

    def cases(self):
        # onnx 1.12 uses names that numpy has given up.
        for name in ("float", "int", "bool", "object", "str"):
            if name not in vars(numpy):
                setattr(numpy, name, getattr(builtins, name))
        from onnx.backend.test.case.node import collect_testcases
        return [case for case in collect_testcases(None) if case.model is not None][::self.STRIDE]

    def test_no_shape_is_other_than_onnx_says(self):
        same = 0
        for case in self.cases():
            model = copy.deepcopy(case.model)
            stated = []
            for output in model.graph.output:
                kind = output.type.tensor_type
                dims = kind.shape.dim
                whole = kind.HasField("shape") and all(dim.HasField("dim_value") for dim in dims)
                stated.append([dim.dim_value for dim in dims] if whole else None)
                kind.ClearField("shape")
            values = case.data_sets[0][0] if case.data_sets else []
            for entry, array in zip(model.graph.input, values):
                if isinstance(array, numpy.ndarray) and (array.dtype == numpy.int64 or entry.name in self.CONSTANTS):
                    model.graph.initializer.append(numpy_helper.from_array(array, entry.name))
            path = self.scratch / "case.onnx"
            onnx.save(model, path)
            done = self.edgewise("inspect", path, "--json")
            if done.code != 0:
                self.assertIn("leaves its size open", done.stderr, case.name)  # sequences and optional values
                continue
            for output, shape in zip(json.loads(done.stdout)["outputs"], stated):
                if output["shape"] is not None and shape is not None:
                    self.assertEqual(output["shape"], shape, case.name)
                    same += 1
        self.assertGreater(same, 150)


class LargeModelTest(AppTest):
    def test_weights_are_not_copied(self):
        model = model_of([helper.make_node("Gemm", ["x", "w"], ["y"])], [value("x", 1, 5000)], [value("y", 1, 5000)],
                         [tensor("w", 5000, 5000)])
        onnx.save(model, self.scratch / "large.onnx")
        # Through `run`, whose guardian is small: a child starts with its parent's peak. The kernel may map all of
        # the file; a copy of the weights would come on top.
        run = self.run_json("--", EDGEWISE, "inspect", self.scratch / "large.onnx", "--json")
        self.assertEqual(run["exit_code"], 0)
        self.assertLess(run["max_rss_bytes"], 160 << 20)


if __name__ == "__main__":
    unittest.main()

"""What `edgewise inspect` of a model with 100 MB of weights takes: wall time
and peak memory, the file being in the page cache.

    inspect.py EDGEWISE

Prints lines of: name, value, unit, bar, pass|fail (tab-separated).
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy
from onnx import TensorProto, helper, numpy_helper, save

EDGEWISE = str(pathlib.Path(sys.argv[1]).resolve())
LAYERS = 200
SIDE = 362  # LAYERS matrices of SIDE x SIDE floats are 105 MB
ROUNDS = 7
MOST_S = 1.0
MOST_BYTES = 250 << 20


def make(path):
    nodes, weights = [], []
    for n in range(LAYERS):
        weights.append(numpy_helper.from_array(numpy.ones((SIDE, SIDE), numpy.float32), f"w{n}"))
        nodes.append(helper.make_node("Gemm", [f"x{n}", f"w{n}"], [f"g{n}"]))
        nodes.append(helper.make_node("Relu", [f"g{n}"], [f"x{n + 1}"]))
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, SIDE]) for name in ("x0", f"x{LAYERS}")]
    save(helper.make_model(helper.make_graph(nodes, "large", ends[:1], ends[1:], weights)), path)


def line(name, value, unit, bar, ok):
    print(f"{name}\t{value}\t{unit}\t{bar}\t{'pass' if ok else 'fail'}", flush=True)


with tempfile.TemporaryDirectory() as folder:
    model = f"{folder}/large.onnx"
    make(model)
    megabytes = pathlib.Path(model).stat().st_size / 1e6
    command = [EDGEWISE, "inspect", model, "--json"]
    times = []
    for _ in range(ROUNDS):
        start = time.monotonic()
        said = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
        times.append(time.monotonic() - start)
    assert said["macs"] == LAYERS * SIDE * SIDE
    # Measured by edgewise: a child of this process would start with its peak.
    run = json.loads(subprocess.run([EDGEWISE, "--home", f"{folder}/home", "run", "--json", "--", *command],
                                    stdout=subprocess.PIPE, check=True).stdout)
    rss = run["totals"]["max_rss_bytes"]
    line(f"inspect of a model of {megabytes:.0f} MB, slowest of {ROUNDS}", f"{max(times):.3f}", "s", f"<= {MOST_S:.0f}",
         max(times) <= MOST_S)
    line(f"inspect of a model of {megabytes:.0f} MB, peak memory", f"{rss / (1 << 20):.1f}", "MiB",
         f"<= {MOST_BYTES >> 20}", rss <= MOST_BYTES)

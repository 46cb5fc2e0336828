"""Stand-ins for a node's GPUs: NVML's answers, and a tegrastats that plays recorded lines."""
import os
import pathlib

FAKES = pathlib.Path(os.environ["EDGEWISE_FAKES"])
GPU = """driver 580.1
device Fake GPU
utilization 60 20
memory_v2 16000000000 {used} 500000000
power_mw 100000
energy_mj {energy}
sm_mhz 1500
max_memory_mhz 1000
bus_bits 128
celsius 50
throttle 4
gpm 50 10 20
"""
LINES = """RAM 1923/3964MB (lfb 2x2MB) CPU [5%@1224,off] EMC_FREQ 7%@1600 GR3D_FREQ 42%@[76] GPU@40C CV0@-256C VDD_IN 1750mW/1628mW NC 1mW/1mW NC 3mW/3mW
"""


class StandIns:
    """For tests that begin with `self.stand_in_for_gpus()`."""

    def stand_in_for_gpus(self):
        self.answers = self.scratch / "answers"
        # No GPU that this machine may have.
        self.environment["EDGEWISE_NVML"] = "/nowhere/libnvidia-ml.so.1"
        self.with_gpu = {**self.environment,
                         "EDGEWISE_NVML": str(FAKES / "libfake_nvml.so"),
                         "EDGEWISE_FAKE_NVML": str(self.answers)}
        self.with_cupti = {**self.environment, "EDGEWISE_CUPTI": str(FAKES / "libfake_cupti.so")}

    def answer(self, text):
        self.answers.write_text(text)

    def play_tegrastats(self, body):
        """A folder for PATH with a program that plays recorded lines."""
        folder = self.scratch / "bin"
        folder.mkdir()
        self.script(body, "bin/tegrastats")
        return {**self.environment, "PATH": f"{folder}:{self.environment['PATH']}"}

"""GPUs, by stand-ins for NVIDIA's libraries and for tegrastats: real ones are
tried by tests/gpu/."""
import os
import unittest

from driving import PYTHON, EdgewiseTest, alive, program, read_text, wait_until
from gpus import GPU, LINES, StandIns

# Takes GPU memory, as the stand-in sees it, and stays for a while.
TAKES_MEMORY = """
import os, sys, time
path, text = sys.argv[1:]
with open(path + '.new', 'w') as file:
    file.write(text + f'process {os.getpid()} 1073741824\\nuse {os.getpid()} 5 70\\n')
os.rename(path + '.new', path)
time.sleep(1)
"""


class GpuTest(StandIns, EdgewiseTest):
    def setUp(self):
        super().setUp()
        self.stand_in_for_gpus()

    @staticmethod
    def series(run):
        return {series["name"]: series for series in run["series"]}

    def test_a_gpu_is_sampled_and_the_program_told_apart(self):
        self.answer(GPU.format(used=1 << 30, energy=5_000_000))
        after = GPU.format(used=3 << 30, energy=5_042_000)
        run = self.run_json("--", PYTHON, "-c", TAKES_MEMORY, self.answers, after, env=self.with_gpu)
        gpu = run["gpu"]
        self.assertEqual(gpu["devices"][0]["name"], "Fake GPU")
        self.assertEqual(gpu["devices"][0]["memory_bytes"], 16_000_000_000)
        self.assertEqual(gpu["devices"][0]["memory_peak_bytes"], 3 << 30)
        self.assertAlmostEqual(gpu["devices"][0]["energy_j"], 42)
        self.assertEqual(gpu["memory_peak_bytes"], 1 << 30)
        self.assertAlmostEqual(gpu["most_bytes_per_s"], 0.5 * 1000e6 * 2 * 128 / 8)
        self.assertIsNone(gpu["summary"])
        series = self.series(run)
        self.assertEqual(series["gpu_busy"]["max"], 60)
        self.assertEqual(series["gpu_power"]["mean"], 100)
        self.assertEqual(series["gpu_temperature"]["unit"], "celsius")
        self.assertEqual(series["gpu_memory of the program"]["max"], 1 << 30)
        self.assertTrue(any("its power limit" in w for w in run["warnings"]))

        shown = self.edgewise("show", run["id"]).stdout
        self.assertIn("Fake GPU", shown)
        card = self.edgewise("card", run["id"]).stdout
        self.assertIn("gpu_memory_mb: 1024\n", card)
        self.assertIn("gpu_bandwidth_gbs: 16\n", card)

    def test_memory_of_others_is_not_the_programs(self):
        self.answer(GPU.format(used=1 << 30, energy=1) + "process 1 1000000\n")
        run = self.run_json("--", "sleep", "0.3", env=self.with_gpu)
        self.assertIsNone(run["gpu"]["memory_peak_bytes"])
        self.assertIsNone(run["gpu"]["most_bytes_per_s"])

    def test_several_gpus_have_series_of_their_own(self):
        one = GPU.format(used=1 << 30, energy=1)
        self.answer(one + one[one.index("device"):].replace("60 20", "10 5"))
        run = self.run_json("--", "sleep", "0.1", env=self.with_gpu)
        self.assertEqual(len(run["gpu"]["devices"]), 2)
        self.assertEqual(self.series(run)["gpu_busy of GPU 1"]["max"], 10)

    def test_a_library_without_a_gpu_is_said(self):
        for text, words in (("", "it has no GPU"), ("init 9\n", "modprobe nvidia")):
            self.answer(text)
            run = self.run_json("--", "true", env=self.with_gpu)
            self.assertIsNone(run["gpu"])
            self.assertTrue(any(words in entry["why"] for entry in run["unavailable"]),
                            run["unavailable"])

    def test_a_machine_without_gpu_is_silent(self):
        run = self.run_json("--", "true")
        self.assertIsNone(run["gpu"])
        self.assertFalse([e for e in run["unavailable"] if "GPU" in e["what"]])

    def test_the_doctor_names_the_gpu(self):
        self.answer(GPU.format(used=0, energy=1))
        told = self.edgewise("doctor", env=self.with_gpu).stdout
        self.assertIn("Fake GPU", told)
        self.assertIn("driver 580.1", told)

    def test_tegrastats_is_read(self):
        (self.scratch / "lines").write_text(LINES)
        path = self.play_tegrastats(
            f"while :; do cat {self.scratch}/lines; sleep 0.05; done\n")
        run = self.run_json("--", "sleep", "1", env=path)
        series = self.series(run)
        self.assertEqual(series["gpu_busy"]["max"], 42)
        self.assertEqual(series["gpu_clock"]["max"], 76)
        self.assertEqual(series["gpu_temperature"]["max"], 40)
        self.assertEqual(series["memory_controller_busy"]["max"], 7)
        self.assertAlmostEqual(series["power of VDD_IN"]["max"], 1.75)
        self.assertAlmostEqual(series["power of NC"]["max"], 0.001)
        self.assertAlmostEqual(series["power of NC 2"]["max"], 0.003)

    def test_tegrastats_ends_with_edgewise_whatever_happens(self):
        pid_file = self.scratch / "tegrastats.pid"
        path = self.play_tegrastats(f"echo $$ > {pid_file}\nexec sleep 1000\n")
        child = self.start("run", "--", "sleep", "1000", env=path)
        pid = int(wait_until(lambda: read_text(pid_file).strip(), "tegrastats"))
        self.assertTrue(alive(pid))
        child.kill()
        child.wait()
        wait_until(lambda: not alive(pid), "the end of tegrastats")

    def test_cuda_work_is_summed_up(self):
        run = self.run_json("--gpu-summary", "--", *program("cuda_like"), env=self.with_cupti)
        summary = run["gpu"]["summary"]
        self.assertEqual(summary["devices"], ["Fake GPU"])
        self.assertEqual(summary["kernel_count"], 3)
        kernel = summary["kernels"][0]
        self.assertEqual(kernel["name"], "saxpy")
        self.assertEqual(kernel["total_ns"], 3000)
        self.assertEqual(kernel["blocks"], 8)
        self.assertEqual(kernel["block_threads"], 512)
        self.assertEqual(kernel["occupancy_percent"], 100)
        self.assertEqual(summary["copies"][0]["bytes"], 4096)
        self.assertEqual(summary["copies"][0]["pageable_ns"], 4000)
        self.assertEqual(summary["launch_mean_ns"], 100)
        self.assertEqual(summary["launch_delay_ns"], 500)
        self.assertGreaterEqual(summary["recording_ns"], 300)
        self.assertIn("pageable memory: pin it", summary["advice"][0])
        shown = self.edgewise("show", run["id"]).stdout
        for words in ("saxpy", "host to device", "cudaLaunchKernel", "pin it", "recording"):
            self.assertIn(words, shown)

    def test_children_that_are_forked_neither_hang_nor_count_twice(self):
        run = self.run_json("--gpu-summary", "--timeout", "60s", "--", *program("cuda_like", "fork"),
                            env=self.with_cupti)
        self.assertEqual(run["end_reason"], "exited")
        self.assertEqual(run["gpu"]["summary"]["processes"], 1)
        self.assertEqual(run["gpu"]["summary"]["kernel_count"], 3)

    def test_without_cuda_there_is_no_summary_and_a_reason(self):
        run = self.run_json("--gpu-summary", "--", "true")
        self.assertIsNone(run["gpu"])
        self.assertTrue(any("started CUDA" in entry["why"] for entry in run["unavailable"]))

    def test_a_killed_program_says_that_nothing_was_recorded(self):
        run = self.run_json("--gpu-summary", "--", *program("cuda_like", "crash"), code=137, env=self.with_cupti)
        self.assertTrue(any("no work was recorded" in e["why"] for e in run["unavailable"]))

    def test_a_running_process_cannot_be_traced(self):
        done = self.edgewise("run", "--gpu-summary", "--pid", os.getpid())
        self.assertEqual(done.code, 125)
        self.assertIn("--gpu-summary needs a command", done.stderr)


if __name__ == "__main__":
    unittest.main()

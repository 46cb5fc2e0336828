"""edgewise agent: the node's GPUs, by stand-ins for NVML and tegrastats."""
import shutil
import unittest

from driving import alive, read_text, wait_until
from gpus import GPU, LINES, StandIns
from live import AgentTest, sample
from serving import promtool_complaints

OLD_NAMES = ("--old-names", "tegra,char,waggle")


class AgentGpuTest(StandIns, AgentTest):
    def setUp(self):
        super().setUp()
        self.stand_in_for_gpus()

    def wait_for_gpu(self, agent, name):
        """What the agent exports once it knows a figure of a GPU."""
        def known():
            text = self.get(agent.url + "/metrics")[0]
            return text if sample(text, name) is not None else None
        return wait_until(known, name)

    def test_gpus_are_exported_under_new_names_and_old(self):
        self.answer(GPU.format(used=1 << 30, energy=5_000_000))
        agent = self.agent(*OLD_NAMES, env=self.with_gpu)
        text = self.wait_for_gpu(agent, "edgewise_node_gpu_busy_ratio")
        gpu = {"gpu": "0", "model": "Fake GPU"}
        self.assertAlmostEqual(sample(text, "edgewise_node_gpu_busy_ratio", **gpu), 0.6)
        self.assertEqual(sample(text, "edgewise_node_gpu_memory_used_bytes", **gpu), 1 << 30)
        self.assertEqual(sample(text, "edgewise_node_gpu_memory_total_bytes", **gpu), 16e9)
        self.assertEqual(sample(text, "edgewise_node_gpu_power_watts", **gpu), 100)
        self.assertEqual(sample(text, "edgewise_node_gpu_energy_joules_total", **gpu), 0)
        self.assertEqual(sample(text, "edgewise_node_gpu_clock_hertz", **gpu), 1.5e9)
        self.assertEqual(sample(text, "edgewise_node_gpu_throttled", **gpu), 1)
        self.assertEqual(sample(text, "tegra_gpu_util_percentage"), 60)
        self.assertEqual(sample(text, "GPUMemoryUsage"), 1 << 30)
        self.assertEqual(sample(text, "GPUMemoryTotal"), 16e9)
        self.assertEqual(sample(text, "char_node_gpu", char_node_gpu_model="Fake GPU", char_node_gpu_id="0"), 1)
        shown = self.top()["node"]["gpus"][0]
        self.assertEqual((shown["name"], shown["busy_percent"], shown["power_watts"]), ("Fake GPU", 60, 100))
        self.assertEqual(shown["throttled_by"], ["its power limit"])
        self.assertIn("Fake GPU 60", self.edgewise("top", "--socket", self.socket).stdout)

    @unittest.skipUnless(shutil.which("promtool"), "promtool is not installed")
    def test_promtool_finds_nothing_wrong(self):
        self.answer(GPU.format(used=1 << 30, energy=5_000_000))
        agent = self.agent(env=self.with_gpu)
        text = self.wait_for_gpu(agent, "edgewise_node_gpu_busy_ratio")
        self.assertEqual(promtool_complaints(text.encode()), "")

    def test_tegrastats_tells_of_a_jetson(self):
        (self.scratch / "lines").write_text(LINES)
        path = self.play_tegrastats(f"while :; do cat {self.scratch}/lines; sleep 0.05; done\n")
        agent = self.agent(*OLD_NAMES, env=path)
        text = self.wait_for_gpu(agent, "tegra_gpu_util_percentage")
        self.assertEqual(sample(text, "tegra_gpu_util_percentage"), 42)
        self.assertEqual(sample(text, "tegra_gpu_frequency_hz"), 76e6)
        self.assertEqual(sample(text, "tegra_emc_util_percentage"), 7)
        self.assertEqual(sample(text, "tegra_emc_frequency_hz"), 1.6e9)
        self.assertEqual(sample(text, "tegra_lfb_nblock_count"), 2)
        self.assertEqual(sample(text, "tegra_lfb_size_bytes"), 2 << 20)
        self.assertEqual(sample(text, "tegra_temperature_celcius", sensor="GPU"), 40)
        self.assertIsNone(sample(text, "tegra_temperature_celcius", sensor="CV0"), "the sensor is off")
        self.assertEqual(sample(text, "tegra_wattage_current_milliwatts", sensor="VDD_IN"), 1750)
        self.assertEqual(sample(text, "tegra_wattage_average_milliwatts", sensor="VDD_IN"), 1628)
        self.assertEqual(sample(text, "tegra_wattage_current_milliwatts", sensor="NC 2"), 3)
        self.assertAlmostEqual(sample(text, "edgewise_node_gpu_busy_ratio"), 0.42)
        self.assertIsNone(sample(text, "edgewise_node_gpu_memory_used_bytes"), "not told, so not there")

    def test_tegrastats_ends_with_the_agent_whatever_happens(self):
        pid_file = self.scratch / "tegrastats.pid"
        path = self.play_tegrastats(f"echo $$ > {pid_file}\nexec sleep 1000\n")
        agent = self.agent("--no-http", env=path)
        pid = int(wait_until(lambda: read_text(pid_file).strip(), "tegrastats"))
        agent.kill()
        agent.wait()
        wait_until(lambda: not alive(pid), "the end of tegrastats")

    def test_a_node_without_gpu_exports_none(self):
        agent = self.agent(*OLD_NAMES)
        text = self.get(agent.url + "/metrics")[0]
        self.assertNotIn("gpu", text.lower())
        self.assertEqual(self.top()["node"]["gpus"], [])


if __name__ == "__main__":
    unittest.main()

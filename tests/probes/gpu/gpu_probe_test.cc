#include "probes/gpu/gpu_probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "probes/gpu/throttle_reasons.h"

namespace edgewise {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kTwoGpus[] = R"(driver 580.159.04
device NVIDIA H200
uuid GPU-1
utilization 97 40
memory 150754820096 3000000000
memory_v2 150754820096 2000000000 600000000
power_mw 450500
energy_mj 1000000
sm_mhz 1980
memory_mhz 3201
max_memory_mhz 3201
bus_bits 6144
celsius 41
throttle 4
gpm 50 100 200
process 4242 1073741824
process 4243 18446744073709551615
use 4242 100 80
use 4242 200 90
use 4243 150 200
device NVIDIA A2
utilization 1 2
memory 16000000000 500000000
power_mw 20000
receive_kib 10
transmit_kib 20
no_processes
)";

class GpuProbeTest : public ::testing::Test {
 protected:
  GpuProbeTest() {
    folder_ = std::filesystem::temp_directory_path() /
              ("edgewise-gpu-test-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    ::setenv("EDGEWISE_FAKE_NVML", Answers().c_str(), 1);
  }
  ~GpuProbeTest() override {
    ::unsetenv("EDGEWISE_FAKE_NVML");
    std::filesystem::remove_all(folder_);
  }
  std::filesystem::path Answers() const { return folder_ / "answers"; }
  void Answer(const std::string& text) const {
    std::ofstream(Answers()) << text;
  }
  static Result<GpuProbe> Open() { return GpuProbe::Open(FAKE_NVML); }

  std::filesystem::path folder_;
};

TEST_F(GpuProbeTest, TellsWhatTheDriverTells) {
  Answer(kTwoGpus);
  auto probe = Open();
  ASSERT_TRUE(probe) << probe.error().message;
  EXPECT_EQ(probe->DriverVersion(), "580.159.04");
  ASSERT_EQ(probe->devices().size(), 2u);
  const GpuDevice& device = probe->devices()[0];
  EXPECT_EQ(device.name, "NVIDIA H200");
  EXPECT_EQ(device.memory_bytes, 150754820096);
  EXPECT_FALSE(device.integrated);
  EXPECT_DOUBLE_EQ(device.peak_bytes_per_s.value(), 3201e6 * 2 * 6144 / 8);

  const GpuReading first = probe->Read(0)[0];
  EXPECT_EQ(first.busy_percent, 97);
  EXPECT_EQ(first.memory_busy_percent, 40);
  // Without what the driver reserves, as nvidia-smi shows it.
  EXPECT_EQ(first.memory_used_bytes, 2000000000);
  EXPECT_DOUBLE_EQ(first.watts.value(), 450.5);
  EXPECT_EQ(first.joules, 0);
  EXPECT_EQ(first.sm_clock_mhz, 1980);
  EXPECT_EQ(first.celsius, 41);
  EXPECT_EQ(first.throttle_bits, 4u);
}

TEST_F(GpuProbeTest, CountersNeedTwoReadings) {
  Answer(kTwoGpus);
  auto probe = Open();
  ASSERT_TRUE(probe);
  EXPECT_EQ(probe->Read(0)[0].bandwidth_bytes_per_s, std::nullopt);
  const GpuReading second = probe->Read(1)[0];
  EXPECT_DOUBLE_EQ(second.bandwidth_bytes_per_s.value(),
                   probe->devices()[0].peak_bytes_per_s.value() / 2);
  EXPECT_DOUBLE_EQ(second.pcie_receive_bytes_per_s.value(), 100 * 1048576.0);
  EXPECT_DOUBLE_EQ(second.pcie_transmit_bytes_per_s.value(), 200 * 1048576.0);
}

TEST_F(GpuProbeTest, EnergyCountsFromTheFirstReading) {
  Answer("device G\nenergy_mj 5000\n");
  auto probe = Open();
  ASSERT_TRUE(probe);
  EXPECT_EQ(probe->Read(0)[0].joules, 0);
  Answer("device G\nenergy_mj 7500\n");
  EXPECT_DOUBLE_EQ(probe->Read(1)[0].joules.value(), 2.5);
}

TEST_F(GpuProbeTest, WithoutAnEnergyCounterPowerIsIntegrated) {
  Answer("device G\npower_mw 10000\n");
  auto probe = Open();
  ASSERT_TRUE(probe);
  EXPECT_EQ(probe->Read(0)[0].joules, 0);
  Answer("device G\npower_mw 20000\n");
  EXPECT_DOUBLE_EQ(probe->Read(2'000'000'000)[0].joules.value(), 30);
}

TEST_F(GpuProbeTest, ProcessesHaveMemoryAndShareWhereTheDriverTells) {
  Answer(kTwoGpus);
  auto probe = Open();
  ASSERT_TRUE(probe);
  const auto readings = probe->Read(0);
  ASSERT_TRUE(readings[0].processes);
  const auto& processes = *readings[0].processes;
  ASSERT_EQ(processes.size(), 2u);
  EXPECT_EQ(processes[0].pid, 4242);
  EXPECT_EQ(processes[0].memory_bytes, 1073741824);
  EXPECT_EQ(processes[0].sm_percent, 85);
  EXPECT_EQ(processes[1].memory_bytes, std::nullopt);
  EXPECT_EQ(processes[1].sm_percent, std::nullopt);
  EXPECT_EQ(readings[1].processes, std::nullopt);
  // Nothing new was sampled since.
  EXPECT_EQ((*probe->Read(1)[0].processes)[0].sm_percent, std::nullopt);
}

TEST_F(GpuProbeTest, ManyProcessesAreAllListed) {
  std::string text = "device G\n";
  for (int pid = 1; pid <= 100; ++pid) {
    text += "process " + std::to_string(pid) + " 1000\n";
  }
  Answer(text);
  auto probe = Open();
  ASSERT_TRUE(probe);
  EXPECT_EQ(probe->Read(0)[0].processes->size(), 100u);
}

TEST_F(GpuProbeTest, WithoutCountersTheDriverSamplesPcieTraffic) {
  Answer(kTwoGpus);
  auto probe = Open();
  ASSERT_TRUE(probe);
  const GpuReading reading = probe->Read(0)[1];
  EXPECT_EQ(reading.pcie_receive_bytes_per_s, 10 * 1024);
  EXPECT_EQ(reading.pcie_transmit_bytes_per_s, 20 * 1024);
  EXPECT_EQ(reading.memory_used_bytes, 500000000);
  EXPECT_EQ(reading.celsius, std::nullopt);
}

TEST_F(GpuProbeTest, RubbishOfAJetsonIsNotTold) {
  Answer(
      "device Orin (nvgpu)\nutilization 4294967295 123456\n"
      "memory 18446744073709551615 99\npower_mw 4294967295\n"
      "sm_mhz 4294967295\ncelsius 4294967040\n");
  auto probe = Open();
  ASSERT_TRUE(probe);
  EXPECT_TRUE(probe->devices()[0].integrated);
  EXPECT_EQ(probe->devices()[0].memory_bytes, std::nullopt);
  const GpuReading reading = probe->Read(0)[0];
  EXPECT_EQ(reading.busy_percent, std::nullopt);
  EXPECT_EQ(reading.memory_busy_percent, std::nullopt);
  EXPECT_EQ(reading.memory_used_bytes, std::nullopt);
  EXPECT_EQ(reading.watts, std::nullopt);
  EXPECT_EQ(reading.joules, std::nullopt);
  EXPECT_EQ(reading.sm_clock_mhz, std::nullopt);
  EXPECT_EQ(reading.celsius, std::nullopt);
}

TEST_F(GpuProbeTest, TheAnswersOfABusyH200AreUnderstood) {
  ::setenv("EDGEWISE_FAKE_NVML", RECORDED "/h200.nvml", 1);
  auto probe = Open();
  ASSERT_TRUE(probe);
  EXPECT_EQ(probe->devices()[0].name, "NVIDIA H200");
  // Its data sheet says 4.8 TB/s.
  EXPECT_NEAR(probe->devices()[0].peak_bytes_per_s.value(), 4.8e12, 0.05e12);
  const GpuReading reading = probe->Read(0)[0];
  EXPECT_EQ(reading.busy_percent, 100);
  EXPECT_EQ(reading.memory_used_bytes, 4849467392);
  EXPECT_DOUBLE_EQ(reading.watts.value(), 474.753);
  EXPECT_EQ(reading.processes->at(0).memory_bytes, 4840226816);
}

TEST_F(GpuProbeTest, NoLibraryIsNoDriver) {
  const auto probe = GpuProbe::Open("/nowhere/libnvidia-ml.so.1");
  ASSERT_FALSE(probe);
  EXPECT_EQ(probe.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(probe.error().message, HasSubstr("no NVIDIA driver"));
}

TEST_F(GpuProbeTest, ALibraryWithoutDriverSaysWhatToDo) {
  Answer("init 9\n");
  const auto probe = Open();
  ASSERT_FALSE(probe);
  EXPECT_EQ(probe.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(probe.error().message, HasSubstr("modprobe nvidia"));
}

TEST_F(GpuProbeTest, ADriverWithoutGpuSaysSo) {
  Answer("driver 1\n");
  const auto probe = Open();
  ASSERT_FALSE(probe);
  EXPECT_EQ(probe.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(probe.error().message, HasSubstr("it has no GPU"));
}

TEST(ThrottleReasonsTest, AreWords) {
  EXPECT_THAT(ThrottleReasons(0), IsEmpty());
  EXPECT_THAT(ThrottleReasons(0x1 | 0x2 | 0x100), IsEmpty());
  EXPECT_THAT(ThrottleReasons(0x4 | 0x40),
              ElementsAre("its power limit", "heat (hardware limit)"));
  EXPECT_THAT(ThrottleReasons(0x1000), ElementsAre("reason 12 of NVML"));
}

}  // namespace
}  // namespace edgewise

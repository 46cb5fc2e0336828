#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/clock.h"
#include "probes/gpu/tegrastats_line.h"
#include "probes/gpu/tegrastats_reader.h"

namespace edgewise {
namespace {

constexpr int64_t kMB = 1 << 20;

constexpr char kXavierNx[] =
    "RAM 5246/7771MB (lfb 7x4MB) SWAP 983/20269MB (cached 280MB) CPU "
    "[47%@1420,23%@1420,32%@1420,22%@1420,31%@1420,96%@1420] EMC_FREQ 2%@1600 "
    "GR3D_FREQ 0%@1109 APE 150 MTS fg 1% bg 9% AO@29C GPU@31.5C PMIC@100C "
    "AUX@30C CPU@33.5C thermal@31.35C VDD_IN 6140/5510 VDD_CPU_GPU_CV "
    "2706/2119 VDD_SOC 1074/1051";
constexpr char kWithDate[] =
    "07-09-2024 13:31:31 RAM 3168/6851MB (lfb 2x4MB) SWAP 161/3426MB (cached "
    "0MB) CPU [23%@1397,17%@1192,16%@1190,13%@1190,23%@1190,10%@1190] EMC_FREQ "
    "2%@204 GR3D_FREQ 0%@[114] VIC_FREQ 115 APE 150 AUX@45C CPU@46.5C "
    "thermal@45.6C AO@45C GPU@45.5C PMIC@50C VDD_IN 2763mW/2846mW "
    "VDD_CPU_GPU_CV 650mW/670mW VDD_SOC 650mW/711mW";
constexpr char kNano[] =
    "RAM 1923/3964MB (lfb 2x2MB) SWAP 191/1982MB (cached 6MB) IRAM "
    "0/252kB(lfb 252kB) CPU [5%@1224,4%@1224,3%@1224,6%@1224] EMC_FREQ "
    "0%@1600 GR3D_FREQ 0%@76 APE 25 PLL@37C CPU@40C PMIC@50C GPU@40C AO@45C "
    "thermal@40C POM_5V_IN 1750/1628 POM_5V_GPU 0/0 POM_5V_CPU 366/406";

TEST(TegrastatsLineTest, ReadsMemoryWithItsRemarks) {
  const auto stats = ParseTegrastats(kXavierNx);
  ASSERT_TRUE(stats);
  EXPECT_EQ(stats->ram->used_bytes, 5246 * kMB);
  EXPECT_EQ(stats->ram->total_bytes, 7771 * kMB);
  EXPECT_EQ(stats->ram->largest_free_bytes, 4 * kMB);
  EXPECT_EQ(stats->ram->free_blocks, 7);
  EXPECT_EQ(stats->swap->used_bytes, 983 * kMB);
  EXPECT_EQ(stats->swap->cached_bytes, 280 * kMB);
}

TEST(TegrastatsLineTest, ReadsCoresUnitsTemperaturesAndRails) {
  const auto stats = ParseTegrastats(kXavierNx);
  ASSERT_TRUE(stats);
  ASSERT_EQ(stats->cores.size(), 6u);
  EXPECT_EQ(stats->cores[5].percent, 96);
  EXPECT_EQ(stats->cores[5].mhz, 1420);
  EXPECT_EQ(stats->Unit("EMC")->percent, 2);
  EXPECT_EQ(stats->Unit("EMC")->mhz, 1600);
  EXPECT_EQ(stats->Unit("GR3D")->mhz, 1109);
  EXPECT_EQ(stats->Temperature("gpu")->celsius, 31.5);
  EXPECT_EQ(stats->temperatures.size(), 6u);
  ASSERT_EQ(stats->rails.size(), 3u);
  EXPECT_EQ(stats->rails[0].name, "VDD_IN");
  EXPECT_EQ(stats->rails[0].milliwatts, 6140);
  EXPECT_EQ(stats->rails[0].mean_milliwatts, 5510);
}

TEST(TegrastatsLineTest, ReadsDatesClocksInBracketsAndUnitsOfPower) {
  const auto stats = ParseTegrastats(kWithDate);
  ASSERT_TRUE(stats);
  EXPECT_EQ(stats->ram->used_bytes, 3168 * kMB);
  EXPECT_EQ(stats->Unit("GR3D")->percent, 0);
  EXPECT_EQ(stats->Unit("GR3D")->mhz, 114);
  EXPECT_EQ(stats->Unit("VIC")->percent, std::nullopt);
  EXPECT_EQ(stats->Unit("VIC")->mhz, 115);
  ASSERT_EQ(stats->rails.size(), 3u);
  EXPECT_EQ(stats->rails[0].milliwatts, 2763);
  EXPECT_EQ(stats->rails[2].mean_milliwatts, 711);
}

TEST(TegrastatsLineTest, IramIsNoRail) {
  const auto stats = ParseTegrastats(kNano);
  ASSERT_TRUE(stats);
  ASSERT_EQ(stats->rails.size(), 3u);
  EXPECT_EQ(stats->rails[0].name, "POM_5V_IN");
  EXPECT_EQ(stats->rails[1].milliwatts, 0);
  // A remark of IRAM does not change what RAM had.
  EXPECT_EQ(stats->ram->largest_free_bytes, 2 * kMB);
}

TEST(TegrastatsLineTest, CoresMayBeOffAndClocksMissing) {
  const auto stats = ParseTegrastats(
      "RAM 1/2MB CPU [1%@345,off,off,2%] GR3D_FREQ 0% GR3D2_FREQ 5%@[0,20]");
  ASSERT_TRUE(stats);
  EXPECT_FALSE(stats->swap);
  ASSERT_EQ(stats->cores.size(), 4u);
  EXPECT_EQ(stats->cores[1].percent, std::nullopt);
  EXPECT_EQ(stats->cores[3].percent, 2);
  EXPECT_EQ(stats->cores[3].mhz, std::nullopt);
  EXPECT_EQ(stats->Unit("GR3D")->percent, 0);
  EXPECT_EQ(stats->Unit("GR3D")->mhz, std::nullopt);
  EXPECT_EQ(stats->Unit("GR3D2")->mhz, 20);
}

TEST(TegrastatsLineTest, ASensorAtMinus256IsOff) {
  const auto stats =
      ParseTegrastats("RAM 1/2MB CV0@-256C cpu@52.968C/52.968C tj@-5.5C");
  ASSERT_TRUE(stats);
  ASSERT_EQ(stats->temperatures.size(), 3u);
  EXPECT_EQ(stats->Temperature("CV0")->celsius, std::nullopt);
  EXPECT_EQ(stats->Temperature("cpu")->celsius, 52.968);
  EXPECT_EQ(stats->Temperature("tj")->celsius, -5.5);
}

TEST(TegrastatsLineTest, RailsOfOneNameAreKeptApart) {
  const auto stats =
      ParseTegrastats("RAM 1/2MB NC 10mW/11mW VDD_IN 3000mW/1mW NC 20mW/21mW");
  ASSERT_TRUE(stats);
  ASSERT_EQ(stats->rails.size(), 3u);
  EXPECT_EQ(stats->rails[0].occurrence, 1);
  EXPECT_EQ(stats->rails[2].name, "NC");
  EXPECT_EQ(stats->rails[2].occurrence, 2);
  EXPECT_EQ(stats->rails[2].milliwatts, 20);
}

TEST(TegrastatsLineTest, WhatIsNotKnownIsPassedOver) {
  const auto stats = ParseTegrastats(
      "NEW_THING [a,b] RAM 1/2GB NVENC off NVDEC 716 future@{x} X 1/2/3 "
      "GPU@40C");
  ASSERT_TRUE(stats);
  EXPECT_EQ(stats->ram->total_bytes, 2048 * kMB);
  EXPECT_EQ(stats->Temperature("GPU")->celsius, 40);
  EXPECT_TRUE(stats->rails.empty());
  EXPECT_FALSE(ParseTegrastats("tegrastats: command failed"));
  EXPECT_FALSE(ParseTegrastats(""));
}

class TegrastatsReaderTest : public ::testing::Test {
 protected:
  TegrastatsReaderTest() {
    folder_ = std::filesystem::temp_directory_path() /
              ("edgewise-tegra-test-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  ~TegrastatsReaderTest() override { std::filesystem::remove_all(folder_); }

  std::string Script(const std::string& body) const {
    const std::string path = (folder_ / "tegrastats").string();
    std::ofstream(path) << "#!/bin/sh\n" << body;
    ::chmod(path.c_str(), 0755);
    return path;
  }
  // Waits until something came, or the program ended.
  static void Wait(const TegrastatsReader& reader) {
    pollfd wait{reader.fd(), POLLIN, 0};
    ::poll(&wait, 1, 10'000);
  }

  std::filesystem::path folder_;
};

TEST_F(TegrastatsReaderTest, GivesTheNewestLine) {
  TegrastatsReader reader(Script("echo 'RAM 1/8MB'; echo 'RAM 2/8MB'\n"
                                 "exec sleep 1000\n"),
                          500);
  EXPECT_FALSE(reader.Poll(0));
  std::optional<TegraStats> stats;
  while (reader.lines() < 2) {
    Wait(reader);
    if (auto newer = reader.Poll(1)) {
      stats = newer;
    }
    ASSERT_GE(reader.fd(), 0);
  }
  ASSERT_TRUE(stats);
  EXPECT_EQ(stats->ram->used_bytes, 2 * kMB);
  EXPECT_EQ(reader.restarts(), 0);
}

TEST_F(TegrastatsReaderTest, StartsItAgainAfterItDied) {
  TegrastatsReader reader(Script("echo 'RAM 1/8MB'\n"), 500);
  int64_t now_ns = 0;
  reader.Poll(now_ns);
  while (reader.restarts() < 2) {
    Wait(reader);
    reader.Poll(now_ns);
    if (reader.fd() < 0) {
      // Not at once, lest a broken one be started without end.
      const int64_t before = reader.restarts();
      reader.Poll(now_ns);
      ASSERT_EQ(reader.restarts(), before);
      now_ns += kNsPerSecond;
      reader.Poll(now_ns);
    }
  }
  EXPECT_GE(reader.lines(), 2);
}

TEST_F(TegrastatsReaderTest, AProgramThatIsNotThereGivesNothing) {
  TegrastatsReader reader((folder_ / "none").string(), 500);
  EXPECT_FALSE(reader.Poll(0));
  Wait(reader);
  EXPECT_FALSE(reader.Poll(1));
  EXPECT_EQ(reader.lines(), 0);
}

TEST_F(TegrastatsReaderTest, NothingRunsAfterTheReaderIsGone) {
  const std::string pid_file = (folder_ / "pid").string();
  {
    TegrastatsReader reader(Script("echo $$ > " + pid_file +
                                   "\necho 'RAM 1/8MB'\nexec sleep 1000\n"),
                            500);
    reader.Poll(0);
    while (reader.lines() == 0) {
      Wait(reader);
      reader.Poll(1);
    }
  }
  int pid = 0;
  std::ifstream(pid_file) >> pid;
  ASSERT_GT(pid, 0);
  EXPECT_FALSE(std::filesystem::exists("/proc/" + std::to_string(pid)));
}

}  // namespace
}  // namespace edgewise

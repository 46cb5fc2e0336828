// Real pressure, for moments. Nothing here asks the machine to be quiet: what
// is asserted are upper bounds, idleness and refusals.
#include "stress/stressor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "base/clock.h"

namespace edgewise {
namespace {

using ::testing::HasSubstr;

class StressorTest : public ::testing::Test {
 protected:
  StressorTest() {
    // Not in /tmp, which may be in memory: there is no disk pressure there.
    char name[] = "edgewise-stressor-XXXXXX";
    root_ = std::filesystem::absolute(::mkdtemp(name));
  }
  ~StressorTest() override { std::filesystem::remove_all(root_); }

  static StressSettings Ask(StressKind kind, double dial_percent) {
    StressSettings settings;
    settings.spec = {kind, dial_percent};
    return settings;
  }
  StressOutcome Press(const StressSettings& settings, int64_t ms) {
    auto stressor = MakeStressor(settings);
    EXPECT_TRUE(stressor.ok()) << stressor.error().message;
    if (!stressor) {
      return {};
    }
    auto outcome =
        (*stressor)->Press(StopClock(cancelled_).Within(ms * kNsPerMs));
    EXPECT_TRUE(outcome.ok()) << outcome.error().message;
    return outcome ? *outcome : StressOutcome{};
  }
  static const StressFigure& Figure(const StressOutcome& outcome,
                                    const std::string& name) {
    static const StressFigure none{"none", "", std::nullopt, -1};
    for (const StressFigure& figure : outcome.figures) {
      if (figure.name == name) {
        return figure;
      }
    }
    ADD_FAILURE() << "no figure " << name;
    return none;
  }

  std::filesystem::path root_;
  std::atomic<bool> cancelled_ = false;
};

TEST_F(StressorTest, EveryKindIsIdleAtDialZero) {
  for (const StressKind kind : kStressKinds) {
    const int64_t before_ns = ProcessCpuNs();
    StressSettings settings = Ask(kind, 0);
    settings.folder = root_;
    const StressOutcome outcome = Press(settings, 30);
    EXPECT_TRUE(outcome.applied) << StressKindName(kind);
    EXPECT_EQ(outcome.figures.at(0).asked, 0) << StressKindName(kind);
    EXPECT_EQ(outcome.figures.at(0).applied, 0) << StressKindName(kind);
    // The time in which it could have worked is all but unused.
    EXPECT_LT(ProcessCpuNs() - before_ns, 20 * kNsPerMs)
        << StressKindName(kind);
  }
}

TEST_F(StressorTest, TheCpuDialIsAShareOfAllCores) {
  const StressOutcome outcome = Press(Ask(StressKind::kCpu, 50), 100);
  const StressFigure& cpu = Figure(outcome, "CPU time");
  EXPECT_EQ(cpu.asked, 0.5 * UsableCores());
  EXPECT_GT(cpu.applied, 0);
  EXPECT_LT(cpu.applied, 0.5 * UsableCores() * 1.3);
}

TEST_F(StressorTest, MoreCpuThreadsShareTheSameLoad) {
  StressSettings settings = Ask(StressKind::kCpu, 50);
  settings.threads = 3 * UsableCores();
  const StressFigure cpu = Figure(Press(settings, 100), "CPU time");
  EXPECT_EQ(cpu.asked, 0.5 * UsableCores());
  EXPECT_GT(cpu.applied, 0);
  EXPECT_LT(cpu.applied, 0.5 * UsableCores() * 1.3);
}

TEST_F(StressorTest, CancellingEndsAStressorWithoutATime) {
  cancelled_ = true;
  auto stressor = MakeStressor(Ask(StressKind::kCpu, 100));
  ASSERT_TRUE(stressor.ok());
  EXPECT_TRUE((*stressor)->Press(StopClock(cancelled_)).ok());
}

TEST_F(StressorTest, TheCacheStressorTouchesItsShareOfTheCache) {
  StressSettings settings = Ask(StressKind::kCache, 50);
  settings.size_bytes = 1 << 20;
  const StressOutcome outcome = Press(settings, 50);
  EXPECT_EQ(Figure(outcome, "working set").applied, 512 * 1024);
  EXPECT_GT(Figure(outcome, "lines touched").applied, 0);
}

TEST_F(StressorTest, AnUnknownCacheSizeAsksForOne) {
  StressSettings settings = Ask(StressKind::kCache, 50);
  settings.sys_root = root_;
  const auto stressor = MakeStressor(settings);
  ASSERT_FALSE(stressor.ok());
  EXPECT_EQ(stressor.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(stressor.error().message, HasSubstr("--size"));
}

TEST_F(StressorTest, MemoryIsReallyResident) {
  StressSettings settings = Ask(StressKind::kMemory, 50);
  settings.size_bytes = 64 << 20;
  const StressOutcome outcome = Press(settings, 1000);
  const StressFigure& held = Figure(outcome, "resident memory");
  EXPECT_EQ(held.asked, 32 << 20);
  EXPECT_TRUE(outcome.applied) << held.applied;
  EXPECT_GE(held.applied, 0.85 * (32 << 20));
}

TEST_F(StressorTest, MemoryBeyondTheMarginIsRefused) {
  std::ofstream(root_ / "meminfo")
      << "MemTotal: 1000000 kB\nMemAvailable: 300000 kB\n";
  StressSettings settings = Ask(StressKind::kMemory, 100);
  settings.proc_root = root_;
  settings.size_bytes = 250'000 * 1024;
  const auto stressor = MakeStressor(settings);
  ASSERT_FALSE(stressor.ok());
  EXPECT_EQ(stressor.error().code, ErrorCode::kInvalid);
  EXPECT_THAT(stressor.error().message, HasSubstr("at most 195 MiB"));
}

TEST_F(StressorTest, MemoryThatIsScarceIsNotTaken) {
  // Available, but then less than the margin is left.
  std::ofstream(root_ / "meminfo")
      << "MemTotal: 1000000 kB\nMemAvailable: 50000 kB\n";
  StressSettings settings = Ask(StressKind::kMemory, 100);
  settings.proc_root = root_;
  EXPECT_EQ(Figure(Press(settings, 20), "resident memory").applied, 0);
}

TEST_F(StressorTest, DiskLeavesNoFile) {
  StressSettings settings = Ask(StressKind::kDisk, 20);
  settings.folder = root_;
  const StressOutcome outcome = Press(settings, 400);
  EXPECT_GT(Figure(outcome, "written").applied, 0);
  EXPECT_TRUE(std::filesystem::is_empty(root_));
}

TEST_F(StressorTest, AFolderThatIsNotThereIsNamed) {
  StressSettings settings = Ask(StressKind::kDisk, 20);
  settings.folder = root_ / "none";
  const auto stressor = MakeStressor(settings);
  ASSERT_FALSE(stressor.ok());
  EXPECT_THAT(stressor.error().message, HasSubstr("--folder"));
}

TEST_F(StressorTest, WhatIsSentOverLoopbackArrives) {
  const StressOutcome outcome = Press(Ask(StressKind::kNetwork, 20), 400);
  EXPECT_GT(Figure(outcome, "sent over loopback").applied, 0);
  EXPECT_GT(Figure(outcome, "received in all").applied, 0);
}

TEST_F(StressorTest, BandwidthNeverExceedsItsShareByMuch) {
  const StressOutcome outcome = Press(Ask(StressKind::kBandwidth, 25), 1500);
  const StressFigure& copied = Figure(outcome, "copied");
  EXPECT_GT(copied.asked.value_or(0), 0);
  EXPECT_LT(copied.applied, 1.2 * copied.asked.value_or(0));
}

}  // namespace
}  // namespace edgewise

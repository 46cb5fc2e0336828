#include "controls/frequency.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "controls/restore.h"
#include "fake_clock.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class FrequencyTest : public ::testing::Test {
 protected:
  Result<FrequencyPlan> Plan(int64_t khz, const std::vector<int>& cpus = {}) {
    return PlanFrequency(khz, cpus, clock_.root());
  }
  Error Refusal(int64_t khz, const std::vector<int>& cpus = {}) {
    const auto plan = Plan(khz, cpus);
    EXPECT_FALSE(plan.ok());
    return plan.ok() ? Error{ErrorCode::kIo, ""} : plan.error();
  }
  // Sets the clock and undoes it step by step; at every step the limits must
  // make sense.
  void SetAndUndo(int64_t khz) {
    struct Old {
      fs::path file;
      int64_t value;
    };
    std::vector<Old> old;
    const auto plan = Plan(khz, {0});
    ASSERT_TRUE(plan.ok()) << plan.error().message;
    const auto set = SetFrequency(*plan, [&](const fs::path& file) {
      old.push_back({file, ReadValue(file.c_str())});
      return Result<void>();
    });
    ASSERT_TRUE(set.ok()) << set.error().message;
    const std::string text = std::to_string(khz);
    EXPECT_EQ(clock_.Limits(0), text + "-" + text);
    // Undone backwards it goes through the same states as it came.
    std::reverse(old.begin(), old.end());
    for (const Old& change : old) {
      ASSERT_EQ(WriteValue(change.file.c_str(), change.value), 0);
      EXPECT_LE(ReadValue((clock_.Policy(0) / "scaling_min_freq").c_str()),
                ReadValue((clock_.Policy(0) / "scaling_max_freq").c_str()));
    }
  }

  FakeClock clock_;
};

TEST_F(FrequencyTest, CoresThatShareAPolicyAreOne) {
  const auto all = Plan(1'000'000);
  ASSERT_TRUE(all.ok()) << all.error().message;
  EXPECT_EQ(all->khz, 1'000'000);
  EXPECT_THAT(all->policies, ElementsAre(fs::canonical(clock_.Policy(0)),
                                         fs::canonical(clock_.Policy(2))));
  const auto some = Plan(1'000'000, {2, 3});
  ASSERT_TRUE(some.ok()) << some.error().message;
  EXPECT_THAT(some->policies, ElementsAre(fs::canonical(clock_.Policy(2))));
}

TEST_F(FrequencyTest, PlanningChangesNothing) {
  ASSERT_TRUE(Plan(1'000'000).ok());
  EXPECT_EQ(clock_.Limits(0), "600000-1500000");
}

TEST_F(FrequencyTest, TheNearestOfTheListIsTaken) {
  EXPECT_EQ(Plan(1'010'000)->khz, 1'000'000);
  EXPECT_EQ(Plan(980'000)->khz, 1'000'000);
  clock_.Write(0, "scaling_boost_frequencies", "1450000");
  EXPECT_EQ(Plan(1'440'000, {0})->khz, 1'450'000);
}

TEST_F(FrequencyTest, WhatIsNotNearIsRefusedWithTheList) {
  const Error error = Refusal(1'200'000, {0, 1});
  EXPECT_EQ(error.code, ErrorCode::kInvalid);
  EXPECT_THAT(error.message, AllOf(HasSubstr("cores 0-1"),
                                   HasSubstr("600 MHz, 1 GHz, 1.5 GHz")));
}

TEST_F(FrequencyTest, BeyondTheLimitsIsRefusedWithThem) {
  for (const int64_t khz : {500'000, 1'600'000}) {
    const Error error = Refusal(khz, {0});
    EXPECT_EQ(error.code, ErrorCode::kInvalid);
    EXPECT_THAT(error.message, HasSubstr("600 MHz to 1.5 GHz")) << khz;
  }
}

TEST_F(FrequencyTest, AClockMayBeTypedAsItIsShown) {
  clock_.Write(0, "cpuinfo_max_freq", "1479040");
  clock_.Write(0, "scaling_available_frequencies", "");
  EXPECT_EQ(Plan(1'480'000, {0})->khz, 1'479'040);
}

TEST_F(FrequencyTest, WithoutAListAnythingWithinTheLimitsGoes) {
  for (const int policy : {0, 2}) {
    fs::remove(clock_.Policy(policy) / "scaling_available_frequencies");
  }
  EXPECT_EQ(Plan(1'234'000)->khz, 1'234'000);
}

TEST_F(FrequencyTest, CoresOfDifferentKindsNeedAClockThatAllHave) {
  clock_.Write(2, "scaling_available_frequencies", "1020000 1500000");
  EXPECT_EQ(Plan(1'500'000)->khz, 1'500'000);
  const Error error = Refusal(1'000'000);
  EXPECT_EQ(error.code, ErrorCode::kInvalid);
  EXPECT_THAT(error.message, AllOf(HasSubstr("1.02 GHz"), HasSubstr("--cpus")));
}

TEST_F(FrequencyTest, NoCpufreqIsSaid) {
  const FakeTree bare;
  bare.MakeFolder("devices/system/cpu/cpu0");
  for (const std::vector<int>& cpus : {std::vector<int>{}, {0}}) {
    const auto plan = PlanFrequency(1'000'000, cpus, bare.root());
    ASSERT_FALSE(plan.ok());
    EXPECT_EQ(plan.error().code, ErrorCode::kUnsupported);
    EXPECT_THAT(plan.error().message, HasSubstr("no cpufreq"));
  }
  EXPECT_EQ(Refusal(1'000'000, {0, 17}).code, ErrorCode::kUnsupported);
}

TEST_F(FrequencyTest, OldKernelsHaveTheFolderAtTheCore) {
  const FakeTree old;
  const std::string folder = "devices/system/cpu/cpu0/cpufreq/";
  for (const auto& [file, text] : {std::pair{"cpuinfo_min_freq", "300000"},
                                   std::pair{"cpuinfo_max_freq", "900000"},
                                   std::pair{"scaling_min_freq", "300000"},
                                   std::pair{"scaling_max_freq", "900000"}}) {
    old.Write(folder + file, text);
  }
  const auto plan = PlanFrequency(500'000, {}, old.root());
  ASSERT_TRUE(plan.ok()) << plan.error().message;
  EXPECT_THAT(plan->policies, ElementsAre(fs::canonical(old / folder)));
}

TEST_F(FrequencyTest, WithoutTheRightToWriteItSaysHowToGetIt) {
  if (geteuid() == 0) {
    GTEST_SKIP() << "root may write everything";
  }
  fs::permissions(clock_.Policy(0) / "scaling_max_freq", fs::perms::owner_read);
  const Error error = Refusal(1'000'000);
  EXPECT_EQ(error.code, ErrorCode::kPermission);
  EXPECT_THAT(error.message, HasSubstr("run as root"));
}

TEST_F(FrequencyTest, AHotBoardIsLeftAlone) {
  clock_.tree().Write("class/thermal/cooling_device0/type", "Fan\n");
  clock_.tree().Write("class/thermal/cooling_device0/cur_state", "3\n");
  clock_.tree().Write("class/thermal/cooling_device1/type",
                      "thermal-cpufreq-0\n");
  clock_.tree().Write("class/thermal/cooling_device1/cur_state", "0\n");
  EXPECT_TRUE(Plan(1'000'000).ok());
  clock_.tree().Write("class/thermal/cooling_device1/cur_state", "2\n");
  const Error error = Refusal(1'000'000);
  EXPECT_EQ(error.code, ErrorCode::kBusy);
  EXPECT_THAT(error.message, HasSubstr("cool down"));
}

TEST_F(FrequencyTest, LimitsMakeSenseAtEachStepFromEverywhere) {
  SetAndUndo(1'000'000);
  EXPECT_EQ(clock_.Limits(0), "600000-1500000");
  // Below the old minimum.
  clock_.SetLimits(0, 1'000'000, 1'500'000);
  SetAndUndo(600'000);
  EXPECT_EQ(clock_.Limits(0), "1000000-1500000");
  // Above the old maximum.
  clock_.SetLimits(0, 600'000, 1'000'000);
  SetAndUndo(1'500'000);
  EXPECT_EQ(clock_.Limits(0), "600000-1000000");
}

TEST_F(FrequencyTest, AllIsNotedBeforeAnythingChanges) {
  int noted = 0;
  const auto set = SetFrequency(*Plan(600'000), [&](const fs::path&) {
    EXPECT_EQ(clock_.Limits(0), "600000-1500000");
    ++noted;
    return noted < 4 ? Result<void>()
                     : Result<void>(Error{ErrorCode::kBusy, "held"});
  });
  EXPECT_EQ(set.error().code, ErrorCode::kBusy);
  EXPECT_EQ(noted, 4);
  EXPECT_EQ(clock_.Limits(0), "600000-1500000") << "refused: nothing is set";
}

TEST_F(FrequencyTest, AClockThatDoesNotStayIsAnError) {
  FrequencyPlan plan = *Plan(1'000'000, {0});
  // The kernel's answer is another than what was written.
  const fs::path file = clock_.Policy(0) / "scaling_min_freq";
  fs::remove(file);
  fs::create_symlink("/dev/null", file);
  const auto set =
      SetFrequency(plan, [](const fs::path&) { return Result<void>(); });
  ASSERT_FALSE(set.ok());
  EXPECT_THAT(set.error().message, HasSubstr("scaling_min_freq"));
}

}  // namespace
}  // namespace edgewise

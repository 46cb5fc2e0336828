#include "sessions/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../controls/fake_clock.h"

namespace edgewise {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

SessionSettings Of(std::vector<std::string> command) {
  SessionSettings settings;
  settings.command = std::move(command);
  return settings;
}

std::string Refusal(const SessionSettings& settings) {
  const Result<void> checked = CheckSettings(settings);
  return checked ? "" : checked.error().message;
}

TEST(SettingsTest, AnOrdinaryCommandIsFine) {
  EXPECT_EQ(Refusal(Of({"true"})), "");
  EXPECT_EQ(Refusal(Of({"/bin/sh", "-c", "exit 1"})), "");
}

TEST(SettingsTest, NoCommandSaysWhatToWrite) {
  EXPECT_THAT(Refusal(Of({})), HasSubstr("after --"));
}

TEST(SettingsTest, MissingAndNotExecutableAreToldApart) {
  const Result<void> missing = CheckSettings(Of({"no-such-program-here"}));
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  const Result<void> not_executable = CheckSettings(Of({"/etc/passwd"}));
  ASSERT_FALSE(not_executable.ok());
  EXPECT_EQ(not_executable.error().code, ErrorCode::kPermission);
  const Result<void> folder = CheckSettings(Of({"/tmp"}));
  ASSERT_FALSE(folder.ok());
  EXPECT_EQ(folder.error().code, ErrorCode::kPermission);
}

TEST(SettingsTest, PathOfTheProgramDecidesWhereItIsSought) {
  SessionSettings settings = Of({"true"});
  settings.conditions.env["PATH"] = "/nonexistent";
  EXPECT_THAT(Refusal(settings), HasSubstr("was not found"));
}

TEST(SettingsTest, CoresThatAreNotThereAreNamed) {
  SessionSettings settings = Of({"true"});
  settings.conditions.cpus = {8000};
  EXPECT_THAT(Refusal(settings), HasSubstr("8000"));
}

TEST(SettingsTest, ContradictionsAreRefused) {
  SessionSettings settings = Of({"true"});
  settings.conditions.warmup_ns = 10;
  settings.conditions.duration_ns = 5;
  EXPECT_THAT(Refusal(settings), HasSubstr("--warmup"));

  settings = Of({"true"});
  settings.conditions.policy = "fifo:10";
  settings.conditions.cpu_quota_cores = 0.5;
  EXPECT_THAT(Refusal(settings), HasSubstr("--cpu-quota"));

  settings = Of({"true"});
  settings.attach_pid = 1;
  EXPECT_THAT(Refusal(settings), HasSubstr("--pid"));
}

TEST(SettingsTest, AttachingOnlyObserves) {
  SessionSettings settings;
  settings.attach_pid = 1;
  settings.conditions.nice = 5;
  EXPECT_THAT(Refusal(settings), HasSubstr("only observes"));
  settings.conditions.nice.reset();
  settings.conditions.frequency_khz = 600'000;
  EXPECT_THAT(Refusal(settings), HasSubstr("only observes"));
}

TEST(SettingsTest, AClockThatCannotBeSetIsRefusedBeforeAnythingRuns) {
  const FakeClock clock;
  SessionSettings settings = Of({"true"});
  settings.sysfs_root = clock.root();
  settings.conditions.frequency_khz = 600'000;
  EXPECT_EQ(Refusal(settings), "");
  settings.conditions.frequency_khz = 700'000;
  EXPECT_THAT(Refusal(settings), HasSubstr("choose from"));
  settings.sysfs_root = clock.root() / "nothing/here";
  const Result<void> checked = CheckSettings(settings);
  ASSERT_FALSE(checked.ok());
  EXPECT_EQ(checked.error().code, ErrorCode::kUnsupported);
}

TEST(SettingsTest, ThreadsReachEveryLibraryAndEnvWins) {
  SessionSettings settings = Of({"true"});
  settings.conditions.threads = 3;
  settings.conditions.env["MKL_NUM_THREADS"] = "1";
  const auto environment = ProgramEnvironment(settings, "/x/s.sock", "abc");
  EXPECT_THAT(environment, Contains("OMP_NUM_THREADS=3"));
  EXPECT_THAT(environment, Contains("OPENBLAS_NUM_THREADS=3"));
  EXPECT_THAT(environment, Contains("MKL_NUM_THREADS=1"));
  EXPECT_THAT(environment, Contains("NUMEXPR_NUM_THREADS=3"));
  EXPECT_THAT(environment, Contains("EDGEWISE_THREADS=3"));
  EXPECT_THAT(environment, Contains("EDGEWISE_SOCKET=/x/s.sock"));
  EXPECT_THAT(environment, Contains("EDGEWISE_RUN_ID=abc"));
}

}  // namespace
}  // namespace edgewise

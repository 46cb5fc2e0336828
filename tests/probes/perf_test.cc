#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "probes/perf_counters.h"

namespace edgewise {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(PerfEventTest, KnowsEveryNameItLists) {
  for (const std::string& name : PerfEventNames()) {
    const auto event = FindPerfEvent(name);
    ASSERT_TRUE(event.ok()) << name;
    EXPECT_EQ(event->name, name);
  }
}

TEST(PerfEventTest, ReadsRawCodes) {
  const auto event = FindPerfEvent("r01A8");
  ASSERT_TRUE(event.ok());
  EXPECT_EQ(event->type, static_cast<uint32_t>(PERF_TYPE_RAW));
  EXPECT_EQ(event->config, 0x1a8u);
  EXPECT_FALSE(FindPerfEvent("r").ok());
  EXPECT_FALSE(FindPerfEvent("rxyz").ok());
  EXPECT_FALSE(FindPerfEvent("r11112222333344445").ok());
}

TEST(PerfEventTest, AnUnknownNameGetsTheNearestAndTheList) {
  const auto event = FindPerfEvent("cache-mises");
  ASSERT_FALSE(event.ok());
  EXPECT_EQ(event.error().code, ErrorCode::kInvalid);
  EXPECT_THAT(event.error().message, HasSubstr("did you mean 'cache-misses'"));
  EXPECT_THAT(event.error().message, HasSubstr("context-switches"));
}

TEST(PerfEventTest, RefusalsNameTheSetting) {
  const PerfEvent cycles = *FindPerfEvent("cycles");
  const PerfEvent clock = *FindPerfEvent("task-clock");
  EXPECT_THAT(ExplainPerfRefusal(cycles, EACCES, 3),
              HasSubstr("sysctl kernel.perf_event_paranoid=1"));
  EXPECT_THAT(ExplainPerfRefusal(cycles, EPERM, -1), HasSubstr("root"));
  EXPECT_THAT(ExplainPerfRefusal(cycles, ENOENT, 1), HasSubstr("virtual"));
  EXPECT_THAT(ExplainPerfRefusal(cycles, EOPNOTSUPP, 1), HasSubstr("virtual"));
  EXPECT_THAT(ExplainPerfRefusal(clock, ENOSYS, {}),
              HasSubstr("CONFIG_PERF_EVENTS"));
  EXPECT_THAT(ExplainPerfRefusal(clock, EMFILE, {}), HasSubstr("ulimit -n"));
}

TEST(PerfEventTest, SwitchesAndMigrationsAreNeverCountedInTheProgramOnly) {
  for (const std::string& name : PerfEventNames()) {
    EXPECT_EQ(FindPerfEvent(name)->only_in_kernel,
              name == "context-switches" || name == "cpu-migrations")
        << name;
  }
  for (const char* name : {"context-switches", "cpu-migrations"}) {
    const auto counters = PerfCounters::Open(getpid(), {name}, {});
    ASSERT_TRUE(counters.ok());
    for (const PerfReading& reading : counters->Read()) {
      EXPECT_FALSE(reading.user_only) << name;
    }
  }
}

TEST(SumCountsTest, AnAlwaysRunningCounterIsExact) {
  const PerfReading reading = SumCounts({{100, 50, 50}, {11, 5, 5}}, false);
  EXPECT_EQ(reading.value, 111);
  EXPECT_FALSE(reading.scaled());
}

TEST(SumCountsTest, MultiplexingIsScaledAndMarked) {
  const PerfReading reading = SumCounts({{100, 80, 20}}, false);
  EXPECT_EQ(reading.value, 400);
  EXPECT_DOUBLE_EQ(reading.running_share, 0.25);
  EXPECT_TRUE(reading.scaled());
}

TEST(SumCountsTest, ACounterThatNeverGotOnTheHardwareIsUnknown) {
  const PerfReading reading = SumCounts({{0, 80, 0}}, false);
  EXPECT_EQ(reading.value, std::nullopt);
  EXPECT_EQ(reading.running_share, 0);
}

TEST(SumCountsTest, AThreadThatSleptCountedNothing) {
  EXPECT_EQ(SumCounts({{0, 0, 0}}, false).value, 0);
  EXPECT_EQ(SumCounts({{0, 0, 0}}, true).value, std::nullopt);
}

TEST(PerfCountersTest, AnUnknownNameOpensNothing) {
  const auto counters = PerfCounters::Open(getpid(), {"cycles", "bogus"}, {});
  ASSERT_FALSE(counters.ok());
  EXPECT_EQ(counters.error().code, ErrorCode::kInvalid);
}

TEST(PerfCountersTest, EveryEventIsEitherReadOrExplained) {
  const std::vector<std::string> names = PerfEventNames();
  PerfOptions options;
  options.all_threads = true;
  const auto counters = PerfCounters::Open(getpid(), names, options);
  ASSERT_TRUE(counters.ok());
  EXPECT_EQ(counters->Read().size() + counters->unavailable().size(),
            names.size());
  for (const Unavailable& missing : counters->unavailable()) {
    EXPECT_THAT(missing.why, Not(IsEmpty())) << missing.what;
  }
}

TEST(PerfCountersTest, CountsPageFaultsOfThisProcess) {
  const auto counters = PerfCounters::Open(getpid(), {"minor-faults"}, {});
  ASSERT_TRUE(counters.ok());
  if (!counters->unavailable().empty()) {
    GTEST_SKIP() << counters->unavailable()[0].why;
  }
  constexpr size_t kPages = 1000;
  const size_t page_bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const auto before = counters->Read();
  auto* const memory = static_cast<volatile char*>(
      std::aligned_alloc(page_bytes, kPages * page_bytes));
  for (size_t i = 0; i < kPages; ++i) {
    memory[i * page_bytes] = 1;
  }
  const auto after = counters->Read();
  std::free(const_cast<char*>(memory));
  ASSERT_THAT(after, SizeIs(1));
  // Huge pages may make it far fewer, but not none.
  EXPECT_GT(*after[0].value, *before[0].value);
}

TEST(PerfCountersTest, AnEndedProcessIsExplained) {
  const pid_t no_such_pid = 0x3fffffff;
  const auto counters = PerfCounters::Open(no_such_pid, {"task-clock"}, {});
  ASSERT_TRUE(counters.ok());
  ASSERT_THAT(counters->unavailable(), SizeIs(1));
}

}  // namespace
}  // namespace edgewise

#include "probes/pss.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake_tree.h"

namespace edgewise {
namespace {

using ::testing::HasSubstr;

int64_t g_now_ns = 0;
int64_t g_step_ns = 0;
// Every look at the clock takes g_step_ns.
int64_t FakeClock() { return g_now_ns += g_step_ns; }

class PssProbeTest : public ::testing::Test {
 protected:
  PssProbeTest() {
    g_now_ns = 0;
    g_step_ns = 0;
    options_.proc_root = proc_.root();
    options_.clock = &FakeClock;
  }
  const FakeTree proc_;
  PssOptions options_;
};

TEST_F(PssProbeTest, SumsOverProcesses) {
  proc_.Write("1/smaps_rollup", "Pss: 100 kB\n");
  proc_.Write("2/smaps_rollup", "Pss: 20 kB\n");
  PssProbe probe(options_);
  EXPECT_EQ(probe.ReadBytes({1, 2}), 120 * 1024);
}

TEST_F(PssProbeTest, EndedProcessesAndZombiesHaveNone) {
  proc_.Write("1/smaps_rollup", "Pss: 100 kB\n");
  proc_.Write("2/smaps_rollup", "");
  PssProbe probe(options_);
  EXPECT_EQ(probe.ReadBytes({1, 2, 3}), 100 * 1024);
}

TEST_F(PssProbeTest, APartialSumIsNoSum) {
  proc_.Write("1/smaps_rollup", "Pss: 100 kB\n");
  proc_.Write("2/stat", "");
  PssProbe probe(options_);
  EXPECT_EQ(probe.ReadBytes({1, 2}), std::nullopt);
  EXPECT_THAT(probe.why_not(), HasSubstr("smaps_rollup"));
}

TEST_F(PssProbeTest, CheapReadingsComeAtTheLeastInterval) {
  options_.least_interval_ns = 1000;
  PssProbe probe(options_);
  EXPECT_TRUE(probe.Due(0));
  probe.ReadBytes({});
  EXPECT_FALSE(probe.Due(999));
  EXPECT_TRUE(probe.Due(1000));
}

TEST_F(PssProbeTest, ExpensiveReadingsStayWithinTheirShareOfTime) {
  g_step_ns = 9'000'000;  // as for a process of a gigabyte
  options_.least_interval_ns = 1000;
  options_.most_share_of_time = 0.002;
  PssProbe probe(options_);
  probe.ReadBytes({});
  EXPECT_FALSE(probe.Due(18'000'000 + 4'499'999'999));
  EXPECT_TRUE(probe.Due(18'000'000 + 4'500'000'000));
}

}  // namespace
}  // namespace edgewise

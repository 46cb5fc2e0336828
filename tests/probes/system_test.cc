// Pressure, CPU modes, network: figures of the whole system.
#include <gtest/gtest.h>

#include "fake_tree.h"
#include "probes/cpu_stat.h"
#include "probes/network.h"
#include "probes/pressure.h"

namespace edgewise {
namespace {

constexpr std::string_view kPressure =
    "some avg10=0.16 avg60=0.21 avg300=0.12 total=4469713\n"
    "full avg10=0.00 avg60=0.00 avg300=0.00 total=12\n";

TEST(PressureTest, ReadsBothLines) {
  const auto pressure = ParsePressure(kPressure);
  ASSERT_TRUE(pressure);
  EXPECT_EQ(pressure->some_ns, 4469713000);
  EXPECT_EQ(pressure->full_ns, 12000);
  EXPECT_DOUBLE_EQ(pressure->some_avg10_percent, 0.16);
}

TEST(PressureTest, OlderKernelsHaveNoFullLineForCpu) {
  const auto pressure = ParsePressure(kPressure.substr(0, kPressure.find('f')));
  ASSERT_TRUE(pressure);
  EXPECT_EQ(pressure->full_ns, std::nullopt);
}

TEST(PressureTest, RubbishIsRefused) {
  EXPECT_FALSE(ParsePressure(""));
  EXPECT_FALSE(ParsePressure("some avg10=0.1\n"));
  EXPECT_FALSE(ParsePressure("some avg10=x total=1\n"));
  EXPECT_FALSE(ParsePressure("some avg10=0 total=99999999999999999999\n"));
}

TEST(SystemPressureTest, EachResourceIsOptional) {
  const FakeTree proc;
  proc.Write("pressure/memory", kPressure);
  const auto reading = SystemPressure(proc.root()).Read();
  EXPECT_FALSE(reading.cpu);
  ASSERT_TRUE(reading.memory);
  EXPECT_EQ(reading.memory->full_ns, 12000);
  EXPECT_FALSE(reading.io);
}

constexpr std::string_view kStat =
    "cpu  2530 1 2200 212126 678 2 42 12 0 0\n"
    "cpu0 906 0 794 107042 26 0 13 5 0 0\n"
    "cpu1 1624 1 1406 105084 651 2 28 7 0 0\n"
    "intr 166603 0 0\nctxt 3\n";

TEST(CpuStatTest, ReadsModesOfAllCores) {
  const auto stat = ParseCpuStat(kStat, 100);
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->total.user_ns, 25'300'000'000);
  EXPECT_EQ(stat->total.steal_ns, 120'000'000);
  EXPECT_EQ(stat->total.busy_ns(),
            (2530 + 1 + 2200 + 2 + 42) * int64_t{10'000'000});
  ASSERT_EQ(stat->cores.size(), 2u);
  EXPECT_EQ(stat->cores[1].iowait_ns, 6'510'000'000);
}

TEST(CpuStatTest, RubbishIsRefused) {
  EXPECT_FALSE(ParseCpuStat("", 100));
  EXPECT_FALSE(ParseCpuStat("cpu 1 2 3\n", 100));
  EXPECT_FALSE(ParseCpuStat("cpu0 1 2 3 4 5 6 7 8\n", 100));  // no total
  EXPECT_FALSE(ParseCpuStat("cpu 1 2 3 4 5 6 -7 8\n", 100));
}

TEST(CpuStatTest, LoadOfOthersIsWhatIsLeft) {
  CpuTimes before;
  CpuTimes after;
  after.user_ns = 700;
  after.softirq_ns = 50;
  after.idle_ns = 9999;
  after.steal_ns = 500;
  EXPECT_EQ(CpuOfOthersNs(before, after, 600), 150);
  EXPECT_EQ(CpuOfOthersNs(before, after, 800), 0);
}

TEST(CpuStatTest, TicksSaturateInsteadOfOverflowing) {
  EXPECT_EQ(TicksToNs(3, 100), 30'000'000);
  EXPECT_GT(TicksToNs(INT64_MAX, 100), 0);
}

constexpr std::string_view kNetDev =
    "Inter-|   Receive                                                |  "
    "Transmit\n"
    " face |bytes    packets errs drop fifo frame compressed multicast|bytes   "
    " packets errs drop fifo colls carrier compressed\n"
    "    lo:    500       5    0    0    0     0          0         0      500 "
    " "
    "     5    0    0    0     0       0          0\n"
    "  eth0:1000      10    0    0    0     0          0         0      2000   "
    " "
    "  20    0    0    0     0       0          0\n"
    " wlan0: 7      10    0    0    0     0          0         0      9      "
    "20 "
    "   0    0    0     0       0          0\n";

TEST(NetworkTest, LoopbackIsSeparate) {
  const auto totals = ParseNetDev(kNetDev);
  ASSERT_TRUE(totals);
  EXPECT_EQ(totals->receive_bytes, 1007);
  EXPECT_EQ(totals->transmit_bytes, 2009);
  EXPECT_EQ(totals->loopback_bytes, 500);
  EXPECT_EQ(totals->interfaces, 2);
}

TEST(NetworkTest, RubbishIsRefused) {
  EXPECT_FALSE(ParseNetDev(""));
  EXPECT_FALSE(ParseNetDev("eth0: 1 2 3\n"));
  EXPECT_FALSE(ParseNetDev("eth0: x 2 3 4 5 6 7 8 9\n"));
}

TEST(NetworkTest, ReadsTheNamespaceOfTheProcess) {
  const FakeTree proc;
  proc.Write("77/net/dev", kNetDev);
  const auto totals = NetworkProbe(77, proc.root()).Read();
  ASSERT_TRUE(totals);
  EXPECT_EQ(totals->receive_bytes, 1007);
  EXPECT_FALSE(NetworkProbe(78, proc.root()).Read());
}

}  // namespace
}  // namespace edgewise

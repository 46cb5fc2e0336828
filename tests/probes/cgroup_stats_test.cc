#include "probes/cgroup_stats.h"

#include <gtest/gtest.h>

#include "fake_tree.h"

namespace edgewise {
namespace {

TEST(CgroupProbeTest, ReadsV2) {
  const FakeTree tree;
  tree.Write("g/cpu.stat",
             "usage_usec 1500\nuser_usec 1000\nsystem_usec 500\nnice_usec 0\n"
             "nr_periods 20\nnr_throttled 4\nthrottled_usec 7000\n");
  tree.Write("g/memory.current", "4096\n");
  tree.Write("g/memory.peak", "8192\n");
  tree.Write("g/memory.events", "low 0\nhigh 0\nmax 9\noom 1\noom_kill 2\n");
  tree.Write("g/io.stat",
             "8:0 rbytes=100 wbytes=200 rios=1 wios=2 dbytes=0 dios=0\n"
             "254:0 rbytes=1 wbytes=2 rios=1 wios=2 dbytes=0 dios=0\n");
  tree.Write("g/cpu.pressure",
             "some avg10=1.50 avg60=0.00 avg300=0.00 total=33\n"
             "full avg10=0.00 avg60=0.00 avg300=0.00 total=11\n");
  CgroupFolders folders;
  folders.unified = tree / "g";
  const CgroupStats stats = CgroupProbe(folders).Read();
  EXPECT_EQ(stats.cpu_ns, 1'500'000);
  EXPECT_EQ(stats.user_ns, 1'000'000);
  EXPECT_EQ(stats.system_ns, 500'000);
  EXPECT_EQ(stats.periods, 20);
  EXPECT_EQ(stats.throttled_periods, 4);
  EXPECT_EQ(stats.throttled_ns, 7'000'000);
  EXPECT_EQ(stats.memory_bytes, 4096);
  EXPECT_EQ(stats.memory_peak_bytes, 8192);
  EXPECT_EQ(stats.oom_kills, 2);
  EXPECT_EQ(stats.read_bytes, 101);
  EXPECT_EQ(stats.write_bytes, 202);
  ASSERT_TRUE(stats.cpu_pressure);
  EXPECT_EQ(stats.cpu_pressure->some_ns, 33'000);
  EXPECT_EQ(stats.cpu_pressure->full_ns, 11'000);
  EXPECT_FALSE(stats.memory_pressure);
}

TEST(CgroupProbeTest, ReadsV1) {
  const FakeTree tree;
  tree.Write("cpu/g/cpu.stat",
             "nr_periods 8\nnr_throttled 3\nthrottled_time 123456\n");
  tree.Write("cpuacct/g/cpuacct.usage", "777000111\n");
  tree.Write("cpuacct/g/cpuacct.stat", "user 50\nsystem 20\n");
  tree.Write("memory/g/memory.usage_in_bytes", "4096\n");
  tree.Write("memory/g/memory.max_usage_in_bytes", "65536\n");
  tree.Write("memory/g/memory.oom_control",
             "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n");
  tree.Write("blkio/g/blkio.throttle.io_service_bytes_recursive",
             "254:0 Read 4096\n254:0 Write 512\n254:0 Sync 4608\n"
             "254:0 Async 0\n254:0 Discard 0\n254:0 Total 4608\nTotal 4608\n");
  CgroupFolders folders;
  folders.cpu = tree / "cpu/g";
  folders.cpuacct = tree / "cpuacct/g";
  folders.memory = tree / "memory/g";
  folders.blkio = tree / "blkio/g";
  const CgroupStats stats = CgroupProbe(folders).Read();
  EXPECT_EQ(stats.cpu_ns, 777000111);
  EXPECT_EQ(stats.user_ns, 500'000'000);
  EXPECT_EQ(stats.system_ns, 200'000'000);
  EXPECT_EQ(stats.periods, 8);
  EXPECT_EQ(stats.throttled_periods, 3);
  EXPECT_EQ(stats.throttled_ns, 123456);
  EXPECT_EQ(stats.memory_bytes, 4096);
  EXPECT_EQ(stats.memory_peak_bytes, 65536);
  EXPECT_EQ(stats.oom_kills, 1);
  EXPECT_EQ(stats.read_bytes, 4096);
  EXPECT_EQ(stats.write_bytes, 512);
}

TEST(CgroupProbeTest, HybridTakesControllersFromV1AndTheRestFromV2) {
  const FakeTree tree;
  tree.Write("unified/g/cpu.stat",
             "usage_usec 10\nuser_usec 6\nsystem_usec 4\n");
  tree.Write("cpu/g/cpu.stat",
             "nr_periods 8\nnr_throttled 3\nthrottled_time 1\n");
  tree.Write("memory/g/memory.usage_in_bytes", "4096\n");
  CgroupFolders folders;
  folders.unified = tree / "unified/g";
  folders.cpu = tree / "cpu/g";
  folders.memory = tree / "memory/g";
  const CgroupStats stats = CgroupProbe(folders).Read();
  EXPECT_EQ(stats.cpu_ns, 10'000);
  EXPECT_EQ(stats.throttled_periods, 3);
  EXPECT_EQ(stats.memory_bytes, 4096);
}

TEST(CgroupProbeTest, WithoutAPeakFileTheLargestReadingCounts) {
  const FakeTree tree;
  tree.Write("g/memory.current", "900\n");
  CgroupFolders folders;
  folders.unified = tree / "g";
  CgroupProbe probe(folders);
  EXPECT_EQ(probe.Read().memory_peak_bytes, 900);
  tree.Write("g/memory.current", "100\n");
  const CgroupStats stats = probe.Read();
  EXPECT_EQ(stats.memory_bytes, 100);
  EXPECT_EQ(stats.memory_peak_bytes, 900);
}

TEST(CgroupProbeTest, NoGroupIsUnknownNotZero) {
  const CgroupStats stats = CgroupProbe(CgroupFolders()).Read();
  EXPECT_EQ(stats.cpu_ns, std::nullopt);
  EXPECT_EQ(stats.memory_bytes, std::nullopt);
  EXPECT_EQ(stats.memory_peak_bytes, std::nullopt);
  EXPECT_EQ(stats.read_bytes, std::nullopt);
  EXPECT_EQ(stats.oom_kills, std::nullopt);
}

TEST(BlockIoTest, AnEmptyAccountIsNoTraffic) {
  ASSERT_TRUE(ParseIoStat(""));
  EXPECT_EQ(ParseIoStat("")->read_bytes, 0);
  ASSERT_TRUE(ParseBlkio("8:0 Read 0\n8:0 Write 0\nTotal 0\n"));
  EXPECT_EQ(ParseBlkio("8:0 Read 0\nTotal 0\n")->write_bytes, 0);
}

TEST(BlockIoTest, AV1AccountWithoutDevicesIsUnknownNotZero) {
  EXPECT_FALSE(ParseBlkio("Total 0\n"));
  EXPECT_FALSE(ParseBlkio(""));
}

TEST(BlockIoTest, RubbishIsRefused) {
  EXPECT_FALSE(ParseIoStat("8:0 rbytes=x wbytes=2"));
  EXPECT_FALSE(ParseIoStat("8:0 rbytes=-4"));
  EXPECT_FALSE(ParseBlkio("8:0 Read many"));
}

}  // namespace
}  // namespace edgewise

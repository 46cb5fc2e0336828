#include "probes/process_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake_processes.h"

namespace edgewise {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::string_view kStat =
    "10172 (cat) R 10163 10163 9069 0 -1 4194304 101 7 3 2 11 12 13 14 20 0 5 "
    "0 108039 3133440 387 18446744073709551615 94767885312000 94767885331881 "
    "140736555421024 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0\n";

TEST(ProcStatTest, ReadsEveryField) {
  const auto stat = ParseProcStat(kStat);
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->pid, 10172);
  EXPECT_EQ(stat->comm, "cat");
  EXPECT_EQ(stat->state, 'R');
  EXPECT_EQ(stat->parent_pid, 10163);
  EXPECT_EQ(stat->minor_faults, 101);
  EXPECT_EQ(stat->children_minor_faults, 7);
  EXPECT_EQ(stat->major_faults, 3);
  EXPECT_EQ(stat->children_major_faults, 2);
  EXPECT_EQ(stat->user_ticks, 11);
  EXPECT_EQ(stat->system_ticks, 12);
  EXPECT_EQ(stat->children_user_ticks, 13);
  EXPECT_EQ(stat->children_system_ticks, 14);
  EXPECT_EQ(stat->threads, 5);
  EXPECT_EQ(stat->start_ticks, 108039);
  EXPECT_EQ(stat->rss_pages, 387);
  EXPECT_FALSE(stat->dead());
}

TEST(ProcStatTest, NamesMayLookLikeTheEndOfTheName) {
  FakeProcess process;
  process.pid = 5;
  process.parent = 4;
  process.comm = "a) R 1 (b";
  process.state = 'Z';
  const std::string text = process.StatText();
  const auto stat = ParseProcStat(text);
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->comm, "a) R 1 (b");
  EXPECT_EQ(stat->parent_pid, 4);
  EXPECT_TRUE(stat->dead());
}

TEST(ProcStatTest, EveryCutOffTextIsRefusedOrWhole) {
  // Cut anywhere before the last wanted field there is no process to report.
  const size_t rss_end = kStat.find(" 387") + 2;
  for (size_t length = 0; length < rss_end; ++length) {
    EXPECT_FALSE(ParseProcStat(kStat.substr(0, length))) << length;
  }
}

TEST(ProcStatTest, NegativeCountsAreRefused) {
  EXPECT_FALSE(
      ParseProcStat("1 (a) R 0 1 1 0 -1 0 -5 0 0 0 0 0 0 0 20 0 1 0 1 1 1"));
}

TEST(StatmTest, ResidentIsTheSecondNumber) {
  EXPECT_EQ(ParseStatmRssPages("765 387 300 1 0 2 0\n"), 387);
  EXPECT_EQ(ParseStatmRssPages("765"), std::nullopt);
  EXPECT_EQ(ParseStatmRssPages(""), std::nullopt);
}

TEST(SchedStatTest, ReadsRunAndWait) {
  const auto stat = ParseSchedStat("779335 42 1\n");
  ASSERT_TRUE(stat);
  EXPECT_EQ(stat->cpu_ns, 779335);
  EXPECT_EQ(stat->run_queue_wait_ns, 42);
  EXPECT_FALSE(ParseSchedStat("779335"));
}

TEST(TaskStatusTest, ReadsWhatIsThere) {
  const TaskStatus status = ParseTaskStatus(
      "Name:\tpool worker\nVmHWM:\t    3924 kB\nCpus_allowed_list:\t0-1,3\n"
      "voluntary_ctxt_switches:\t60\nnonvoluntary_ctxt_switches:\t12\n");
  EXPECT_EQ(status.name, "pool worker");
  EXPECT_EQ(status.allowed_cpus, "0-1,3");
  EXPECT_EQ(status.peak_bytes, 3924 * 1024);
  EXPECT_EQ(status.voluntary_switches, 60);
  EXPECT_EQ(status.involuntary_switches, 12);
}

TEST(TaskStatusTest, KernelThreadsHaveNoMemory) {
  EXPECT_EQ(ParseTaskStatus("Name:\tkthreadd\n").peak_bytes, std::nullopt);
}

TEST(ProcIoTest, CountsWhatReachedStorage) {
  const auto io = ParseProcIo(
      "rchar: 1\nwchar: 2\nread_bytes: 4096\nwrite_bytes: 8192\n"
      "cancelled_write_bytes: 0\n");
  ASSERT_TRUE(io);
  EXPECT_EQ(io->read_bytes, 4096);
  EXPECT_EQ(io->write_bytes, 8192);
  EXPECT_FALSE(ParseProcIo("rchar: 1\n"));
}

TEST(PssTest, IsNotConfusedWithItsParts) {
  EXPECT_EQ(ParsePssBytes("00400000-7ffe [rollup]\nRss: 900 kB\n"
                          "Pss_Dirty: 3 kB\nPss:     400 kB\n"),
            400 * 1024);
  EXPECT_EQ(ParsePssBytes("Pss_Anon: 1 kB\n"), std::nullopt);
}

TEST(AppendPidsTest, SkipsOtherNamespacesAndRubbish) {
  std::vector<pid_t> pids;
  AppendPids("12\n0\n-4\nx\n99999999999\n7\n", &pids);
  EXPECT_THAT(pids, ElementsAre(12, 7));
  pids.clear();
  AppendPids("", &pids);
  EXPECT_THAT(pids, IsEmpty());
}

}  // namespace
}  // namespace edgewise

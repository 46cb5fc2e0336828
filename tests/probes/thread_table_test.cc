#include "probes/thread_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fake_processes.h"

namespace edgewise {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::SizeIs;

class ThreadTableTest : public ::testing::Test {
 protected:
  const FakeTree proc_;
  FakeProcess process_{.pid = 10,
                       .threads = {{.tid = 10,
                                    .name = "main",
                                    .cpu_ns = 100,
                                    .wait_ns = 5,
                                    .voluntary = 3,
                                    .involuntary = 1},
                                   {.tid = 11,
                                    .name = "worker",
                                    .cpu_ns = 900,
                                    .wait_ns = 50,
                                    .voluntary = 30,
                                    .involuntary = 10,
                                    .affinity = "2"}}};
};

TEST_F(ThreadTableTest, ListsTheBusiestThreadFirst) {
  WriteProcess(proc_, process_);
  ThreadTable table(proc_.root());
  table.Look({{10, 2}});
  const auto threads = table.Threads();
  ASSERT_THAT(threads, SizeIs(2));
  EXPECT_EQ(threads[0].name, "worker");
  EXPECT_EQ(threads[0].cpu_ns, 900);
  EXPECT_EQ(threads[0].run_queue_wait_ns, 50);
  EXPECT_EQ(threads[0].affinity, "2");
  EXPECT_EQ(threads[1].tid, 10);
}

TEST_F(ThreadTableTest, SumsSwitchesOfAllThreads) {
  WriteProcess(proc_, process_);
  ThreadTable table(proc_.root());
  table.Look({{10, 2}});
  EXPECT_EQ(table.sums().voluntary_switches, 33);
  EXPECT_EQ(table.sums().involuntary_switches, 11);
  EXPECT_EQ(table.sums().run_queue_wait_ns, 55);
  EXPECT_EQ(table.sums().largest_process_peak_bytes, 100 * 1024);
}

TEST_F(ThreadTableTest, EndedThreadsKeepTheirLastValues) {
  WriteProcess(proc_, process_);
  ThreadTable table(proc_.root(), /*most_open_files=*/0);
  table.Look({{10, 2}});
  proc_.Remove("10/task/11");
  table.Look({{10, 1}});
  EXPECT_EQ(table.sums().voluntary_switches, 33);
  EXPECT_THAT(table.Threads(), ElementsAre(Field(&ThreadSample::tid, 11),
                                           Field(&ThreadSample::tid, 10)));
  EXPECT_THAT(table.Tids(10), ElementsAre(10));
}

TEST_F(ThreadTableTest, NewThreadsAreFoundWhenTheirNumberChanges) {
  WriteProcess(proc_, process_);
  ThreadTable table(proc_.root());
  table.Look({{10, 2}});
  process_.threads.push_back({.tid = 12, .cpu_ns = 7});
  WriteProcess(proc_, process_);
  table.Look({{10, 3}});
  EXPECT_THAT(table.Tids(10), ElementsAre(10, 11, 12));
}

TEST_F(ThreadTableTest, AReplacedThreadIsFoundThoughTheNumberIsTheSame) {
  WriteProcess(proc_, process_);
  ThreadTable table(proc_.root(), /*most_open_files=*/0);
  table.Look({{10, 2}});
  proc_.Remove("10/task/11");
  process_.threads[1] = {.tid = 12, .cpu_ns = 7};
  WriteProcess(proc_, process_);
  table.Look({{10, 2}});
  EXPECT_THAT(table.Tids(10), ElementsAre(10, 12));
}

TEST_F(ThreadTableTest, AReusedTidIsANewThread) {
  WriteProcess(proc_, process_);
  ThreadTable table(proc_.root());
  table.Look({{10, 2}});
  process_.threads[1] = {
      .tid = 11, .name = "next", .cpu_ns = 7, .voluntary = 2};
  WriteProcess(proc_, process_);
  table.Look({{10, 2}});
  EXPECT_THAT(table.Threads(), SizeIs(3));
  EXPECT_EQ(table.sums().voluntary_switches, 35);
}

TEST_F(ThreadTableTest, OnlyTheBusiestEndedThreadsKeepTheirNames) {
  ThreadTable table(proc_.root(), /*most_open_files=*/0, /*most_ended=*/2);
  for (int tid = 11; tid < 31; ++tid) {
    process_.threads = {{.tid = 10},
                        {.tid = tid, .cpu_ns = tid, .voluntary = 1}};
    proc_.Remove("10");
    WriteProcess(proc_, process_);
    table.Look({{10, 2}});
  }
  proc_.Remove("10");
  table.Look({});
  EXPECT_THAT(table.Threads(), ElementsAre(Field(&ThreadSample::tid, 30),
                                           Field(&ThreadSample::tid, 29)));
  EXPECT_EQ(table.sums().voluntary_switches, 20);
}

TEST_F(ThreadTableTest, WithoutSchedulerStatisticsWaitingIsUnknown) {
  process_.threads = {{.tid = 10}};
  process_.user_ticks = 3;
  WriteProcess(proc_, process_);
  proc_.Remove("10/task/10/schedstat");
  proc_.Write("10/task/10/stat", process_.StatText());
  ThreadTable table(proc_.root());
  table.Look({{10, 1}});
  ASSERT_THAT(table.Threads(), SizeIs(1));
  EXPECT_EQ(table.Threads()[0].cpu_ns, 30'000'000);
  EXPECT_EQ(table.Threads()[0].run_queue_wait_ns, std::nullopt);
  EXPECT_EQ(table.sums().run_queue_wait_ns, std::nullopt);
}

TEST_F(ThreadTableTest, ThePastOfThreadsCountsOnlyIfTheyStartedLater) {
  WriteProcess(proc_, process_);
  FakeProcess main = process_;
  main.start_ticks = 50;
  proc_.Write("10/task/10/stat", main.StatText());
  main.start_ticks = 70;
  proc_.Write("10/task/11/stat", main.StatText());
  ThreadTable table(proc_.root());
  table.Look({{10, 2}}, /*past_ticks=*/60);
  EXPECT_EQ(table.sums().voluntary_switches, 30);
  process_.threads[0].voluntary += 4;
  WriteProcess(proc_, process_);
  table.Look({{10, 2}}, /*past_ticks=*/60);
  EXPECT_EQ(table.sums().voluntary_switches, 34);
}

TEST_F(ThreadTableTest, TheMainThreadTakesTheNewNameOfItsProcess) {
  WriteProcess(proc_, process_);
  ThreadTable table(proc_.root());
  table.Look({{10, 2}});
  table.Rename(10, "program");
  table.Rename(99, "nobody");
  EXPECT_THAT(table.Threads(),
              ElementsAre(Field(&ThreadSample::name, "worker"),
                          Field(&ThreadSample::name, "program")));
}

TEST_F(ThreadTableTest, NothingLookedAtIsUnknownNotZero) {
  const ThreadTable table(proc_.root());
  EXPECT_EQ(table.sums().voluntary_switches, std::nullopt);
}

}  // namespace
}  // namespace edgewise

#include "probes/process_tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "fake_processes.h"

namespace edgewise {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr int64_t kTickNs = 10'000'000;

class ProcessTreeTest : public ::testing::Test {
 protected:
  ProcessTreeOptions Roots(std::vector<pid_t> roots) const {
    ProcessTreeOptions options;
    options.proc_root = proc_.root();
    options.roots = std::move(roots);
    return options;
  }
  ProcessTreeOptions Cgroup() const {
    ProcessTreeOptions options;
    options.proc_root = proc_.root();
    options.cgroup.unified = cgroup_.root() / "run";
    return options;
  }
  void WriteFamily() const {
    WriteProcess(proc_, {.pid = 100,
                         .user_ticks = 3,
                         .rss_pages = 10,
                         .threads = {{.tid = 100, .children = "101 102 "},
                                     {.tid = 150, .children = "103 "}}});
    WriteProcess(proc_, {.pid = 101, .parent = 100, .system_ticks = 2});
    WriteProcess(proc_, {.pid = 102,
                         .parent = 100,
                         .threads = {{.tid = 102, .children = "104"}}});
    WriteProcess(proc_, {.pid = 103, .parent = 100});
    WriteProcess(proc_, {.pid = 104, .parent = 102, .minor_faults = 9});
    WriteProcess(proc_, {.pid = 900, .user_ticks = 77});  // somebody else
  }

  const FakeTree proc_;
  const FakeTree cgroup_;
  const int64_t page_bytes_ = sysconf(_SC_PAGESIZE);
};

TEST_F(ProcessTreeTest, FindsDescendantsOfRoots) {
  WriteFamily();
  ProcessTree tree(Roots({100}));
  const TreeSample sample = tree.Sample(0);
  EXPECT_THAT(tree.pids(), ElementsAre(100, 101, 102, 103, 104));
  EXPECT_EQ(sample.processes, 5);
  EXPECT_EQ(sample.threads, 6);
  EXPECT_EQ(sample.rss_bytes, 50 * page_bytes_);
  EXPECT_EQ(sample.use.cpu_ns, 5 * kTickNs);
  EXPECT_EQ(sample.use.user_ns, 3 * kTickNs);
  EXPECT_EQ(sample.use.system_ns, 2 * kTickNs);
  EXPECT_EQ(sample.use.minor_faults, 9);
}

TEST_F(ProcessTreeTest, ChildrenOfOtherThreadsAreFoundOnTheSlowClock) {
  WriteProcess(proc_, {.pid = 100});
  ProcessTree tree(Roots({100}));
  tree.Sample(0);
  WriteFamily();
  tree.Sample(1);
  EXPECT_THAT(tree.pids(), ElementsAre(100, 101, 102, 104));
  tree.SampleAll(2);
  EXPECT_THAT(tree.pids(), ElementsAre(100, 101, 102, 103, 104));
}

TEST_F(ProcessTreeTest, AGuardianAsRootIsNoMember) {
  WriteFamily();
  ProcessTreeOptions options = Roots({100});
  options.include_roots = false;
  ProcessTree tree(options);
  tree.Sample(0);
  EXPECT_THAT(tree.pids(), ElementsAre(101, 102, 103, 104));
}

TEST_F(ProcessTreeTest, AsksForParentsWhereTheKernelListsNoChildren) {
  WriteFamily();
  for (const char* list : {"100/task/100/children", "100/task/150/children",
                           "101/task/101/children", "102/task/102/children",
                           "103/task/103/children", "104/task/104/children",
                           "900/task/900/children"}) {
    proc_.Remove(list);
  }
  ProcessTree tree(Roots({100}));
  tree.SampleAll(0);
  EXPECT_THAT(tree.pids(), ElementsAre(100, 101, 102, 103, 104));
  EXPECT_THAT(tree.unavailable(), SizeIs(1));
}

TEST_F(ProcessTreeTest, FindsAllInACgroupAndBelowIt) {
  WriteFamily();
  cgroup_.Write("run/cgroup.procs", "100\n0\n");
  cgroup_.Write("run/pod/cgroup.procs", "101\n");
  cgroup_.Write("run/pod/container/cgroup.procs", "104\n");
  ProcessTree tree(Cgroup());
  tree.Sample(0);
  EXPECT_THAT(tree.pids(), ElementsAre(100, 101, 104));
}

TEST_F(ProcessTreeTest, V1FoldersServeAsWell) {
  WriteFamily();
  cgroup_.Write("memory/run/cgroup.procs", "102\n");
  ProcessTreeOptions options = Cgroup();
  options.cgroup = {};
  options.cgroup.memory = cgroup_ / "memory/run";
  ProcessTree tree(options);
  tree.Sample(0);
  EXPECT_THAT(tree.pids(), ElementsAre(102));
}

TEST_F(ProcessTreeTest, EndedProcessesKeepCounting) {
  WriteFamily();
  cgroup_.Write("run/cgroup.procs", "100\n101\n");
  ProcessTreeOptions options = Cgroup();
  options.most_open_files = 0;  // fake files live on in open descriptors
  ProcessTree tree(options);
  tree.Sample(0);
  proc_.Remove("101");
  cgroup_.Write("run/cgroup.procs", "100\n");
  const TreeSample sample = tree.Sample(1);
  EXPECT_EQ(sample.processes, 1);
  EXPECT_EQ(sample.use.cpu_ns, 5 * kTickNs);
  EXPECT_EQ(sample.rss_bytes, 10 * page_bytes_);
}

TEST_F(ProcessTreeTest, AVanishedPidInTheListIsNobody) {
  cgroup_.Write("run/cgroup.procs", "4711\n");
  ProcessTree tree(Cgroup());
  const TreeSample sample = tree.Sample(0);
  EXPECT_EQ(sample.processes, 0);
  EXPECT_EQ(sample.use.cpu_ns, 0);
  EXPECT_THAT(tree.pids(), IsEmpty());
}

TEST_F(ProcessTreeTest, AReusedPidIsANewProcess) {
  cgroup_.Write("run/cgroup.procs", "200\n");
  WriteProcess(proc_, {.pid = 200, .user_ticks = 50, .start_ticks = 1});
  ProcessTree tree(Cgroup());
  EXPECT_EQ(tree.Sample(0).use.cpu_ns, 50 * kTickNs);
  WriteProcess(proc_, {.pid = 200, .user_ticks = 4, .start_ticks = 2});
  EXPECT_EQ(tree.Sample(1).use.cpu_ns, 54 * kTickNs);
}

TEST_F(ProcessTreeTest, AReusedPidOfSomebodyElseIsDropped) {
  WriteProcess(proc_, {.pid = 200, .user_ticks = 50, .start_ticks = 1});
  ProcessTree tree(Roots({200}));
  tree.Sample(0);
  WriteProcess(proc_, {.pid = 200, .user_ticks = 4, .start_ticks = 2});
  const TreeSample sample = tree.Sample(1);
  EXPECT_EQ(sample.use.cpu_ns, 50 * kTickNs);
  EXPECT_THAT(tree.pids(), IsEmpty());
}

TEST_F(ProcessTreeTest, DaemonsThatLeftTheirParentsStayMembers) {
  WriteFamily();
  ProcessTree tree(Roots({100}));
  tree.Sample(0);
  WriteProcess(proc_, {.pid = 100});  // no children any more
  WriteProcess(proc_, {.pid = 104, .parent = 1, .user_ticks = 8});
  tree.Sample(1);
  EXPECT_THAT(tree.pids(), ElementsAre(100, 101, 102, 103, 104));
}

TEST_F(ProcessTreeTest, ZombiesCountTheirTimeButAreNoProcesses) {
  WriteProcess(proc_, {.pid = 200, .state = 'Z', .user_ticks = 6});
  ProcessTree tree(Roots({200}));
  const TreeSample sample = tree.Sample(0);
  EXPECT_EQ(sample.use.cpu_ns, 6 * kTickNs);
  EXPECT_EQ(sample.processes, 0);
  EXPECT_EQ(sample.threads, 0);
}

TEST_F(ProcessTreeTest, ALeaderThatEndedBeforeItsThreadsIsStillAProcess) {
  WriteProcess(
      proc_,
      {.pid = 200, .state = 'Z', .threads = {{.tid = 200}, {.tid = 201}}});
  ProcessTree tree(Roots({200}));
  EXPECT_EQ(tree.Sample(0).processes, 1);
}

TEST_F(ProcessTreeTest, AttachingLeavesOutThePast) {
  FakeProcess process{.pid = 200,
                      .user_ticks = 500,
                      .minor_faults = 70,
                      .read_bytes = 4096,
                      .threads = {{.tid = 200, .cpu_ns = 900, .voluntary = 5}}};
  WriteProcess(proc_, process);
  ProcessTreeOptions options = Roots({200});
  options.from_now = true;
  ProcessTree tree(options);
  EXPECT_EQ(tree.Sample(0).use.cpu_ns, 0);
  process.user_ticks += 2;
  process.minor_faults += 3;
  process.read_bytes += 8192;
  process.threads[0].cpu_ns += 11;
  process.threads[0].voluntary += 1;
  WriteProcess(proc_, process);
  const TreeSample sample = tree.SampleAll(1);
  EXPECT_EQ(sample.use.cpu_ns, 2 * kTickNs);
  EXPECT_EQ(sample.use.minor_faults, 3);
  EXPECT_EQ(tree.detail().read_bytes, 8192);
  EXPECT_EQ(tree.detail().sums.voluntary_switches, 1);
  EXPECT_EQ(tree.Threads().at(0).cpu_ns, 11);
}

TEST_F(ProcessTreeTest, AttachingLeavesOutThePastOfMembersFoundLater) {
  WriteProcess(proc_, {.pid = 200});
  ProcessTreeOptions options = Roots({200});
  options.from_now = true;
  options.boot_clock_ns = [] { return 2000 * kTickNs; };
  ProcessTree tree(options);
  tree.Sample(0);
  WriteProcess(proc_,
               {.pid = 200, .threads = {{.tid = 200, .children = "201 202"}}});
  FakeProcess old{.pid = 201,
                  .parent = 200,
                  .user_ticks = 500,
                  .start_ticks = 1999,
                  .read_bytes = 4096};
  WriteProcess(proc_, old);
  proc_.Write("201/task/201/stat", old.StatText());
  WriteProcess(
      proc_, {.pid = 202, .parent = 200, .user_ticks = 3, .start_ticks = 2001});
  EXPECT_EQ(tree.Sample(1).use.cpu_ns, 3 * kTickNs);
  old.user_ticks += 4;
  old.read_bytes += 512;
  WriteProcess(proc_, old);
  EXPECT_EQ(tree.SampleAll(2).use.cpu_ns, 7 * kTickNs);
  EXPECT_EQ(tree.detail().read_bytes, 512);
}

TEST_F(ProcessTreeTest, ExcludedProcessesAndTheirDescendantsAreNoMembers) {
  WriteFamily();
  ProcessTreeOptions options = Roots({100});
  options.exclude = {102, 4711};
  ProcessTree tree(options);
  tree.Sample(0);
  EXPECT_THAT(tree.pids(), ElementsAre(100, 101, 103));
  // A descendant that lost its parent is still one.
  proc_.Remove("102");
  WriteProcess(proc_, {.pid = 100,
                       .threads = {{.tid = 100, .children = "101 104"},
                                   {.tid = 150, .children = "103"}}});
  WriteProcess(proc_, {.pid = 104, .parent = 100});
  tree.Sample(1);
  EXPECT_THAT(tree.pids(), ElementsAre(100, 101, 103));
}

TEST_F(ProcessTreeTest, ExclusionHoldsInACgroupToo) {
  WriteFamily();
  cgroup_.Write("run/cgroup.procs", "100\n102\n104\n");
  ProcessTreeOptions options = Cgroup();
  options.exclude = {102};
  ProcessTree tree(options);
  tree.Sample(0);
  EXPECT_THAT(tree.pids(), ElementsAre(100));
}

TEST_F(ProcessTreeTest, AReusedPidOfAnExcludedProcessMayBeAMember) {
  WriteFamily();
  ProcessTreeOptions options = Roots({100});
  options.exclude = {101};
  ProcessTree tree(options);
  tree.Sample(0);
  EXPECT_THAT(tree.pids(), ElementsAre(100, 102, 103, 104));
  WriteProcess(proc_, {.pid = 101, .parent = 100, .start_ticks = 1001});
  tree.Sample(1);
  EXPECT_THAT(tree.pids(), ElementsAre(100, 101, 102, 103, 104));
}

TEST_F(ProcessTreeTest, AProgramIsKnownByTheNameItHasAfterExec) {
  FakeProcess process{.pid = 200,
                      .comm = "guardian",
                      .threads = {{.tid = 200, .name = "guardian"}}};
  WriteProcess(proc_, process);
  ProcessTree tree(Roots({200}));
  tree.Sample(0);
  process.comm = "program";
  WriteProcess(proc_, process);
  EXPECT_FALSE(tree.Sample(1).detail_is_new);
  EXPECT_EQ(tree.Threads().at(0).name, "program");
}

TEST_F(ProcessTreeTest, SlowPartRunsWhenItsClockSaysSo) {
  WriteFamily();
  ProcessTreeOptions options = Roots({100});
  options.slow_interval_ns = 1000;
  options.most_slow_share_of_time = 1e9;  // never stretched
  ProcessTree tree(options);
  EXPECT_TRUE(tree.Sample(0).detail_is_new);
  EXPECT_FALSE(tree.Sample(999).detail_is_new);
  EXPECT_TRUE(tree.Sample(1000).detail_is_new);
  EXPECT_TRUE(tree.SampleAll(1001).detail_is_new);
}

TEST_F(ProcessTreeTest, ExpensiveSlowPartsComeLessOften) {
  WriteFamily();
  ProcessTreeOptions options = Roots({100});
  options.slow_interval_ns = 1;
  options.most_slow_share_of_time = 1e-9;  // one microsecond buys 1000 s
  ProcessTree tree(options);
  EXPECT_TRUE(tree.Sample(0).detail_is_new);
  EXPECT_FALSE(tree.Sample(kNsPerSecond).detail_is_new);
}

TEST_F(ProcessTreeTest, MissingIoAccountIsUnknownNotZero) {
  WriteProcess(proc_, {.pid = 200, .read_bytes = 1});
  proc_.Remove("200/io");
  ProcessTree tree(Roots({200}));
  tree.SampleAll(0);
  EXPECT_EQ(tree.detail().read_bytes, std::nullopt);
  ASSERT_THAT(tree.unavailable(), SizeIs(1));
  EXPECT_EQ(tree.unavailable()[0].what, "block I/O");
}

TEST_F(ProcessTreeTest, ManyShortLivedProcessesLeaveNothingOpen) {
  WriteProcess(proc_, {.pid = 200});
  ProcessTreeOptions options = Roots({200});
  options.most_open_files = 0;
  ProcessTree tree(options);
  for (int i = 0; i < 40; ++i) {
    const int pid = 1000 + i;
    WriteProcess(proc_,
                 {.pid = 200,
                  .threads = {{.tid = 200, .children = std::to_string(pid)}}});
    WriteProcess(proc_, {.pid = pid, .parent = 200, .user_ticks = 1});
    tree.Sample(i);
    proc_.Remove(std::to_string(pid));
  }
  const TreeSample sample = tree.SampleAll(40);
  EXPECT_EQ(sample.use.cpu_ns, 40 * kTickNs);
  EXPECT_EQ(sample.processes, 1);
}

}  // namespace
}  // namespace edgewise

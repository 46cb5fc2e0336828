#include "scheduling/partition.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "random_tasks.h"

namespace edgewise::scheduling {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const CoreTest& Edf() {
  static const CoreTest test = EdfTest({});
  return test;
}

Platform Cores(int count) {
  Platform platform;
  platform.cores.resize(static_cast<size_t>(count));
  std::iota(platform.cores.begin(), platform.cores.end(), 0);
  return platform;
}

// Loads in tenths of a core.
std::vector<Task> Tenths(const std::vector<int64_t>& loads) {
  std::vector<Cdt> rows;
  for (const int64_t load : loads) rows.push_back({load, 10, 10});
  return Tasks(rows);
}

// What each core holds, in tenths.
std::vector<std::vector<int64_t>> Bins(const std::vector<Task>& tasks,
                                       const Partition& partition, int cores) {
  std::vector<std::vector<int64_t>> bins(static_cast<size_t>(cores));
  for (size_t i = 0; i < tasks.size(); ++i) {
    for (const int core : partition.cores_of[i]) {
      bins[static_cast<size_t>(core)].push_back(tasks[i].wcet_ns);
    }
  }
  return bins;
}

TEST(PartitionTest, FirstFitInTheOrderGiven) {
  const auto tasks = Tenths({8, 5, 7, 6, 2, 4, 1});
  const auto partition = MakePartition(
      tasks, Cores(4), Edf(), {.fits = {Fit::kFirst}, .decreasing = false});
  ASSERT_EQ(partition->outcome, PartitionOutcome::kFound);
  EXPECT_THAT(Bins(tasks, *partition, 4),
              ElementsAre(ElementsAre(8, 2), ElementsAre(5, 4, 1),
                          ElementsAre(7), ElementsAre(6)));
  EXPECT_EQ(partition->statement, "First fit found a partition onto 4 cores.");
}

TEST(PartitionTest, BestFitFillsAndWorstFitSpreads) {
  const auto tasks = Tenths({5, 4, 1});
  const auto best =
      MakePartition(tasks, Cores(2), Edf(), {.fits = {Fit::kBest}});
  EXPECT_THAT(Bins(tasks, *best, 2),
              ElementsAre(ElementsAre(5, 4, 1), ElementsAre()));
  const auto worst =
      MakePartition(tasks, Cores(2), Edf(), {.fits = {Fit::kWorst}});
  EXPECT_THAT(Bins(tasks, *worst, 2),
              ElementsAre(ElementsAre(5), ElementsAre(4, 1)));
}

// 5 + 3 + 2 and 4 + 2 + 2 + 2; every rule puts the 3 beside the 4.
TEST(PartitionTest, TheSearchFindsWhatHeuristicsMiss) {
  const auto tasks = Tenths({5, 4, 3, 2, 2, 2, 2});
  const auto heuristics =
      MakePartition(tasks, Cores(2), Edf(), {.search = false});
  EXPECT_EQ(heuristics->outcome, PartitionOutcome::kNone);
  EXPECT_THAT(heuristics->statement, HasSubstr("there may be one"));
  const auto exact = MakePartition(tasks, Cores(2), Edf());
  ASSERT_EQ(exact->outcome, PartitionOutcome::kFound);
  for (const auto& bin : Bins(tasks, *exact, 2)) {
    EXPECT_EQ(std::accumulate(bin.begin(), bin.end(), int64_t{0}), 10);
  }
}

TEST(PartitionTest, NoneIsProven) {
  const auto tasks = Tenths({6, 6, 6});
  const auto partition = MakePartition(tasks, Cores(2), Edf());
  EXPECT_EQ(partition->outcome, PartitionOutcome::kNone);
  EXPECT_THAT(partition->statement, HasSubstr("No partition exists: all"));
  const auto loaded = MakePartition(Tenths({9, 9, 9}), Cores(2), Edf());
  EXPECT_THAT(loaded->statement, HasSubstr("load more cores than there are"));
  const auto alone = MakePartition(Tasks({{1, 5, 10}, {6, 50, 50}}), Cores(1),
                                   EdfTest({.preemptive = false}));
  EXPECT_EQ(alone->outcome, PartitionOutcome::kNone);
}

TEST(PartitionTest, ASearchThatIsTooLongIsUndecided) {
  const auto tasks = Tenths({4, 4, 4, 3, 3, 2});
  const auto partition =
      MakePartition(tasks, Cores(2), Edf(), {.fits = {}, .most_nodes = 3});
  EXPECT_EQ(partition->outcome, PartitionOutcome::kUndecided);
  EXPECT_EQ(partition->statement,
            "Whether a partition exists was not decided within 3 nodes.");
}

TEST(PartitionTest, FewestCoresAreProven) {
  const auto tasks = Tenths({5, 4, 4, 3, 2, 2});
  const auto partition = MakePartition(
      tasks, Cores(4), Edf(), {.fits = {Fit::kWorst}, .fewest_cores = true});
  ASSERT_EQ(partition->outcome, PartitionOutcome::kFound);
  EXPECT_TRUE(partition->proven_fewest);
  EXPECT_THAT(Bins(tasks, *partition, 4)[2], ElementsAre());
  EXPECT_THAT(partition->statement, HasSubstr("No partition uses fewer"));
}

TEST(PartitionTest, AffinityMemoryAndWholeCoresAreRespected) {
  auto tasks = Tenths({3, 3, 3, 9});
  tasks[0].cores = {3};
  tasks[1].memory_bytes = 60;
  tasks[2].memory_bytes = 60;
  tasks[3].whole_cores = 2;
  Platform platform = Cores(4);
  platform.memory = {{{0}, 100}, {{1, 2, 3}, 100}};
  const auto partition = MakePartition(tasks, platform, Edf());
  ASSERT_EQ(partition->outcome, PartitionOutcome::kFound)
      << partition->statement;
  EXPECT_THAT(partition->cores_of[0], ElementsAre(3));
  EXPECT_NE(partition->cores_of[1] == partition->cores_of[2], true);
  EXPECT_THAT(partition->cores_of[3], ElementsAre(1, 2));
  platform.memory[1].memory_bytes = 50;
  EXPECT_EQ(MakePartition(tasks, platform, Edf())->outcome,
            PartitionOutcome::kNone);
}

TEST(PartitionTest, BadPlatformsAreRefused) {
  auto tasks = Tenths({3});
  EXPECT_FALSE(MakePartition(tasks, {}, Edf()).ok());
  EXPECT_FALSE(MakePartition(tasks, {{0, 0}, {}}, Edf()).ok());
  EXPECT_FALSE(MakePartition(tasks, {{0}, {{{0}, 1}, {{0}, 1}}}, Edf()).ok());
  tasks[0].cores = {7};
  EXPECT_EQ(MakePartition(tasks, Cores(2), Edf()).error().message,
            "Task \"t0\" may run on 7 only, but the cores are 0-1; allow it "
            "one of them.");
  EXPECT_EQ(
      MakePartition({}, Cores(2), Edf(), {.fits = {}, .fewest_cores = true})
          ->outcome,
      PartitionOutcome::kFound);
}

// Whether the cores given to each task are a partition.
bool IsValid(const std::vector<Task>& tasks, const Platform& platform,
             const CoreTest& test,
             const std::vector<std::vector<int>>& cores_of) {
  std::vector<int64_t> memory;
  for (const MemoryGroup& group : platform.memory) {
    int64_t used = 0;
    for (size_t i = 0; i < tasks.size(); ++i) {
      if (std::ranges::any_of(cores_of[i], [&](int core) {
            return std::ranges::count(group.cores, core) > 0;
          })) {
        used += tasks[i].memory_bytes;
      }
    }
    if (used > group.memory_bytes) return false;
  }
  for (const int core : platform.cores) {
    std::vector<Task> here;
    bool whole = false;
    for (size_t i = 0; i < tasks.size(); ++i) {
      if (std::ranges::count(cores_of[i], core) == 0) continue;
      if (!tasks[i].cores.empty() &&
          std::ranges::count(tasks[i].cores, core) == 0) {
        return false;
      }
      here.push_back(tasks[i]);
      whole = whole || tasks[i].whole_cores > 0;
    }
    if ((whole && here.size() > 1) || !*test(here)) return false;
  }
  for (size_t i = 0; i < tasks.size(); ++i) {
    const int needed = std::max(1, tasks[i].whole_cores);
    if (static_cast<int>(cores_of[i].size()) != needed) return false;
  }
  return true;
}

// The fewest cores of any partition, by trying every set of cores for every
// task; nullopt if there is none.
std::optional<size_t> FewestByEnumeration(const std::vector<Task>& tasks,
                                          const Platform& platform,
                                          const CoreTest& test) {
  const size_t cores = platform.cores.size();
  const size_t sets = size_t{1} << cores;
  std::optional<size_t> fewest;
  size_t combinations = 1;
  for (size_t i = 0; i < tasks.size(); ++i) combinations *= sets;
  for (size_t code = 0; code < combinations; ++code) {
    std::vector<std::vector<int>> cores_of(tasks.size());
    size_t rest = code;
    size_t used = 0;
    bool counts = true;
    for (size_t i = 0; i < tasks.size(); ++i, rest /= sets) {
      const size_t set = rest % sets;
      used |= set;
      for (size_t core = 0; core < cores; ++core) {
        if ((set >> core) & 1) cores_of[i].push_back(static_cast<int>(core));
      }
      counts = counts && static_cast<int>(cores_of[i].size()) ==
                             std::max(1, tasks[i].whole_cores);
    }
    const size_t count = static_cast<size_t>(__builtin_popcountll(used));
    if (!counts || (fewest && *fewest <= count)) continue;
    if (IsValid(tasks, platform, test, cores_of)) fewest = count;
  }
  return fewest;
}

TEST(PartitionTest, TheSearchAgreesWithEnumeration) {
  stats::Random random(21);
  const std::vector<CoreTest> tests = {
      EdfTest({}), EdfTest({.preemptive = false}), PriorityTest({})};
  int found = 0;
  int none = 0;
  for (int i = 0; i < kManySets / 200; ++i) {
    auto tasks = RandomTasks({.most_tasks = 5,
                              .least_load = 1.2,
                              .most_load = 2.8,
                              .least_tasks = 3},
                             &random);
    for (Task& task : tasks) {
      if (task.wcet_ns + task.jitter_ns > task.deadline_ns) task.jitter_ns = 0;
      if (random.Below(4) == 0) task = tasks[0];
      if (random.Below(5) == 0)
        task.cores = {static_cast<int>(random.Below(3))};
      task.memory_bytes = random.Below(50);
      if (random.Below(10) == 0) task.whole_cores = 1 + random.Below(2);
    }
    for (size_t j = 0; j < tasks.size(); ++j) {
      tasks[j].name = "t" + std::to_string(j);
    }
    Platform platform = Cores(3);
    if (i % 2 == 0) platform.memory = {{{0, 1}, 80}, {{2}, 60}};
    const CoreTest& test = tests[static_cast<size_t>(i) % tests.size()];
    const auto expected = FewestByEnumeration(tasks, platform, test);
    for (const bool fewest_cores : {false, true}) {
      const auto partition = MakePartition(
          tasks, platform, test,
          {.fits = i % 3 == 0 ? std::vector<Fit>()
                              : std::vector<Fit>{Fit::kFirst, Fit::kWorst},
           .fewest_cores = fewest_cores});
      ASSERT_TRUE(partition.ok()) << partition.error().message;
      ASSERT_EQ(partition->outcome == PartitionOutcome::kFound,
                expected.has_value())
          << Show(tasks) << partition->statement;
      (expected ? found : none) += 1;
      if (!expected) continue;
      ASSERT_TRUE(IsValid(tasks, platform, test, partition->cores_of))
          << Show(tasks);
      if (!fewest_cores) continue;
      size_t used = 0;
      for (const auto& cores : partition->cores_of) {
        for (const int core : cores) used |= size_t{1} << core;
      }
      ASSERT_EQ(static_cast<size_t>(__builtin_popcountll(used)), *expected)
          << Show(tasks);
      ASSERT_TRUE(partition->proven_fewest);
    }
  }
  EXPECT_GT(found, kManySets / 1000);
  EXPECT_GT(none, kManySets / 1000);
}

}  // namespace
}  // namespace edgewise::scheduling

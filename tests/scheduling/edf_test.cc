#include "scheduling/edf.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "random_tasks.h"
#include "scheduling/simulate.h"

namespace edgewise::scheduling {
namespace {

constexpr EdfRules kNonPreemptive{.preemptive = false};

// The definition: demand at each nanosecond, far enough that it repeats.
std::optional<Witness> FirstWitnessByHand(const std::vector<Task>& tasks,
                                          const EdfRules& rules) {
  int64_t until = 0;
  for (const Task& task : tasks) until = std::max(until, task.deadline_ns);
  until += 2 * Hyperperiod(tasks) * rules.supply.period_ns +
           rules.supply.blackout_ns;
  // Too much load fails some day.
  for (int64_t t = 0; t <= until || IsOverloaded(tasks); ++t) {
    int64_t demand = 0;
    int64_t blocking = 0;
    for (const Task& task : tasks) {
      const int64_t deadline = task.deadline_ns - task.jitter_ns;
      if (deadline <= t) {
        demand += ((t - deadline) / task.period_ns + 1) * task.wcet_ns;
      } else if (!rules.preemptive) {
        blocking = std::max(blocking, task.wcet_ns - 1);
      }
    }
    if (demand == 0) continue;
    if (demand + blocking > rules.supply.At(t)) {
      return Witness{t, demand + blocking, rules.supply.At(t)};
    }
  }
  return std::nullopt;
}

TEST(EdfTest, NoTasksAreSchedulable) {
  EXPECT_TRUE(AnalyseEdf({})->schedulable);
  EXPECT_TRUE(*IsEdfSchedulable({}, kNonPreemptive));
}

TEST(EdfTest, OneTaskMayUseTheWholeCore) {
  EXPECT_TRUE(AnalyseEdf(Tasks({{10, 10, 10}}))->schedulable);
  EXPECT_TRUE(*IsEdfSchedulable(Tasks({{10, 10, 10}}), kNonPreemptive));
}

TEST(EdfTest, ATaskLongerThanItsDeadlineFailsThere) {
  const auto verdict = AnalyseEdf(Tasks({{6, 5, 10}}));
  EXPECT_FALSE(verdict->schedulable);
  EXPECT_EQ(verdict->witness, (Witness{5, 6, 5}));
}

TEST(EdfTest, DensityAboveOneMayBeSchedulable) {
  EXPECT_TRUE(AnalyseEdf(Tasks({{50, 50, 100}, {10, 100, 100}}))->schedulable);
}

TEST(EdfTest, FirstFailingWindowIsTheWitness) {
  // 2 at 2, 3 more at 4: 5 of work within 4.
  const auto verdict = AnalyseEdf(Tasks({{2, 2, 10}, {3, 4, 10}}));
  EXPECT_FALSE(verdict->schedulable);
  EXPECT_EQ(verdict->witness, (Witness{4, 5, 4}));
  EXPECT_EQ(
      Explain({12'000'000, 13'000'000, 12'000'000}),
      "Within some 12 ms, 13 ms of work must be done, and the core does 12 "
      "ms.");
}

TEST(EdfTest, ExactlyFullIsTakenExactly) {
  // Thirds have no end in binary.
  const int64_t third = 1'000'000'000'000'000'000 / 3;
  const auto full =
      Tasks({{third, 3 * third, 3 * third}, {2 * third, 3 * third, 3 * third}});
  EXPECT_TRUE(AnalyseEdf(full)->schedulable);
  auto over = full;
  ++over[0].wcet_ns;
  EXPECT_FALSE(AnalyseEdf(over)->schedulable);
  EXPECT_TRUE(
      AnalyseEdf(Tasks({{1, 2, 2}, {1, 3, 3}, {1, 6, 6}}))->schedulable);
  EXPECT_FALSE(
      AnalyseEdf(Tasks({{1, 2, 2}, {1, 3, 3}, {2, 6, 6}}))->schedulable);
}

TEST(EdfTest, ABlockingJobMakesItLateWithoutPreemption) {
  const auto tasks = Tasks({{1, 5, 10}, {6, 50, 50}});
  EXPECT_TRUE(AnalyseEdf(tasks)->schedulable);
  const auto verdict = AnalyseEdf(tasks, kNonPreemptive);
  EXPECT_FALSE(verdict->schedulable);
  EXPECT_EQ(verdict->witness, (Witness{5, 6, 5}));
  // One tick less: it started before, so one tick of it is over.
  EXPECT_TRUE(AnalyseEdf(Tasks({{1, 5, 10}, {5, 50, 50}}), kNonPreemptive)
                  ->schedulable);
}

TEST(EdfTest, JitterBeyondTheDeadlineFailsAtOnce) {
  const auto verdict = AnalyseEdf(Tasks({{1, 5, 10, 5}}));
  EXPECT_FALSE(verdict->schedulable);
  EXPECT_EQ(verdict->witness, (Witness{0, 1, 0}));
}

TEST(EdfTest, HugeTimesAreAnswersOrErrors) {
  const int64_t huge = kLongestNs;
  EXPECT_TRUE(AnalyseEdf(Tasks({{1, huge, huge}}))->schedulable);
  EXPECT_TRUE(AnalyseEdf(Tasks({{huge, huge, huge}}))->schedulable);
  EXPECT_FALSE(AnalyseEdf(Tasks({{huge, huge, huge}, {1, 1, 1}}))->schedulable);
  const auto crowd = Tasks({{huge / 2, huge, huge - 1},
                            {huge / 8, huge, huge - 3},
                            {huge / 8, huge / 4, huge - 5},
                            {huge / 8, huge / 5, huge - 7, huge / 100}});
  for (const bool preemptive : {true, false}) {
    const auto verdict = AnalyseEdf(crowd, {preemptive, {}});
    if (!verdict.ok()) {
      EXPECT_EQ(verdict.error().code, ErrorCode::kInvalid);
    }
  }
  // Three deadlines of 2^62 add up to more than 64 bits hold.
  const auto late =
      AnalyseEdf(Tasks({{huge, 1, huge}, {huge, 1, huge}, {huge, 1, huge}}));
  EXPECT_TRUE(!late.ok() || !late->schedulable);
}

TEST(EdfTest, FullLoadOfUnrelatedPeriodsIsDecided) {
  const int64_t a = 1'000'000'007;
  const int64_t b = 998'244'353;
  const auto tasks = Tasks(
      {{a / 2, a, a}, {b / 2, b, b}, {1, 2 * a, 2 * a}, {1, 2 * b, 2 * b}});
  EXPECT_TRUE(AnalyseEdf(tasks)->schedulable);
  auto over = tasks;
  over[3].wcet_ns = 2;
  const auto verdict = AnalyseEdf(over);
  ASSERT_TRUE(verdict.ok());
  EXPECT_FALSE(verdict->schedulable);
}

TEST(EdfTest, BadTimesAreRefused) {
  EXPECT_FALSE(AnalyseEdf(Tasks({{0, 1, 1}})).ok());
  EXPECT_FALSE(AnalyseEdf(Tasks({{1, 0, 1}})).ok());
  EXPECT_FALSE(AnalyseEdf(Tasks({{1, 1, 0}})).ok());
  EXPECT_FALSE(AnalyseEdf(Tasks({{1, 1, 1, -1}})).ok());
  EXPECT_FALSE(AnalyseEdf(Tasks({{1, 1, kLongestNs + 1}})).ok());
}

TEST(EdfTest, AgreesWithTheDefinitionOnRandomSets) {
  stats::Random random(1);
  int schedulable = 0;
  for (int i = 0; i < kManySets; ++i) {
    const auto tasks =
        RandomTasks({.most_period = 8, .jitter = i % 3 == 0}, &random);
    for (const bool preemptive : {true, false}) {
      const EdfRules rules{preemptive, {}};
      const auto verdict = AnalyseEdf(tasks, rules);
      const auto expected = FirstWitnessByHand(tasks, rules);
      ASSERT_TRUE(verdict.ok()) << Show(tasks);
      ASSERT_EQ(verdict->schedulable, !expected) << Show(tasks) << preemptive;
      ASSERT_EQ(verdict->witness, expected) << Show(tasks) << preemptive;
      ASSERT_EQ(*IsEdfSchedulable(tasks, rules), !expected) << Show(tasks);
      schedulable += !expected;
    }
  }
  EXPECT_GT(schedulable, kManySets / 10);
  EXPECT_LT(schedulable, kManySets * 19 / 10);
}

TEST(EdfTest, AMissAtTheWitnessHappensWhenAllAreReleasedTogether) {
  stats::Random random(2);
  int missed = 0;
  for (int i = 0; i < kManySets; ++i) {
    const auto tasks = RandomTasks({.most_load = 1.2}, &random);
    const auto verdict = AnalyseEdf(tasks);
    ASSERT_TRUE(verdict.ok());
    const auto simulation = Simulate(
        tasks, {.until_ns = verdict->schedulable
                                ? std::min<int64_t>(Hyperperiod(tasks), 500)
                                : verdict->witness->t_ns,
                .most_slices = 0});
    ASSERT_EQ(simulation->missed > 0, !verdict->schedulable) << Show(tasks);
    if (verdict->schedulable) continue;
    ++missed;
    ASSERT_EQ(simulation->first_missed->deadline_ns, verdict->witness->t_ns)
        << Show(tasks);
  }
  EXPECT_GT(missed, kManySets / 10);
}

// The job that blocks starts at 0, one tick before the others are released.
TEST(EdfTest, AMissAtTheWitnessHappensBehindTheBlockingJob) {
  stats::Random random(3);
  int missed = 0;
  for (int i = 0; i < kManySets; ++i) {
    const auto tasks = RandomTasks({.most_load = 1.1}, &random);
    const auto verdict = AnalyseEdf(tasks, kNonPreemptive);
    ASSERT_TRUE(verdict.ok());
    if (verdict->schedulable) continue;
    ++missed;
    const int64_t t = verdict->witness->t_ns;
    std::optional<size_t> blocker;
    for (size_t j = 0; j < tasks.size(); ++j) {
      if (tasks[j].deadline_ns > t &&
          (!blocker || tasks[j].wcet_ns > tasks[*blocker].wcet_ns)) {
        blocker = j;
      }
    }
    const auto jobs = [&](size_t task, int64_t job) -> SimulatedJob {
      const bool due = tasks[task].deadline_ns <= t;
      const int64_t start = due ? 1 : task == blocker ? 0 : 10'000;
      return {start + job * tasks[task].period_ns, 0, tasks[task].wcet_ns};
    };
    const auto simulation =
        Simulate(tasks, {.policy = Policy::kNonPreemptiveEdf,
                         .until_ns = t + 1,
                         .jobs = jobs,
                         .most_slices = 0});
    ASSERT_GT(simulation->missed, 0) << Show(tasks) << t;
  }
  EXPECT_GT(missed, kManySets / 10);
}

TEST(EdfTest, NoHistoryMissesADeadlineThatWasProven) {
  stats::Random random(4);
  int proven = 0;
  for (int i = 0; i < kManySets; ++i) {
    const auto tasks =
        RandomTasks({.most_load = 1, .jitter = i % 2 == 0}, &random);
    for (const bool preemptive : {true, false}) {
      if (!*IsEdfSchedulable(tasks, {preemptive, {}})) continue;
      ++proven;
      const auto simulation = Simulate(
          tasks,
          {.policy = preemptive ? Policy::kEdf : Policy::kNonPreemptiveEdf,
           .until_ns = 200,
           .jobs = RandomHistory(tasks, random.Next()),
           .most_slices = 0});
      ASSERT_EQ(simulation->missed, 0) << Show(tasks) << preemptive;
    }
  }
  EXPECT_GT(proven, kManySets / 4);
}

}  // namespace
}  // namespace edgewise::scheduling

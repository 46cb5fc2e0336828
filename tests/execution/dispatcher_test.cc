#include "execution/dispatcher.h"

#include <gtest/gtest.h>

#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "fake_program.h"

namespace edgewise {
namespace {

DispatchedTask Task(uint32_t index, int64_t period_ms, int64_t deadline_ms,
                    Executor executor = Executor::kEdf) {
  DispatchedTask task;
  task.index = index;
  task.plan.name = "task" + std::to_string(index);
  task.plan.executor = executor;
  task.plan.period_ns = period_ms * kNsPerMs;
  task.plan.deadline_ns = deadline_ms * kNsPerMs;
  task.plan.wcet_ns = 1;
  return task;
}

DispatchTimes For(int64_t duration_ms, int64_t watchdog_ms = 60'000) {
  const int64_t start_ns = MonotonicNs() + kNsPerMs;
  return {start_ns, start_ns + duration_ms * kNsPerMs, watchdog_ms * kNsPerMs};
}

class DispatcherTest : public testing::Test {
 protected:
  // A program that notes the start of each of its jobs.
  void AddProgram(uint32_t slot, std::function<bool(uint32_t)> job) {
    programs_.push_back(std::make_unique<FakeProgram>(
        file_, slot, [this, slot, job](uint32_t number) {
          {
            const std::lock_guard lock(mutex_);
            order_.push_back(slot);
            EXPECT_EQ(++running_, 1) << "no two at once";
          }
          const bool ended = job(number);
          const std::lock_guard lock(mutex_);
          --running_;
          return ended;
        }));
  }
  std::vector<JobRecord> Drain(Dispatcher& dispatcher) {
    std::vector<JobRecord> jobs;
    dispatcher.jobs().Drain(
        [&jobs](const JobRecord& job) { jobs.push_back(job); });
    return jobs;
  }

  ReleaseFile file_ = std::move(*ReleaseFile::Create(3));
  std::mutex mutex_;
  std::vector<uint32_t> order_;
  int running_ = 0;
  std::vector<std::unique_ptr<FakeProgram>> programs_;
};

bool Instantly(uint32_t) { return true; }

TEST_F(DispatcherTest, JobsReadyTogetherRunByDeadlineOneAtATime) {
  for (uint32_t slot = 0; slot < 3; ++slot) {
    AddProgram(slot, Instantly);
  }
  // All are released at the start and never again.
  Dispatcher dispatcher(
      file_, {Task(0, 500, 300), Task(1, 500, 100), Task(2, 500, 200)},
      For(400));
  dispatcher.Run();
  EXPECT_EQ(order_, (std::vector<uint32_t>{1, 2, 0}));
  const auto jobs = Drain(dispatcher);
  ASSERT_EQ(jobs.size(), 3u);
  EXPECT_EQ(jobs[0].task, 1u);
  for (const JobRecord& job : jobs) {
    EXPECT_EQ(job.number, 1u);
    EXPECT_GE(job.start_ns, job.release_ns);
    EXPECT_GE(job.end_ns, job.start_ns);
  }
}

TEST_F(DispatcherTest, EveryReleaseHasItsJobAtItsOwnTime) {
  AddProgram(0, Instantly);
  const DispatchTimes times = For(100);
  Dispatcher dispatcher(file_, {Task(0, 5, 5)}, times);
  dispatcher.Run();
  const auto jobs = Drain(dispatcher);
  const DispatchAccount account = dispatcher.AccountOf(0);
  // A machine that has no time may not start the last ones.
  EXPECT_EQ(static_cast<int64_t>(jobs.size()) + account.unstarted, 20);
  for (size_t i = 0; i < jobs.size(); ++i) {
    EXPECT_EQ(jobs[i].number, i + 1);
    EXPECT_EQ(jobs[i].release_ns,
              times.start_ns + static_cast<int64_t>(i) * 5 * kNsPerMs);
  }
}

TEST_F(DispatcherTest, AJobThatHangsIsFoundOut) {
  AddProgram(0, Instantly);
  AddProgram(1, [](uint32_t) { return false; });
  Dispatcher dispatcher(file_, {Task(0, 5, 5), Task(7, 10, 10)},
                        For(60'000, 50));
  dispatcher.Run();
  EXPECT_EQ(dispatcher.hung_task(), 7u);
  EXPECT_TRUE(dispatcher.gave_up());
  EXPECT_EQ(dispatcher.AccountOf(1).running, 1);
}

TEST_F(DispatcherTest, StopEndsItFromAnotherThread) {
  AddProgram(0, Instantly);
  Dispatcher dispatcher(file_, {Task(0, 10, 10)}, For(600'000));
  std::thread thread([&dispatcher] { dispatcher.Run(); });
  dispatcher.Stop();
  thread.join();
  EXPECT_EQ(dispatcher.hung_task(), std::nullopt);
}

// The lab's queue takes the earliest deadline of all next jobs, and sleeps
// until that one's release although another is ready.
TEST_F(DispatcherTest, TheLabsWayWaitsForTheEarliestDeadlineEvenIfNotReleased) {
  AddProgram(0, Instantly);
  AddProgram(1, Instantly);
  // Task 0's first three jobs have deadlines before the first of task 1.
  Dispatcher naive(file_, {Task(0, 200, 200), Task(1, 1000, 700)}, For(600));
  naive.RunNaively();
  ASSERT_GE(order_.size(), 4u);
  EXPECT_EQ(std::vector<uint32_t>(order_.begin(), order_.begin() + 4),
            (std::vector<uint32_t>{0, 0, 0, 1}));
}

TEST_F(DispatcherTest, ThePlanDoesNot) {
  AddProgram(0, Instantly);
  AddProgram(1, Instantly);
  Dispatcher dispatcher(file_, {Task(0, 200, 200), Task(1, 1000, 700)},
                        For(600));
  dispatcher.Run();
  ASSERT_GE(order_.size(), 2u);
  EXPECT_EQ(order_[0], 0u);
  EXPECT_EQ(order_[1], 1u);
}

}  // namespace
}  // namespace edgewise

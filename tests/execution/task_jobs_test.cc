#include "execution/task_jobs.h"

#include <gtest/gtest.h>

namespace edgewise {
namespace {

PlannedTask Task(int64_t period_ns, int64_t deadline_ns,
                 MissPolicy on_miss = MissPolicy::kFinish) {
  PlannedTask task;
  task.period_ns = period_ns;
  task.deadline_ns = deadline_ns;
  task.on_miss = on_miss;
  return task;
}

TEST(TaskJobsTest, ReleasesAreAtMultiplesOfThePeriodWhateverJobsTake) {
  TaskJobs jobs(Task(10, 10), 100, 200);
  EXPECT_EQ(jobs.Ready(99), std::nullopt);
  EXPECT_EQ(jobs.NextReleaseNs(99), 100);
  EXPECT_EQ(jobs.Ready(100), 0);
  EXPECT_EQ(jobs.NextReleaseNs(100), 110);
  jobs.Begin();
  EXPECT_EQ(jobs.Ready(125), std::nullopt);  // one runs
  jobs.End(125);
  EXPECT_EQ(jobs.Ready(125), 1);
  EXPECT_EQ(jobs.ReleaseOf(1), 110);
  EXPECT_EQ(jobs.DeadlineOf(1), 120);
  EXPECT_EQ(jobs.NextReleaseNs(125), 130);
}

TEST(TaskJobsTest, NothingIsReleasedFromTheEndOn) {
  TaskJobs jobs(Task(10, 10), 100, 120);
  for (int job = 0; job < 2; ++job) {
    EXPECT_EQ(jobs.Ready(1000), job);
    jobs.Begin();
    jobs.End(1000);
  }
  EXPECT_EQ(jobs.Ready(1000), std::nullopt);
  EXPECT_EQ(jobs.Upcoming(), std::nullopt);
  EXPECT_EQ(jobs.NextReleaseNs(115), std::nullopt);
}

TEST(TaskJobsTest, ALateJobTakesMissedReleasesWithItOnlyIfAskedTo) {
  TaskJobs finish(Task(10, 10), 0, 1000);
  TaskJobs skip(Task(10, 10, MissPolicy::kSkip), 0, 1000);
  for (TaskJobs* jobs : {&finish, &skip}) {
    jobs->Begin();
    jobs->End(35);
  }
  EXPECT_EQ(finish.Ready(35), 1);
  EXPECT_EQ(finish.skipped(), 0);
  EXPECT_EQ(skip.Ready(35), std::nullopt);
  EXPECT_EQ(skip.skipped(), 3);  // releases at 10, 20 and 30
  EXPECT_EQ(skip.Ready(40), 4);
}

TEST(TaskJobsTest, AJobInTimeSkipsNothing) {
  TaskJobs jobs(Task(10, 30, MissPolicy::kSkip), 0, 1000);
  jobs.Begin();
  jobs.End(25);
  EXPECT_EQ(jobs.skipped(), 0);
  EXPECT_EQ(jobs.Ready(25), 1);
}

TEST(TaskJobsTest, JobsThatNeverBeganCountAsOverdueOnceTheirDeadlinePassed) {
  TaskJobs jobs(Task(10, 15), 0, 40);
  EXPECT_EQ(jobs.Overdue(14), 0);
  EXPECT_EQ(jobs.Overdue(15), 1);
  EXPECT_EQ(jobs.Overdue(25), 2);
  EXPECT_EQ(jobs.Overdue(1000), 4);
  jobs.Begin();
  EXPECT_EQ(jobs.Overdue(25), 1);  // the running one is not overdue
}

}  // namespace
}  // namespace edgewise

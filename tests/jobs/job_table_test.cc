#include "jobs/job_table.h"

#include <gtest/gtest.h>

#include "store/temp_home.h"

namespace edgewise {
namespace {

AppJob AJob(const std::string& id, bool retry = false) {
  AppJob job;
  job.id = id;
  job.name = "app";
  job.retry = retry;
  job.submitted_utc_ns = 1;
  return job;
}

class JobTableTest : public ::testing::Test {
 protected:
  JobTable Open() {
    auto table = JobTable::Open(home_.path() / "jobs");
    EXPECT_TRUE(table) << (table ? "" : table.error().message);
    return std::move(*table);
  }
  TempHome home_;
};

TEST_F(JobTableTest, QueueKeepsItsOrderOverARestart) {
  {
    JobTable table = Open();
    ASSERT_TRUE(table.Add(AJob("a"), "name: a"));
    ASSERT_TRUE(table.Add(AJob("b"), "name: b"));
  }
  JobTable table = Open();
  EXPECT_EQ((*table.NextQueued())->id, "a");
  EXPECT_EQ(*table.Count(JobState::kQueued), 2);
  EXPECT_EQ(**table.AppFileOf("b"), "name: b");
  EXPECT_FALSE(*table.AppFileOf("c"));
}

TEST_F(JobTableTest, RunningJobsAreInterruptedOrRetriedAfterTheServerDied) {
  {
    JobTable table = Open();
    for (AppJob job : {AJob("once"), AJob("again", true)}) {
      ASSERT_TRUE(table.Add(job, ""));
      job.state = JobState::kRunning;
      job.started_utc_ns = 2;
      ASSERT_TRUE(table.Update(job));
    }
  }
  JobTable table = Open();
  const auto once = **table.Find("once");
  EXPECT_EQ(once.state, JobState::kInterrupted);
  EXPECT_EQ(once.interruptions, 1);
  EXPECT_TRUE(once.ended_utc_ns);
  const auto again = **table.Find("again");
  EXPECT_EQ(again.state, JobState::kQueued);
  EXPECT_EQ(again.interruptions, 1);
}

TEST_F(JobTableTest, JobThatKillsItsServerIsNotRetriedForEver) {
  AppJob job = AJob("bad", true);
  for (int i = 1; i < kMostInterruptions; ++i) {
    Interrupt(job, 5);
    EXPECT_EQ(job.state, JobState::kQueued);
  }
  Interrupt(job, 5);
  EXPECT_EQ(job.state, JobState::kInterrupted);
}

TEST_F(JobTableTest, OneProcessHoldsItAtATime) {
  const JobTable table = Open();
  const auto second = JobTable::Open(home_.path() / "jobs");
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::kBusy);
}

TEST_F(JobTableTest, OldJobsGoWaitingOnesStay) {
  JobTable table = Open();
  for (const char* id : {"1", "2", "3"}) {
    AppJob job = AJob(id);
    ASSERT_TRUE(table.Add(job, ""));
    job.state = JobState::kDone;
    job.exit_code = 0;
    job.runs = {"r1", "r2"};
    ASSERT_TRUE(table.Update(job));
  }
  ASSERT_TRUE(table.Add(AJob("4"), ""));
  EXPECT_EQ(*table.Prune(1), (std::vector<std::string>{"2", "1"}));
  const auto left = table.List({});
  ASSERT_EQ(left->size(), 2u);
  EXPECT_EQ(left->at(0).id, "4");
  EXPECT_EQ(left->at(1).runs, (std::vector<std::string>{"r1", "r2"}));
}

}  // namespace
}  // namespace edgewise

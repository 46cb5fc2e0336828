#include "jobs/remote_jobs.h"

#include <gtest/gtest.h>

namespace edgewise {
namespace {

TEST(RemoteJobsTest, ReadsAJob) {
  const auto job = JobFromJson(
      R"({"id": "0123456789ab", "name": "a", "state": "failed", "retry": true,
          "interruptions": 1, "submitted": "2026-11-16T01:00:00Z",
          "started": null, "ended": null, "exit_code": 3, "reason": "why",
          "runs": ["r"]})");
  ASSERT_TRUE(job);
  EXPECT_EQ(job->state, JobState::kFailed);
  EXPECT_EQ(job->exit_code, 3);
  EXPECT_TRUE(job->retry);
  EXPECT_FALSE(job->started_utc_ns);
  EXPECT_EQ(job->runs, std::vector<std::string>{"r"});
}

TEST(RemoteJobsTest, OtherAnswersAreNoJobs) {
  for (const char* bad : {"", "[]", "{}", "{\"id\": 3, \"state\": \"done\"}",
                          "{\"id\": \"x\", \"state\": \"odd\"}", "<html>"}) {
    const auto job = JobFromJson(bad);
    ASSERT_FALSE(job) << bad;
    EXPECT_EQ(job.error().code, ErrorCode::kCorrupt);
  }
}

TEST(RemoteJobsTest, AddressesNeedTheirScheme) {
  EXPECT_FALSE(
      RemoteJobs::Open({.url = "node:7001", .token = "", .ca_file = ""}));
}

}  // namespace
}  // namespace edgewise

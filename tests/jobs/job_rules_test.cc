#include "jobs/job_rules.h"

#include <gtest/gtest.h>

namespace edgewise {
namespace {

TEST(JobRulesTest, AreReadFromYaml) {
  const auto rules = ReadJobRules(
      "images: [\"localhost/*\"]\nmounts: [/srv/data, \"/srv/out:rw\"]\n"
      "data: [\"s3://bucket/\"]\ncommands: true\nqueue: 7\nlog: 64KiB\n"
      "slots: [\"0-1\", \"2\"]\nfolder: /srv\n",
      "jobs.yaml");
  ASSERT_TRUE(rules) << rules.error().message;
  EXPECT_EQ(rules->images, std::vector<std::string>{"localhost/*"});
  ASSERT_EQ(rules->mounts.size(), 2u);
  EXPECT_FALSE(rules->mounts[0].writable);
  EXPECT_TRUE(rules->mounts[1].writable);
  EXPECT_EQ(rules->mounts[1].path, "/srv/out");
  EXPECT_TRUE(rules->commands);
  EXPECT_EQ(rules->queue_limit, 7);
  EXPECT_EQ(rules->log_bytes, 65536);
  EXPECT_EQ(rules->slots, (std::vector<std::vector<int>>{{0, 1}, {2}}));
}

TEST(JobRulesTest, NothingIsAllowedByDefault) {
  const JobRules rules;
  EXPECT_TRUE(rules.images.empty());
  EXPECT_TRUE(rules.mounts.empty());
  EXPECT_FALSE(rules.commands);
}

TEST(JobRulesTest, MistakesAreNamed) {
  for (const char* bad :
       {"image: [x]\n", "mounts: [relative]\n", "queue: 0\n", "log: 1GiB\n",
        "slots: [\"0-1\", \"1\"]\n", "slots: [x]\n", "folder: here\n", "3\n"}) {
    EXPECT_FALSE(ReadJobRules(bad, "jobs.yaml")) << bad;
  }
  const auto overlap = ReadJobRules("slots: [\"0-1\", \"1\"]\n", "jobs.yaml");
  ASSERT_FALSE(overlap);
  EXPECT_NE(overlap.error().message.find("two slots"), std::string::npos);
}

}  // namespace
}  // namespace edgewise

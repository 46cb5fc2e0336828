#include "jobs/job_log.h"

#include <gtest/gtest.h>

#include "store/temp_home.h"

namespace edgewise {
namespace {

TEST(JobLogTest, IsCutAtItsLimitWithAWordOnThat) {
  const TempHome home;
  const auto file = home.path() / "log";
  auto log = JobLog::Open(file, 10);
  ASSERT_TRUE(log);
  EXPECT_EQ(log->Write("12345"), "12345");
  const std::string cut = log->Write("67890abc");
  EXPECT_TRUE(cut.starts_with("67890\n"));
  EXPECT_NE(cut.find("log ends here"), std::string::npos);
  EXPECT_EQ(log->Write("more"), "");
  EXPECT_EQ(ReadLogFile(file, 0, 1000), "12345" + cut);
  EXPECT_EQ(ReadLogFile(file, 3, 2), "45");
  EXPECT_EQ(ReadLogFile(file, 100000, 1000), "");
  EXPECT_EQ(ReadLogFile(home.path() / "none", 0, 10), "");
}

TEST(JobLogTest, GoesOnBehindWhatIsThere) {
  const TempHome home;
  const auto file = home.path() / "log";
  ASSERT_TRUE(JobLog::Open(file, 10)->Write("first ") == "first ");
  EXPECT_EQ(JobLog::Open(file, 10)->Write("then"), "then");
  EXPECT_EQ(ReadLogFile(file, 0, 100), "first then");
}

}  // namespace
}  // namespace edgewise

#include "mqtt/work.h"

#include <gtest/gtest.h>

#include <csignal>

#include "base/text.h"

namespace edgewise::mqtt {
namespace {

std::string Driven(const std::vector<std::string>& command) {
  return Join(DrivenCommand(command, 100), " ");
}

TEST(DrivenCommandTest, SamplesBecomePeriodic) {
  EXPECT_EQ(Driven({"build/apps/image"}),
            "build/apps/image --period 10000000ns");
  EXPECT_EQ(Driven({"spin", "--work", "2ms"}),
            "spin --work 2ms --period 10000000ns");
}

TEST(DrivenCommandTest, OthersAndThoseThatSayWhenStayAsTheyAre) {
  EXPECT_EQ(Driven({"./mine", "--x"}), "./mine --x");
  EXPECT_EQ(Driven({"image", "--period", "1s"}), "image --period 1s");
  EXPECT_EQ(Driven({"image", "--rate=5"}), "image --rate=5");
}

TEST(WorkTest, AProcessGetsThePayloadAndItsOutputComesBack) {
  PipelineSettings settings;
  settings.command = {"tr", "a-z", "A-Z"};
  settings.per_message = true;
  RoleControl control(-1);
  const auto work = MakeWork(settings, control);
  ASSERT_TRUE(work->Begin());
  const auto done = work->Do("hello", 0);
  ASSERT_TRUE(done) << done.error().message;
  ASSERT_TRUE(*done);
  EXPECT_EQ((*done)->output, "HELLO");
  EXPECT_LT((*done)->start_ns, (*done)->end_ns);
}

TEST(WorkTest, APayloadLargerThanAPipeGoesThrough) {
  PipelineSettings settings;
  settings.command = {"wc", "-c"};
  settings.per_message = true;
  RoleControl control(-1);
  const auto work = MakeWork(settings, control);
  const auto done = work->Do(std::string(1'000'000, 'x'), 0);
  ASSERT_TRUE(done && *done);
  EXPECT_EQ((*done)->output, "1000000");
}

TEST(WorkTest, AFailureIsOfOneMessageAndAMissingProgramOfAll) {
  // As edgewise does: `false` may be gone before it is given its input.
  std::signal(SIGPIPE, SIG_IGN);
  PipelineSettings settings;
  settings.command = {"false"};
  settings.per_message = true;
  RoleControl control(-1);
  const auto failing = MakeWork(settings, control)->Do("x", 0);
  ASSERT_TRUE(failing);
  EXPECT_FALSE(*failing);
  settings.command = {"/no/such/program"};
  const auto missing = MakeWork(settings, control)->Do("x", 0);
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("/no/such/program"),
            std::string::npos);
}

}  // namespace
}  // namespace edgewise::mqtt

#include "profiling/companion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <stdlib.h>

#include "../probes/fake_tree.h"
#include "base/clock.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class CompanionTest : public ::testing::Test {
 protected:
  CompanionTest() {
    place_.home = tree_.root();
    place_.folder = place_.home;
    companion_.name = "playback";
  }

  void Shell(const std::string& script) {
    companion_.command = {"/bin/sh", "-c", script};
  }

  FakeTree tree_;
  RunningCompanion::Place place_;
  Companion companion_;
};

TEST_F(CompanionTest, IsReadyWhenItSaysSoAndIsEndedWithItsOwner) {
  Shell("echo $$ > pid; echo up; exec sleep 1000");
  companion_.ready.emplace();
  companion_.ready->log = "up";
  auto running = RunningCompanion::Start(companion_, place_);
  ASSERT_TRUE(running) << running.error().message;
  EXPECT_FALSE((*running)->Problem());
  (*running)->CountFromNow();
  EXPECT_TRUE(fs::exists(place_.folder / "pid"));
  *running = nullptr;
  EXPECT_TRUE(fs::is_empty(place_.home / "sessions"));
}

TEST_F(CompanionTest, OneThatDiesBeforeItIsReadyIsToldWithItsOutput) {
  Shell("echo no camera >&2; exit 3");
  companion_.ready.emplace();
  companion_.ready->file = "/nowhere";
  const auto running = RunningCompanion::Start(companion_, place_);
  ASSERT_FALSE(running);
  EXPECT_EQ(running.error().message,
            "the companion playback ended before it was ready (exit code 3); "
            "its output ends with: no camera");
}

TEST_F(CompanionTest, OneThatNeverGetsReadyIsGivenUp) {
  Shell("exec sleep 1000");
  companion_.ready.emplace();
  companion_.ready->port = 1;
  companion_.ready->within_ns = kNsPerSecond / 20;
  const auto running = RunningCompanion::Start(companion_, place_);
  ASSERT_FALSE(running);
  EXPECT_THAT(running.error().message,
              HasSubstr("was not ready (port 1) within 50 ms"));
}

TEST_F(CompanionTest, OneThatDiesLaterIsAProblem) {
  Shell("echo up; read line < fifo; exit 4");
  ASSERT_EQ(::system(("mkfifo " + (place_.folder / "fifo").string()).c_str()),
            0);
  companion_.ready.emplace();
  companion_.ready->log = "up";
  auto running = RunningCompanion::Start(companion_, place_);
  ASSERT_TRUE(running) << running.error().message;
  EXPECT_FALSE((*running)->Problem());
  ASSERT_EQ(::system(("echo > " + (place_.folder / "fifo").string()).c_str()),
            0);
  std::optional<Error> problem;
  for (int i = 0; i < 10000 && !problem; ++i) {
    ::poll(nullptr, 0, 1);
    problem = (*running)->Problem();
  }
  ASSERT_TRUE(problem);
  EXPECT_THAT(problem->message,
              HasSubstr("ended while the app ran (exit code 4)"));
}

}  // namespace
}  // namespace edgewise

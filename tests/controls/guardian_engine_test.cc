// What the guardian does for a container engine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "base/text.h"
#include "controls/guardian.h"
#include "session_process.h"
#include "temporary_home.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;

LaunchRequest Shell(const std::string& script) {
  LaunchRequest request;
  request.argv = {"sh", "-c", script};
  request.env = {"PATH=/usr/bin:/bin"};
  request.in_cgroup = false;
  return request;
}

class GuardianEngineTest : public ::testing::Test {
 protected:
  // Of what the last program wrote; empty until then.
  std::string Written() const {
    return TryReadFile(home_.path() / "written").value_or("");
  }
  std::string Write(const std::string& what) const {
    return "echo " + what + " >> " + (home_.path() / "written").string();
  }

  TemporaryHome home_;
};

TEST_F(GuardianEngineTest, TheLastProgramRunsAtTheEnd) {
  auto guardian = Guardian::Start(home_.path(), home_.id());
  ASSERT_TRUE(guardian);
  ASSERT_TRUE(guardian->RunAtEnd(Shell(Write("first"))));
  ASSERT_TRUE(guardian->RunAtEnd(Shell(Write("second"))));
  EXPECT_EQ(Written(), "");
  EXPECT_TRUE(guardian->End());
  EXPECT_EQ(Written(), "second\n");
}

TEST_F(GuardianEngineTest, AProgramThatRunsIsAskedToEndFirst) {
  auto guardian = Guardian::Start(home_.path(), home_.id());
  ASSERT_TRUE(guardian);
  ASSERT_TRUE(guardian->RunAtEnd(Shell(Write("last"))));
  const fs::path ready = home_.path() / "ready";
  ASSERT_TRUE(guardian->Launch(Shell("trap '" + Write("asked") +
                                     "; exit' TERM; touch " + ready.string() +
                                     "; while :; do sleep 0.01; done")));
  ASSERT_TRUE(guardian->Release());
  while (!fs::exists(ready)) {
    ::usleep(1000);
  }
  EXPECT_TRUE(guardian->End());
  EXPECT_EQ(Written(), "asked\nlast\n");
}

TEST_F(GuardianEngineTest, ALastProgramThatFailsIsTold) {
  auto guardian = Guardian::Start(home_.path(), home_.id());
  ASSERT_TRUE(guardian);
  ASSERT_TRUE(guardian->RunAtEnd(Shell("exit 3")));
  EXPECT_FALSE(guardian->End());
}

TEST_F(GuardianEngineTest, TheLastProgramRunsAlsoIfTheSessionIsKilled) {
  const pid_t session = ::fork();
  if (session == 0) {
    auto guardian = Guardian::Start(home_.path(), home_.id());
    if (guardian && guardian->RunAtEnd(Shell(Write("last")))) {
      ::kill(::getpid(), SIGKILL);
    }
    ::_exit(1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(session, &status, 0), session);
  ASSERT_TRUE(WIFSIGNALED(status));
  for (int i = 0; i < 30000 && Written().empty(); ++i) {
    ::usleep(1000);
  }
  EXPECT_EQ(Written(), "last\n");
  EXPECT_TRUE(WaitUntilNothingIsLeft(home_));
}

}  // namespace
}  // namespace edgewise

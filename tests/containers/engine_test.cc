#include "containers/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "../probes/fake_tree.h"
#include "base/text.h"
#include "containers/owner.h"
#include "containers/sweep_containers.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// A folder of programs that is the whole PATH while it lives.
class EngineTest : public ::testing::Test {
 protected:
  EngineTest() {
    path_ = ::getenv("PATH");
    ::setenv("PATH", folder_.c_str(), 1);
  }
  ~EngineTest() override { ::setenv("PATH", path_.c_str(), 1); }
  void Install(const std::string& name, const std::string& script) {
    const fs::path file = folder_ / name;
    ASSERT_TRUE(WriteFile(file, "#!/bin/sh\n" + script + "\n"));
    ::chmod(file.c_str(), 0755);
  }

  FakeTree tree_;
  const fs::path& folder_ = tree_.root();
  std::string path_;
};

TEST_F(EngineTest, WithoutAnyTheSentenceSaysWhatToInstall) {
  const auto engine = FindEngine(EngineChoice::kAuto);
  ASSERT_FALSE(engine);
  EXPECT_EQ(engine.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(engine.error().message, HasSubstr("install podman or docker"));
  EXPECT_THAT(FindEngine(EngineChoice::kDocker).error().message,
              HasSubstr("docker is not installed"));
}

TEST_F(EngineTest, PodmanIsPreferred) {
  Install("podman", "echo runc systemd true");
  Install("docker", "echo 20.10 cgroupfs");
  const auto engine = FindEngine(EngineChoice::kAuto);
  ASSERT_TRUE(engine) << engine.error().message;
  EXPECT_EQ(engine->kind, Engine::Kind::kPodman);
  EXPECT_FALSE(engine->takes_cgroup_parent);
}

TEST_F(EngineTest, OneThatDoesNotWorkGivesWayToTheOther) {
  Install("podman", "echo 'Error: broken' >&2; exit 125");
  Install("docker", "echo 20.10 cgroupfs");
  const auto engine = FindEngine(EngineChoice::kAuto);
  ASSERT_TRUE(engine) << engine.error().message;
  EXPECT_EQ(engine->kind, Engine::Kind::kDocker);
  EXPECT_TRUE(engine->takes_cgroup_parent);
  EXPECT_THAT(FindEngine(EngineChoice::kPodman).error().message,
              HasSubstr("broken"));
}

TEST_F(EngineTest, WhoMayNotUseItIsTold) {
  Install("docker",
          "echo 'permission denied while trying to connect to the Docker "
          "daemon socket' >&2; exit 1");
  const auto engine = FindEngine(EngineChoice::kDocker);
  ASSERT_FALSE(engine);
  EXPECT_EQ(engine.error().code, ErrorCode::kPermission);
  EXPECT_THAT(engine.error().message, HasSubstr("may not use docker"));
}

TEST_F(EngineTest, ADaemonThatDoesNotRunIsNamed) {
  Install("docker",
          "echo 'Cannot connect to the Docker daemon at unix:///x' >&2; "
          "exit 1");
  const auto engine = FindEngine(EngineChoice::kDocker);
  ASSERT_FALSE(engine);
  EXPECT_EQ(engine.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(engine.error().message, HasSubstr("does not answer"));
}

TEST_F(EngineTest, ACommandThatHangsIsGivenUp) {
  Engine engine;
  engine.program = "/bin/sh";
  const auto answer =
      AskEngine(engine, {"-c", "while :; do :; done"}, kNsPerSecond / 20);
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().message, HasSubstr("does not end"));
}

TEST_F(EngineTest, AnswersAndComplaintsAreKeptApart) {
  Engine engine;
  engine.program = "/bin/sh";
  const auto answer = AskEngine(
      engine, {"-c", "echo out; echo one >&2; echo 'Error: two' >&2; exit 5"});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->exit_code, 5);
  EXPECT_EQ(answer->output, "out\n");
  EXPECT_EQ(answer->Complaint(), "two");
}

TEST_F(EngineTest, OnlyContainersWhoseOwnerIsGoneAreSwept) {
  const std::string gone = "00000000-boot/pid:[1]/1/1";
  Install("docker",
          "case \"$1\" in\n"
          "info) echo 20.10 cgroupfs;;\n"
          "ps) echo dead alive;;\n"
          "inspect) for last; do :; done\n"
          "  if [ $last = dead ]; then echo '" +
              gone + "'; else echo '" + OwnerText() +
              "'; fi;;\n"
              "rm) for last; do :; done; echo $last >> " +
              (folder_ / "removed").string() +
              ";;\n"
              "esac");
  const auto engine = FindEngine(EngineChoice::kDocker);
  ASSERT_TRUE(engine) << engine.error().message;
  const auto swept = SweepContainers(*engine);
  ASSERT_TRUE(swept) << swept.error().message;
  EXPECT_EQ(*swept, 1);
  EXPECT_EQ(*ReadFile(folder_ / "removed"), "dead\n");

  // Without a mark of somebody gone no engine is asked.
  const auto mark = MarkContainer(folder_, *engine, "edgewise-abc");
  ASSERT_TRUE(mark);
  SweepMarkedContainers(folder_);
  EXPECT_EQ(*ReadFile(folder_ / "removed"), "dead\n");
  EXPECT_TRUE(fs::exists(*mark));
  ASSERT_TRUE(WriteFile(*mark, "docker\n" + gone));
  SweepMarkedContainers(folder_);
  EXPECT_EQ(*ReadFile(folder_ / "removed"), "dead\ndead\n");
  EXPECT_FALSE(fs::exists(*mark));
}

}  // namespace
}  // namespace edgewise

#include "session_process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>

#include "controls/process_tree.h"
#include "controls/small_file.h"

namespace edgewise {

SessionProcess::SessionProcess(const TemporaryHome& home, bool cgroups,
                               const std::string& sysfs_root)
    : SessionProcess({"session", home.path(), home.id(), cgroups ? "yes" : "no",
                      sysfs_root}) {}

SessionProcess::SessionProcess(const std::vector<std::string>& arguments) {
  const std::string helper = HelperPath();
  std::vector<char*> words{const_cast<char*>(helper.c_str())};
  for (const std::string& argument : arguments) {
    words.push_back(const_cast<char*>(argument.c_str()));
  }
  words.push_back(nullptr);
  pid_ = fork();
  if (pid_ == 0) {
    dup2(output_.write_end.get(), 1);
    execv(helper.c_str(), words.data());
    _exit(127);
  }
  output_.write_end.reset();
}

void SessionProcess::WaitUntilReady() {
  EXPECT_EQ(output_.ReadLine(), "ready\n");
}

void SessionProcess::Kill() {
  if (pid_ > 0) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }
}

void SessionProcess::KillWithGuardian() {
  const auto guardians = ChildrenOf(pid_);
  ASSERT_EQ(guardians.size(), 1u);
  kill(pid_, SIGSTOP);
  kill(guardians[0], SIGKILL);
  EXPECT_TRUE(WaitUntilGone(guardians[0]));
  Kill();
}

std::vector<pid_t> ChildrenOf(pid_t parent) {
  const auto table = std::make_unique<ProcessTable>();
  table->Scan();
  std::vector<pid_t> children;
  for (const ProcessEntry& process : *table) {
    if (process.parent == parent && !process.dead) {
      children.push_back(process.pid);
    }
  }
  return children;
}

bool WaitUntilNothingIsLeft(const TemporaryHome& home) {
  for (int i = 0; i < 20'000; ++i) {
    if (home.Left().empty()) {
      return true;
    }
    PauseMs(1);
  }
  return false;
}

}  // namespace edgewise

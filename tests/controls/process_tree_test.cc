#include "controls/process_tree.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "temporary_home.h"

namespace edgewise {
namespace {

const ProcessEntry* Find(ProcessTable* table, pid_t pid) {
  const auto* found =
      std::find_if(table->begin(), table->end(),
                   [pid](const ProcessEntry& each) { return each.pid == pid; });
  return found == table->end() ? nullptr : found;
}

// A child that waits until it is killed, with an odd name.
class WaitingChild {
 public:
  WaitingChild() : pid_(fork()) {
    if (pid_ == 0) {
      prctl(PR_SET_NAME, ") Z (1 2");
      const char ready = 'r';
      if (write(pipe_.write_end.get(), &ready, 1) == 1) {
        while (true) {
          pause();
        }
      }
      _exit(1);
    }
    char byte = 0;
    if (read(pipe_.read_end.get(), &byte, 1) != 1) {
      abort();
    }
  }
  ~WaitingChild() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  pid_t pid() const { return pid_; }

 private:
  Pipe pipe_;
  pid_t pid_;
};

TEST(ProcessTreeTest, AProcessIsReadWhateverItsName) {
  const WaitingChild child;
  ProcessEntry entry;
  ASSERT_TRUE(ReadProcess(child.pid(), &entry));
  EXPECT_EQ(entry.parent, getpid());
  EXPECT_EQ(entry.group, getpgrp());
  EXPECT_GT(entry.start_ticks, 0u);
  EXPECT_FALSE(entry.dead);
}

TEST(ProcessTreeTest, DescendantsAreMarkedButNotTheRoot) {
  const WaitingChild child;
  const auto table = std::make_unique<ProcessTable>();
  table->Scan();
  table->MarkDescendants(getpid());
  EXPECT_TRUE(Find(table.get(), child.pid())->marked);
  EXPECT_FALSE(Find(table.get(), getpid())->marked);
  EXPECT_FALSE(Find(table.get(), getppid())->marked);
}

TEST(ProcessTreeTest, ExceptedProcessesAreLeftOut) {
  const WaitingChild old_child;
  const auto before = std::make_unique<ProcessTable>();
  before->Scan();
  before->MarkDescendants(getpid());
  before->KeepMarked();
  const WaitingChild new_child;
  const auto table = std::make_unique<ProcessTable>();
  table->Scan();
  table->MarkDescendants(getpid(), before.get());
  EXPECT_FALSE(Find(table.get(), old_child.pid())->marked);
  EXPECT_TRUE(Find(table.get(), new_child.pid())->marked);
}

TEST(ProcessTreeTest, AReusedPidIsNotSignalled) {
  const WaitingChild child;
  const auto table = std::make_unique<ProcessTable>();
  table->Scan();
  table->MarkDescendants(getpid());
  for (ProcessEntry& entry : *table) {
    entry.start_ticks += entry.pid == child.pid() ? 1 : 0;
  }
  EXPECT_EQ(table->SignalMarked(SIGKILL), 0);
  EXPECT_EQ(waitpid(child.pid(), nullptr, WNOHANG), 0) << "it still runs";
}

TEST(ProcessTreeTest, ForgettingTakesOneEntryOut) {
  const auto table = std::make_unique<ProcessTable>();
  table->Scan();
  EXPECT_TRUE(table->Forget(getpid()));
  EXPECT_FALSE(table->Forget(getpid()));
  EXPECT_EQ(Find(table.get(), getpid()), nullptr);
  EXPECT_NE(Find(table.get(), getppid()), nullptr);
}

TEST(ProcessTreeTest, KillingGoesOnUntilNoneIsLeft) {
  const pid_t parent = fork();
  if (parent == 0) {
    while (true) {
      const pid_t child = fork();
      if (child < 0) {
        _exit(1);
      }
      if (child > 0) {
        waitpid(child, nullptr, 0);
      } else {
        usleep(1000);
        _exit(0);
      }
    }
  }
  const auto table = std::make_unique<ProcessTable>();
  const int left = KillUntilGone(
      table.get(), NowNs() + int64_t{20'000'000'000},
      [](ProcessTable* each) { each->MarkDescendants(getpid()); },
      [] {
        while (waitpid(-1, nullptr, WNOHANG) > 0) {
        }
      });
  EXPECT_EQ(left, 0);
}

}  // namespace
}  // namespace edgewise

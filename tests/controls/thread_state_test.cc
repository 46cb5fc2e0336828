#include "controls/thread_state.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <thread>

namespace edgewise {
namespace {

TEST(ThreadStateTest, WhatIsReadCanBePutBack) {
  // In a thread of its own, so that others keep their cores.
  std::thread([] {
    const auto before = ReadThreadState(::gettid());
    ASSERT_TRUE(before);
    ASSERT_FALSE(before->cpus.empty());
    ThreadState changed = *before;
    changed.cpus = {before->cpus.back()};
    changed.attributes.policy = SCHED_BATCH;
    ASSERT_EQ(SetThreadState(::gettid(), changed), 0);
    EXPECT_EQ(::sched_getscheduler(0), SCHED_BATCH);
    EXPECT_EQ(ReadThreadState(::gettid()), changed);
    ASSERT_EQ(SetThreadState(::gettid(), *before), 0);
    EXPECT_EQ(ReadThreadState(::gettid()), before);
  }).join();
}

TEST(ThreadStateTest, AThreadThatIsGoneIsSaid) {
  // Of a process, because a joined thread may be there for a moment yet.
  const pid_t gone = ::fork();
  if (gone == 0) {
    ::_exit(0);
  }
  ASSERT_EQ(::waitpid(gone, nullptr, 0), gone);
  EXPECT_FALSE(ReadThreadState(gone));
  EXPECT_EQ(SetThreadState(gone, {{0}, {}}), ESRCH);
}

TEST(ThreadStateTest, ClassesReadAsPeopleWriteThem) {
  SchedulingAttributes attributes;
  EXPECT_EQ(DescribeAttributes(attributes), "other");
  attributes.nice = 5;
  EXPECT_EQ(DescribeAttributes(attributes), "other nice 5");
  attributes = {};
  attributes.policy = SCHED_FIFO;
  attributes.priority = 40;
  EXPECT_EQ(DescribeAttributes(attributes), "fifo:40");
  attributes = {};
  attributes.policy = kPolicyDeadline;
  attributes.runtime_ns = 5'000'000;
  attributes.period_ns = 20'000'000;
  EXPECT_EQ(DescribeAttributes(attributes), "deadline 5 ms of 20 ms");
}

}  // namespace
}  // namespace edgewise

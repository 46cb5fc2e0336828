// Processes come and go: fork, raw clone, exec, kill; and so do collectors.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>

#include "edgewise/edgewise.hpp"
#include "ring_fixture.h"

namespace edgewise {
namespace {

class LifetimeTest : public RingFixture {
 protected:
  size_t SpansOf(pid_t pid) const {
    size_t count = 0;
    for (const SeenSpan& span : sink_.spans) {
      count += span.pid == pid ? 1 : 0;
    }
    return count;
  }
  bool Ended(pid_t pid) const { return EndOf(pid) != nullptr; }
  const SeenEnd* EndOf(pid_t pid) const {
    for (const SeenEnd& end : sink_.ended) {
      if (end.client.pid == pid) {
        return &end;
      }
    }
    return nullptr;
  }
};

TEST_F(LifetimeTest, ForkedChildConnectsAnew) {
  ASSERT_EQ(edgewise_connect(), 1);
  RecordSpan("parent");
  const pid_t child = Fork([] {
    for (int i = 0; i < 100; ++i) {
      RecordSpan("child");
    }
  });
  ExpectCleanExit(child);
  RecordSpan("parent");
  ASSERT_TRUE(DrainUntil([&] { return Ended(child); }));
  EXPECT_EQ(SpansOf(child), 100u);
  EXPECT_EQ(sink_.CountSpans("child"), 100u);
  EXPECT_EQ(SpansOf(getpid()), 2u);
}

TEST_F(LifetimeTest, RawClonedChildConnectsAnew) {
  ASSERT_EQ(edgewise_connect(), 1);
  RecordSpan("parent");
  const long child = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (child == 0) {
    RecordSpan("child");
    RecordSpan("child");
    syscall(SYS_exit_group, 0);
  }
  ExpectCleanExit(static_cast<pid_t>(child));
  ASSERT_TRUE(DrainUntil([&] { return Ended(static_cast<pid_t>(child)); }));
  EXPECT_EQ(SpansOf(static_cast<pid_t>(child)), 2u);
  EXPECT_EQ(SpansOf(getpid()), 1u);
}

TEST_F(LifetimeTest, GrandchildrenConnectAnewToo) {
  ASSERT_EQ(edgewise_connect(), 1);
  const pid_t child = Fork([] {
    RecordSpan("generation");
    const pid_t grandchild = fork();
    if (grandchild == 0) {
      RecordSpan("generation");
      _exit(0);
    }
    int status = 0;
    waitpid(grandchild, &status, 0);
    RecordSpan("generation");
  });
  ExpectCleanExit(child);
  ASSERT_TRUE(DrainUntil([&] { return sink_.ended.size() == 2; }));
  EXPECT_EQ(sink_.CountSpans("generation"), 3u);
  EXPECT_EQ(SpansOf(child), 2u);
}

TEST_F(LifetimeTest, SpanBegunBeforeAForkCountsInTheParentOnly) {
  ASSERT_EQ(edgewise_connect(), 1);
  pid_t child = 0;
  {
    const Timer timer("around_fork");
    child = fork();
    if (child == 0) {
      RecordSpan("child");
    }
  }
  if (child == 0) {
    _exit(0);
  }
  ExpectCleanExit(child);
  ASSERT_TRUE(DrainUntil([&] { return Ended(child); }));
  EXPECT_EQ(sink_.CountSpans("child"), 1u);
  EXPECT_EQ(sink_.CountSpans("around_fork"), 1u);
  EXPECT_EQ(SpansOf(child), 1u);
}

TEST_F(LifetimeTest, CountersOfAChildStartAtZero) {
  ASSERT_EQ(edgewise_connect(), 1);
  const edgewise_name name = edgewise_intern("forked_count");
  edgewise_counter_add(name, 1000);
  ExpectCleanExit(Fork([&] { edgewise_counter_add(name, 1); }));
  ASSERT_TRUE(DrainUntil([&] { return sink_.metrics.size() == 2; }));
  EXPECT_EQ(sink_.metrics[0].event.value, 1000);
  EXPECT_EQ(sink_.metrics[1].event.value, 1);
}

TEST_F(LifetimeTest, ExecutedProgramConnectsAnew) {
  ASSERT_EQ(edgewise_connect(), 1);
  const pid_t child = Fork([] {
    RecordSpan("before_exec");
    execl(EDGEWISE_CLIENT_APP, EDGEWISE_CLIENT_APP, "spans", "3", nullptr);
    _exit(1);
  });
  ExpectCleanExit(child);
  ASSERT_TRUE(DrainUntil([&] { return sink_.ended.size() == 2; }));
  EXPECT_EQ(sink_.CountSpans("before_exec"), 1u);
  EXPECT_EQ(sink_.CountSpans("app"), 3u);
  EXPECT_EQ(sink_.started.back().program, "client_app");
  EXPECT_EQ(sink_.started.back().pid, child);
}

TEST_F(LifetimeTest, KilledProcessIsDrainedAndItsOpenSpansNamed) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = Fork([&] {
    RecordSpan("done");
    EDGEWISE_MEASURE("frame");
    const Timer timer("inference");
    if (write(ready[1], "r", 1) == 1) {
      pause();
    }
  });
  char byte;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  kill(child, SIGKILL);
  ASSERT_TRUE(DrainUntil([&] { return Ended(child); }));
  waitpid(child, nullptr, 0);
  EXPECT_EQ(sink_.CountSpans("done"), 1u);
  const RingAccount& account = EndOf(child)->account;
  ASSERT_EQ(account.unfinished.size(), 2u);
  EXPECT_EQ(account.unfinished[0].name, "frame");
  EXPECT_EQ(account.unfinished[1].name, "inference");
  EXPECT_EQ(account.unfinished[0].tid, child);
  EXPECT_GT(account.unfinished[0].start_ns, 0);
}

TEST_F(LifetimeTest, ParentsEndIsNoticedThoughAChildHoldsItsSocket) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  pid_t grandchild = 0;
  const pid_t child = Fork([&] {
    RecordSpan("parent");
    // Raw, and silent: it never learns that it holds the parent's socket.
    const auto silent =
        static_cast<pid_t>(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
    if (silent == 0) {
      pause();
    }
    if (write(ready[1], &silent, sizeof(silent)) < 0) {
      _exit(1);
    }
  });
  ASSERT_EQ(read(ready[0], &grandchild, sizeof(grandchild)),
            static_cast<ssize_t>(sizeof(grandchild)));
  ExpectCleanExit(child);
  EXPECT_TRUE(DrainUntil([&] { return Ended(child); }));
  EXPECT_EQ(SpansOf(child), 1u);
  kill(grandchild, SIGKILL);
}

TEST_F(LifetimeTest, ANewCollectorFindsTheProcessByItself) {
  ASSERT_EQ(edgewise_connect(), 1);
  collector_.reset();
  for (int i = 0; i < 10000; ++i) {
    RecordSpan("nobody_listens");
  }
  StartCollector();
  EXPECT_TRUE(DrainUntil([&] {
    const Timer timer("again");
    return sink_.CountSpans("again") > 0;
  }));
  ASSERT_EQ(collector_->client_count(), 1u);
}

TEST_F(LifetimeTest, ProcessStartedBeforeAnyCollectorConnectsLater) {
  collector_.reset();
  EXPECT_EQ(edgewise_connect(), 0);
  RecordSpan("too_early");
  StartCollector();
  EXPECT_EQ(edgewise_connect(), 1);
  RecordSpan("in_time");
  Drain();
  EXPECT_EQ(sink_.CountSpans("in_time"), 1u);
  EXPECT_EQ(sink_.CountSpans("too_early"), 0u);
}

TEST_F(LifetimeTest, ApplicationMayCloseAllDescriptors) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = Fork([&] {
    RecordSpan("before");
    for (int fd = 3; fd < 64; ++fd) {
      close(fd);
    }
    // The numbers now belong to the application.
    int pipe_fds[2];
    for (int i = 0; i < 20; ++i) {
      if (pipe(pipe_fds) != 0) {
        _exit(2);
      }
    }
    for (int i = 0; i < 1500; ++i) {
      RecordSpan("after");
    }
    edgewise_connect();
    for (int fd = 3; fd < 43; ++fd) {
      if (fcntl(fd, F_GETFD) < 0) {
        _exit(3);
      }
      pollfd entry{fd, POLLIN, 0};
      if (poll(&entry, 1, 0) != 0 && (entry.revents & POLLIN) != 0) {
        _exit(4);
      }
    }
    RecordSpan("reconnected");
  });
  ExpectCleanExit(child);
  ASSERT_TRUE(DrainUntil([&] { return sink_.ended.size() == 2; }));
  EXPECT_EQ(sink_.CountSpans("before"), 1u);
  EXPECT_EQ(sink_.CountSpans("reconnected"), 1u);
}

TEST_F(LifetimeTest, SmallFileSizeLimitDoesNotKillTheProcess) {
  const pid_t child = Fork([] {
    const rlimit limit{64 * 1024, 64 * 1024};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) {
      _exit(2);
    }
    execl(EDGEWISE_CLIENT_APP, EDGEWISE_CLIENT_APP, "spans", "3", nullptr);
    _exit(1);
  });
  ExpectCleanExit(child);
}

}  // namespace
}  // namespace edgewise

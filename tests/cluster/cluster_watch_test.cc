#include "cluster/cluster_watch.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "base/clock.h"

namespace edgewise::cluster {
namespace {

ClusterState StateOf(size_t nodes) {
  ClusterState state;
  state.nodes.resize(nodes);
  state.taken_ns = MonotonicNs();
  return state;
}

TEST(ClusterWatchTest, HasReadOnceWhenItIsMade) {
  const ClusterWatch watch([] { return StateOf(3); }, std::chrono::hours(1));
  const ClusterNow now = watch.Now();
  ASSERT_NE(now.state, nullptr);
  EXPECT_EQ(now.state->nodes.size(), 3U);
  EXPECT_EQ(now.problem, "");
  EXPECT_EQ(watch.readings(), 1U);
}

TEST(ClusterWatchTest, ReadsAgainAndNumbersStates) {
  std::atomic<size_t> nodes = 0;
  const ClusterWatch watch([&] { return StateOf(++nodes); },
                           std::chrono::milliseconds(1));
  while (watch.Now().state->nodes.size() < 3) {
    std::this_thread::yield();
  }
  EXPECT_GE(watch.Now().state->generation, 3U);
}

TEST(ClusterWatchTest, LastStateStaysWhenReadingFails) {
  std::atomic<bool> fails = false;
  const ClusterWatch watch(
      [&]() -> Result<ClusterState> {
        if (fails) {
          return Error{ErrorCode::kIo, "away"};
        }
        return StateOf(2);
      },
      std::chrono::milliseconds(1));
  fails = true;
  while (watch.Now().problem.empty()) {
    std::this_thread::yield();
  }
  const ClusterNow now = watch.Now();
  EXPECT_EQ(now.problem, "away");
  EXPECT_EQ(now.state->nodes.size(), 2U);
  EXPECT_GE(watch.failures(), 1U);
  fails = false;
  while (!watch.Now().problem.empty()) {
    std::this_thread::yield();
  }
}

}  // namespace
}  // namespace edgewise::cluster

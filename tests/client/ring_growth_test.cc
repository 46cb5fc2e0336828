// A client that loses records gets larger rings, if the collector grants them.
#include <gmock/gmock.h>
#include <unistd.h>

#include <thread>

#include "client/ring_layout.h"
#include "edgewise/edgewise.hpp"
#include "ring_fixture.h"

namespace edgewise {
namespace {

class RingGrowthTest : public RingFixture {
 protected:
  void Grant(uint32_t bytes) {
    collector_->Finish(sink_);
    collector_.reset();
    sink_ = {};
    RingCollectorOptions options;
    options.socket_path = socket_path_;
    options.ring_bytes_granted = bytes;
    auto created = RingCollector::Create(options);
    ASSERT_TRUE(created.ok()) << created.error().message;
    collector_ = std::move(*created);
    (void)edgewise_connect();
    ASSERT_EQ(edgewise_connect(), 1);
  }
  // More than fit into the ring, then looks at the collector a few times more:
  // each look is one record.
  static void Overflow(uint32_t records, int looks) {
    const edgewise_name name = edgewise_intern("burst");
    for (uint32_t i = 0; i < records; ++i) {
      edgewise_gauge(name, i);
    }
    for (int i = 0; i < looks; ++i) {
      usleep(1'100'000);  // the library looks at its collector once a second
      edgewise_gauge(name, -1);
    }
  }
};

// The first may come before the grant, on a slow machine even the second.
constexpr int kLooks = 3;
constexpr uint32_t kSmall = client::kDefaultRingBytes / sizeof(client::Record);

// In a child, because a region is for life.
TEST_F(RingGrowthTest, LargerRingsHoldWhatTheFirstOnesLost) {
  Grant(1 << 20);
  const pid_t child = fork();
  if (child == 0) {
    const Knob<int> knob("grown", 1, 1, 9);
    Overflow(kSmall + 100, kLooks);
    // Now in rings four times as large: the same again fits.
    const edgewise_name name = edgewise_intern("after");
    for (uint32_t i = 0; i < kSmall + 100; ++i) {
      edgewise_gauge(name, i);
    }
    _exit(0);
  }
  // Nothing is read before the child has ended: its rings fill.
  int status = 0;
  const int64_t give_up_ns = MonotonicNs() + 60 * kNsPerSecond;
  bool taken = false;
  while (waitpid(child, &status, WNOHANG) == 0 && MonotonicNs() < give_up_ns) {
    // The first hello has to be taken, or nothing is granted.
    if (!taken) {
      Drain();
      taken = !sink_.started.empty() && sink_.started.back().pid == child;
    }
    usleep(1000);
  }
  ASSERT_TRUE(DrainUntil([&] {
    return !sink_.ended.empty() && sink_.ended.back().client.pid == child;
  }));
  EXPECT_EQ(sink_.started.size(), sink_.ended.size() + 1);  // this process
  size_t after = 0;
  for (const SeenMetric& metric : sink_.metrics) {
    after += metric.name == "after" ? 1 : 0;
  }
  const RingAccount& account = sink_.ended.back().account;
  EXPECT_EQ(after, kSmall + 100);
  EXPECT_GT(account.dropped_full, 0u);
  EXPECT_LE(account.dropped_full, 200u);
  EXPECT_EQ(account.delivered + account.dropped_full,
            2 * (kSmall + 100) + kLooks);
  EXPECT_EQ(account.invalid, 0u);
  EXPECT_EQ(collector_->refused_clients(), 0u);
}

TEST_F(RingGrowthTest, WithoutAGrantRingsStayAsTheyAre) {
  Grant(0);
  const pid_t child = fork();
  if (child == 0) {
    Overflow(kSmall + 100, 1);
    Overflow(kSmall + 100, 1);
    _exit(0);
  }
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  ASSERT_TRUE(DrainUntil([&] { return !sink_.ended.empty(); }));
  const RingAccount& account = sink_.ended.back().account;
  EXPECT_LE(account.delivered, kSmall);
  EXPECT_EQ(account.delivered + account.dropped_full, 2 * (kSmall + 101));
}

TEST_F(RingGrowthTest, ThreadsMoveToLargerRingsWhileTheyRecord) {
  Grant(1 << 20);
  const pid_t child = fork();
  if (child == 0) {
    const int64_t until_ns = MonotonicNs() + 3 * kNsPerSecond;
    auto record = [until_ns] {
      edgewise_name name = edgewise_intern("busy");
      while (MonotonicNs() < until_ns) {
        edgewise_gauge(name, 1);
      }
    };
    std::thread first(record);
    std::thread second(record);
    first.join();
    second.join();
    _exit(0);
  }
  ASSERT_TRUE(DrainUntil([&] {
    return !sink_.ended.empty() && sink_.ended.back().client.pid == child;
  }));
  EXPECT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_EQ(sink_.ended.back().account.invalid, 0u);
  EXPECT_EQ(sink_.ended.back().account.delivered, sink_.metrics.size());
  EXPECT_EQ(collector_->refused_clients(), 0u);
}

}  // namespace
}  // namespace edgewise

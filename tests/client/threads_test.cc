// Threads: slots, races between producers and a reader, signal handlers.
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>

#include <atomic>
#include <barrier>
#include <thread>
#include <vector>

#include "client/process.h"
#include "client/ring_layout.h"
#include "edgewise/edgewise.hpp"
#include "ring_fixture.h"

namespace edgewise {
namespace {

class ThreadsTest : public RingFixture {
 protected:
  ThreadsTest() { EXPECT_EQ(edgewise_connect(), 1); }
};

TEST_F(ThreadsTest, EveryThreadsSpansArriveInOrder) {
  constexpr int kThreads = 4;
  constexpr uint64_t kPerThread = 20000;
  std::atomic<int> running{kThreads};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      const std::string name = "thread" + std::to_string(t);
      for (uint64_t i = 0; i < kPerThread; ++i) {
        RecordSpan(name.c_str(), i + 1);
      }
      --running;
    });
  }
  while (running > 0) {
    Drain();
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  collector_->Finish(sink_);
  std::map<std::string, int64_t> last;
  for (const SeenSpan& span : sink_.spans) {
    ASSERT_TRUE(span.name.starts_with("thread")) << span.name;
    ASSERT_GT(span.event.start_ns, last[span.name]);
    last[span.name] = span.event.start_ns;
  }
  EXPECT_EQ(last.size(), static_cast<size_t>(kThreads));
  ASSERT_EQ(sink_.ended.size(), 1u);
  const RingAccount& account = sink_.ended[0].account;
  EXPECT_EQ(account.delivered + account.dropped_full, kThreads * kPerThread);
  EXPECT_EQ(account.invalid, 0u);
}

// The collector maps the region a second time, where ThreadSanitizer cannot
// relate its accesses to the producer's. So here the reader uses the
// producer's own mapping, in the way the format prescribes.
TEST_F(ThreadsTest, HeadAndTailOrderAllAccessesToRecords) {
  constexpr uint64_t kRecords = 50000;
  std::atomic<client::ThreadState*> shared{nullptr};
  std::atomic<bool> read_all{false};
  uint64_t tail = 0;
  std::thread producer([&] {
    RecordSpan("first", 1);
    tail = client::thread_state.head - 1;
    shared = &client::thread_state;
    const client::ThreadState* self = shared;
    for (uint64_t i = 2; i <= kRecords; ++i) {
      while (self->head - self->slot->tail.load(std::memory_order_relaxed) >
             self->mask) {  // wait for room, so that nothing is dropped
      }
      RecordSpan("more", i);
    }
    while (!read_all) {  // its slot must stay its own
    }
  });
  while (shared == nullptr) {
  }
  client::Slot& slot = *shared.load()->slot;
  client::Record* ring = shared.load()->ring;
  const uint64_t mask = shared.load()->mask;
  for (uint64_t expected = 1; expected <= kRecords;) {
    const uint64_t head = slot.head.load(std::memory_order_acquire);
    for (; tail != head; ++tail, ++expected) {
      // Read and written in place: the sanitizer does not see a copy into a
      // local variable. The write checks the order that the tail gives.
      EXPECT_EQ(ring[tail & mask].start_ns, expected);
      ring[tail & mask].cpu_ns = 0;
    }
    slot.tail.store(tail, std::memory_order_release);
  }
  read_all = true;
  producer.join();
}

TEST_F(ThreadsTest, SlotsOfEndedThreadsAreUsedAgain) {
  constexpr int kThreads = 3 * client::kDefaultSlotCount;
  for (int i = 0; i < kThreads; ++i) {
    std::thread([] { RecordSpan("short"); }).join();
    Drain();
  }
  collector_->Finish(sink_);
  EXPECT_EQ(sink_.CountSpans("short"), static_cast<size_t>(kThreads));
  EXPECT_EQ(sink_.ended.at(0).account.dropped_no_slot, 0u);
}

// No drain before the end: each thread continues the ring of an ended one.
TEST_F(ThreadsTest, ShortThreadsLoseNothingAndKeepTheirTids) {
  constexpr size_t kThreads = 2000;
  std::vector<int32_t> tids;
  for (size_t i = 0; i < kThreads; ++i) {
    std::thread([&] {
      RecordSpan("short", i + 1);
      tids.push_back(client::thread_state.tid);
    }).join();
  }
  collector_->Finish(sink_);
  ASSERT_EQ(sink_.CountSpans("short"), kThreads);
  for (const SeenSpan& span : sink_.spans) {
    ASSERT_EQ(span.event.tid,
              tids.at(static_cast<size_t>(span.event.start_ns) - 1));
  }
  EXPECT_EQ(sink_.ended.at(0).account.dropped(), 0u);
}

TEST_F(ThreadsTest, NextCollectorKnowsWhoWroteWhatIsLeft) {
  RecordSpan("first");
  Drain();
  RecordSpan("left");
  collector_.reset();
  StartCollector();
  EXPECT_EQ(edgewise_connect(), 1);
  RememberingSink next;
  collector_->Finish(next);
  ASSERT_EQ(next.CountSpans("left"), 1u);
  EXPECT_EQ(next.spans[0].event.tid, client::thread_state.tid);
}

TEST_F(ThreadsTest, MoreThreadsThanSlotsAreCounted) {
  constexpr int kThreads = client::kDefaultSlotCount + 8;
  std::barrier all_recorded(kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      RecordSpan("crowd");
      all_recorded.arrive_and_wait();
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  collector_->Finish(sink_);
  const size_t seen = sink_.CountSpans("crowd");
  EXPECT_GE(seen, client::kDefaultSlotCount - 1);
  const RingAccount& account = sink_.ended.at(0).account;
  EXPECT_EQ(account.dropped_no_slot, kThreads - seen);
  ASSERT_EQ(account.dropped_by_name.size(), 1u);
  EXPECT_EQ(account.dropped_by_name[0].name, "crowd");
  EXPECT_EQ(account.dropped_by_name[0].dropped, kThreads - seen);
}

TEST_F(ThreadsTest, ThreadWithoutSlotWakesTheCollector) {
  constexpr int kThreads = client::kDefaultSlotCount + 1;
  RecordSpan("connected");
  Drain();  // arms the doorbell
  std::barrier all_recorded(kThreads);
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      RecordSpan("crowd");
      all_recorded.arrive_and_wait();
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  pollfd entry{collector_->epoll_fd(), POLLIN, 0};
  EXPECT_EQ(poll(&entry, 1, 0), 1);
}

std::atomic<uint64_t> handled{0};

void RecordInHandler(int) {
  const Timer timer("in_handler");
  handled.fetch_add(1, std::memory_order_relaxed);
}

TEST_F(ThreadsTest, SignalHandlersMayRecordAtAnyMoment) {
  struct sigaction action {};
  action.sa_handler = RecordInHandler;
  action.sa_flags = SA_RESTART;
  struct sigaction before {};
  ASSERT_EQ(sigaction(SIGUSR1, &action, &before), 0);
  edgewise_intern("in_handler");
  const pthread_t target = pthread_self();
  std::atomic<bool> stop{false};
  std::thread storm([&] {
    while (!stop) {
      pthread_kill(target, SIGUSR1);
    }
  });
  constexpr uint64_t kSpans = 100000;
  for (uint64_t i = 0; i < kSpans; ++i) {
    { const Timer timer("interrupted"); }
    if (i % 512 == 0) {
      Drain();
    }
  }
  stop = true;
  storm.join();
  sigaction(SIGUSR1, &before, nullptr);
  collector_->Finish(sink_);
  const RingAccount& account = sink_.ended.at(0).account;
  EXPECT_GT(handled.load(), 0u);
  EXPECT_EQ(account.invalid, 0u);
  EXPECT_EQ(account.delivered + account.dropped(), kSpans + handled.load());
  EXPECT_TRUE(account.unfinished.empty());
  for (const SeenSpan& span : sink_.spans) {
    ASSERT_LT(span.event.wall_ns, 30 * kNsPerSecond);
  }
}

}  // namespace
}  // namespace edgewise

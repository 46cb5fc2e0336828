// From the C and C++ interface through the ring to the sink.
#include <errno.h>
#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <thread>

#include "client/process.h"
#include "edgewise/edgewise.hpp"
#include "ring_fixture.h"

namespace edgewise {
namespace {

class RecordingTest : public RingFixture {
 protected:
  RecordingTest() { EXPECT_EQ(edgewise_connect(), 1); }
};

TEST_F(RecordingTest, MeasuredScopeHasWallAndCpuTime) {
  const int64_t before_ns = MonotonicNs();
  {
    EDGEWISE_MEASURE("frame");
    volatile double sum = 0;
    for (int i = 0; i < 200000; ++i) {
      sum = sum + std::sqrt(static_cast<double>(i));
    }
  }
  const int64_t after_ns = MonotonicNs();
  Drain();
  ASSERT_EQ(sink_.spans.size(), 1u);
  const SpanEvent& span = sink_.spans[0].event;
  EXPECT_EQ(sink_.spans[0].name, "frame");
  EXPECT_EQ(sink_.spans[0].pid, getpid());
  EXPECT_EQ(span.tid, gettid());
  EXPECT_GE(span.start_ns, before_ns);
  EXPECT_LE(span.start_ns + span.wall_ns, after_ns);
  ASSERT_TRUE(span.cpu_ns.has_value());
  EXPECT_GT(*span.cpu_ns, 0);
  EXPECT_EQ(sink_.spans[0].meta, "");
}

TEST_F(RecordingTest, TimerHasNoCpuTime) {
  { Timer timer("decode"); }
  Drain();
  ASSERT_EQ(sink_.spans.size(), 1u);
  EXPECT_FALSE(sink_.spans[0].event.cpu_ns.has_value());
}

TEST_F(RecordingTest, StoppedTimerCountsOnceAndCancelledNever) {
  {
    Timer stopped("stopped");
    stopped.Stop();
    Timer cancelled("cancelled");
    cancelled.Cancel();
  }
  Drain();
  EXPECT_EQ(sink_.CountSpans("stopped"), 1u);
  EXPECT_EQ(sink_.CountSpans("cancelled"), 0u);
}

TEST_F(RecordingTest, MetadataArrivesAsLines) {
  const std::string source = "camera 1";
  {
    EDGEWISE_MEASURE("frame", {{"src", source}, {"res", "640x480"}});
    Measure late("late");
    late.meta().Add("a=b\nc", "d\ne");
  }
  Drain();
  ASSERT_EQ(sink_.spans.size(), 2u);
  EXPECT_EQ(sink_.spans[0].meta, "a_b c=d e");
  EXPECT_EQ(sink_.spans[1].meta, "src=camera 1\nres=640x480");
}

TEST_F(RecordingTest, LongMetadataIsCutBetweenKeysAndCounted) {
  const std::string kept =
      "a=" + std::string(100, 'x') + "\nb=" + std::string(100, 'y');
  RecordSpan("frame", 1, kept + "\nc=" + std::string(100, 'z'));
  RecordSpan("frame", 2, "only=" + std::string(400, 'x'));
  // Exactly what fits is not cut.
  const std::string full = "k=" + std::string(222, 'v');
  RecordSpan("frame", 3, full);
  collector_->Finish(sink_);
  ASSERT_EQ(sink_.spans.size(), 3u);
  EXPECT_EQ(sink_.spans[0].meta, kept);
  EXPECT_EQ(sink_.spans[1].meta, "");
  EXPECT_EQ(sink_.spans[2].meta, full);
  ASSERT_EQ(sink_.ended.size(), 1u);
  EXPECT_EQ(sink_.ended[0].account.truncated_meta, 2u);
}

TEST_F(RecordingTest, MetricsKeepKindAndValue) {
  Gauge("temperature_c").Set(41.5);
  Counter detections("detections");
  detections.Add();
  detections.Add(4);
  Rate fps("fps");
  fps.Tick();
  fps.Tick();
  Drain();
  ASSERT_EQ(sink_.metrics.size(), 4u);
  EXPECT_EQ(sink_.metrics[0].kind, EventKind::kGauge);
  EXPECT_EQ(sink_.metrics[0].event.value, 41.5);
  EXPECT_EQ(sink_.metrics[1].kind, EventKind::kCounter);
  EXPECT_EQ(sink_.metrics[2].event.value - sink_.metrics[1].event.value, 4);
  EXPECT_EQ(sink_.metrics[3].kind, EventKind::kRate);
  EXPECT_GT(sink_.metrics[3].event.value, 0);
}

TEST_F(RecordingTest, ValuesThatAreNotNumbersAreLeftOut) {
  Gauge gauge("broken");
  gauge.Set(std::numeric_limits<double>::quiet_NaN());
  gauge.Set(std::numeric_limits<double>::infinity());
  edgewise_rate(edgewise_intern("broken"), -HUGE_VAL);
  collector_->Finish(sink_);
  EXPECT_TRUE(sink_.metrics.empty());
  ASSERT_EQ(sink_.ended.size(), 1u);
  EXPECT_EQ(sink_.ended[0].account.dropped(), 0u);
}

TEST_F(RecordingTest, PeriodicJobsKeepTheirIntendedReleases) {
  Periodic loop("control", std::chrono::microseconds(500),
                std::chrono::microseconds(400));
  constexpr int kJobs = 5;
  for (int i = 0; i < kJobs; ++i) {
    const Periodic::Job job = loop.Next();
    if (i == 1) {
      // An overrun of several periods delays the next jobs, not their releases.
      const uint64_t until_ns = edgewise_now_ns() + 2'000'000;
      while (edgewise_now_ns() < until_ns) {
      }
    }
  }
  Drain();
  ASSERT_EQ(sink_.jobs.size(), static_cast<size_t>(kJobs));
  for (int i = 0; i < kJobs; ++i) {
    const JobEvent& job = sink_.jobs[static_cast<size_t>(i)].event;
    EXPECT_EQ(job.release_ns, sink_.jobs[0].event.release_ns + i * 500'000);
    EXPECT_EQ(job.deadline_ns, job.release_ns + 400'000);
    EXPECT_GE(job.start_ns, job.release_ns);
    EXPECT_GE(job.end_ns, job.start_ns);
    EXPECT_TRUE(job.cpu_ns.has_value());
  }
  EXPECT_GE(sink_.jobs[2].event.start_ns - sink_.jobs[2].event.release_ns,
            1'000'000);
}

TEST_F(RecordingTest, SameNameOfAnotherKindIsAnotherId) {
  RecordSpan("load");
  Gauge("load").Set(1);
  RecordSpan("load");
  Drain();
  EXPECT_THAT(sink_.names,
              testing::ElementsAre(std::pair(EventKind::kSpan, "load"),
                                   std::pair(EventKind::kGauge, "load")));
}

TEST_F(RecordingTest, SpanEndedByAnotherThreadHasNoCpuTime) {
  edgewise_span span;
  edgewise_span_begin(&span, edgewise_intern("moved"));
  std::thread([&] { edgewise_span_end(&span); }).join();
  Drain();
  EXPECT_TRUE(collector_->Account(sink_.started.at(0).id)->unfinished.empty());
  ASSERT_EQ(sink_.CountSpans("moved"), 1u);
  EXPECT_FALSE(sink_.spans[0].event.cpu_ns.has_value());
}

TEST_F(RecordingTest, SpanEndedByTheNextThreadInTheSlotHasNoCpuTime) {
  edgewise_span span;
  std::thread([&] {
    edgewise_span_begin(&span, edgewise_intern("moved"));
  }).join();
  std::thread([&] {
    EXPECT_EQ(edgewise_listening(), 1);
    ASSERT_EQ(span.owner, client::thread_state.slot);
    edgewise_span_end(&span);
  }).join();
  Drain();
  ASSERT_EQ(sink_.CountSpans("moved"), 1u);
  EXPECT_FALSE(sink_.spans[0].event.cpu_ns.has_value());
}

TEST_F(RecordingTest, FullRingDropsAndCountsAndRecovers) {
  constexpr uint64_t kWritten = 5000;
  for (uint64_t i = 0; i < kWritten; ++i) {
    RecordSpan("burst", i + 1);
  }
  Drain();
  const size_t kept = sink_.CountSpans("burst");
  EXPECT_LT(kept, kWritten);
  // The oldest are kept, without holes.
  for (size_t i = 0; i < kept; ++i) {
    ASSERT_EQ(sink_.spans[i].event.start_ns, static_cast<int64_t>(i + 1));
  }
  RecordSpan("after");
  collector_->Finish(sink_);
  EXPECT_EQ(sink_.CountSpans("after"), 1u);
  ASSERT_EQ(sink_.ended.size(), 1u);
  EXPECT_EQ(sink_.ended[0].account.dropped_full, kWritten - kept);
  ASSERT_EQ(sink_.ended[0].account.dropped_by_name.size(), 1u);
  EXPECT_EQ(sink_.ended[0].account.dropped_by_name[0].dropped, kWritten - kept);
  EXPECT_EQ(sink_.ended[0].account.delivered, kept + 1);
}

TEST_F(RecordingTest, MetadataNeverTearsOverTheEndOfTheRing) {
  uint64_t written = 0;
  for (int round = 0; round < 400; ++round) {
    for (int i = 0; i < 8; ++i, ++written) {
      const std::string tag = std::to_string(written);
      RecordSpan("tagged", written + 1,
                 "n=" + tag + "\npad=" + std::string(written % 180, '.'));
    }
    Drain();
  }
  ASSERT_EQ(sink_.spans.size(), written);
  for (size_t i = 0; i < sink_.spans.size(); ++i) {
    ASSERT_EQ(sink_.spans[i].meta,
              "n=" + std::to_string(i) + "\npad=" + std::string(i % 180, '.'));
  }
}

TEST_F(RecordingTest, QuarterFullRingWakesTheCollector) {
  Drain();  // arms the doorbell
  pollfd entry{collector_->epoll_fd(), POLLIN, 0};
  RecordSpan("few");
  EXPECT_EQ(poll(&entry, 1, 0), 0);
  for (int i = 0; i < 600; ++i) {
    RecordSpan("many");
  }
  EXPECT_EQ(poll(&entry, 1, 0), 1);
  Drain();
  EXPECT_EQ(poll(&entry, 1, 0), 0);
}

TEST_F(RecordingTest, CallsLeaveErrnoAlone) {
  errno = 1234;
  EXPECT_EQ(edgewise_connect(), 1);
  for (int i = 0; i < 5000; ++i) {
    RecordSpan("burst");
  }
  EXPECT_EQ(errno, 1234);
  Drain();
  collector_.reset();
  errno = 1234;
  edgewise_connect();
  RecordSpan("nobody");
  EXPECT_EQ(errno, 1234);
}

}  // namespace
}  // namespace edgewise

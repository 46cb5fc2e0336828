#include "live/tap.h"

#include <gtest/gtest.h>

namespace edgewise::live {
namespace {

class RememberingSink : public RingSink {
 public:
  void OnClientStart(const RingClient&) override {}
  void OnName(const RingClient&, uint32_t id, EventKind kind,
              std::string_view name) override {
    EXPECT_EQ(id, names.size());
    names.emplace_back(kind, name);
  }
  void OnSpans(const RingClient&, std::span<const SpanEvent> events) override {
    for (const SpanEvent& event : events) {
      spans.push_back(event);
      metas.emplace_back(event.meta);
    }
  }
  void OnMetrics(const RingClient&,
                 std::span<const MetricEvent> events) override {
    metrics.insert(metrics.end(), events.begin(), events.end());
  }
  void OnJobs(const RingClient&, std::span<const JobEvent> events) override {
    jobs.insert(jobs.end(), events.begin(), events.end());
  }
  void OnClientEnd(const RingClient&, const RingAccount&) override {}

  std::vector<std::pair<EventKind, std::string>> names;
  std::vector<SpanEvent> spans;
  std::vector<std::string> metas;
  std::vector<MetricEvent> metrics;
  std::vector<JobEvent> jobs;
};

class TapTest : public testing::Test {
 protected:
  LiveMetric span_{EventKind::kSpan, "frame", 0};
  LiveMetric gauge_{EventKind::kGauge, "queue", 0};
  LiveMetric job_{EventKind::kJob, "loop", 0};
  // By the client's names; it has one that the agent does not keep.
  std::vector<LiveMetric*> metrics_ = {&gauge_, nullptr, &span_, &job_};
  TapWriter writer_;
  RememberingSink sink_;
  TapReader reader_{RingClient{}, sink_};

  std::string Stream() {
    const SpanEvent spans[] = {{2, 7, 100, 50, 20, "src=cam"},
                               {1, 7, 1, 1, std::nullopt, ""},
                               {2, 8, 200, 60, std::nullopt, ""}};
    const MetricEvent metrics[] = {{0, 7, 300, -1.25}};
    const JobEvent jobs[] = {{3, 7, 10, 20, 30, 40, 5}};
    writer_.Add(spans, metrics_);
    writer_.Add(metrics, metrics_);
    writer_.Add(jobs, metrics_);
    return std::move(writer_.waiting());
  }
  void ExpectAll() {
    ASSERT_EQ(sink_.spans.size(), 2u);
    EXPECT_EQ(sink_.names[sink_.spans[0].name].second, "frame");
    EXPECT_EQ(sink_.spans[0].start_ns, 100);
    EXPECT_EQ(sink_.spans[0].cpu_ns, 20);
    EXPECT_EQ(sink_.metas[0], "src=cam");
    EXPECT_FALSE(sink_.spans[1].cpu_ns.has_value());
    ASSERT_EQ(sink_.metrics.size(), 1u);
    EXPECT_DOUBLE_EQ(sink_.metrics[0].value, -1.25);
    ASSERT_EQ(sink_.jobs.size(), 1u);
    EXPECT_EQ(sink_.jobs[0].deadline_ns, 40);
    EXPECT_EQ(reader_.events(), 4u);
  }
};

TEST_F(TapTest, EventsArriveAsTheyWere) {
  ASSERT_TRUE(reader_.Take(Stream()));
  ExpectAll();
}

TEST_F(TapTest, FramesMayBeCutAnywhere) {
  const std::string stream = Stream();
  for (const char byte : stream) {
    ASSERT_TRUE(reader_.Take({&byte, 1}));
  }
  ExpectAll();
}

TEST_F(TapTest, ASlowReaderLosesEventsAndTheyAreCounted) {
  const SpanEvent span{2, 7, 100, 50, 20, "src=cam"};
  const std::vector<SpanEvent> spans(1000, span);
  for (int i = 0; i < 1000 && writer_.lost() == 0; ++i) {
    writer_.Add(spans, metrics_);
  }
  EXPECT_GT(writer_.lost(), 0u);
  EXPECT_LE(writer_.waiting().size(), TapWriter::kMostWaitingBytes + 4096);
}

TEST_F(TapTest, RubbishIsAnErrorAndNoMore) {
  EXPECT_FALSE(TapReader({}, sink_).Take(std::string(8, '\xFF')));
  EXPECT_FALSE(TapReader({}, sink_).Take(std::string(8, '\0')));
  using namespace std::string_literals;
  // A span of a name that was not announced; a frame of an unknown type.
  EXPECT_FALSE(TapReader({}, sink_).Take("\x07\0\0\0S\0\0\0\0\0\0"s));
  EXPECT_FALSE(TapReader({}, sink_).Take("\x01\0\0\0X"s));
}

}  // namespace
}  // namespace edgewise::live

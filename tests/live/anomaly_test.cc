#include "live/anomaly.h"

#include <gtest/gtest.h>

#include "../probes/fake_tree.h"
#include "live/live_sink.h"

namespace edgewise::live {
namespace {

constexpr int64_t kNowNs = 500 * kNsPerSecond;

class AnomalyTest : public testing::Test {
 protected:
  void Spans(int count, int64_t duration_ns) {
    LiveMetric* span =
        MetricOf(app_, EventKind::kSpan, "frame", kNowNs - 10 * kNsPerSecond);
    for (int i = 0; i < count; ++i) {
      span->AddDuration(duration_ns, kNowNs);
    }
  }
  static Card CardWithP95(double high_ms) {
    Card card;
    card.name = "cam";
    card.evidence.emplace();
    card.evidence->span = "frame";
    card.evidence->quantiles = {{0.95, high_ms - 1, high_ms - 2, high_ms}};
    return card;
  }
  LiveApp app_;
};

TEST_F(AnomalyTest, AnAppWithinItsCardHasNone) {
  Spans(200, 9'000'000);
  app_.reading.emplace();
  app_.reading->processes = 1;
  app_.reading->rss_bytes = 100 << 20;
  Card card = CardWithP95(10);
  card.rss_mb = 90;
  card.cpu_share_percent = 50;
  EXPECT_TRUE(CompareWithCard(app_, card, 55, kNowNs).empty());
}

TEST_F(AnomalyTest, LatencyAboveTheCardIsMarkedWithItsEvidence) {
  Spans(200, 30'000'000);
  const auto anomalies =
      CompareWithCard(app_, CardWithP95(10), std::nullopt, kNowNs);
  ASSERT_EQ(anomalies.size(), 1u);
  EXPECT_EQ(anomalies[0].kind, "latency");
  EXPECT_NE(anomalies[0].evidence.find("frame"), std::string::npos);
  EXPECT_NE(anomalies[0].evidence.find("of 10 ms"), std::string::npos)
      << anomalies[0].evidence;
}

TEST_F(AnomalyTest, TooFewSamplesAreNoEvidence) {
  Spans(5, 30'000'000);
  EXPECT_TRUE(
      CompareWithCard(app_, CardWithP95(10), std::nullopt, kNowNs).empty());
}

TEST_F(AnomalyTest, MemoryAndCpuBeyondTheirMarginAreMarked) {
  app_.reading.emplace();
  app_.reading->processes = 1;
  app_.reading->rss_bytes = 150 << 20;
  Card card;
  card.rss_mb = 100;
  card.cpu_share_percent = 40;
  const auto anomalies = CompareWithCard(app_, card, 80, kNowNs);
  ASSERT_EQ(anomalies.size(), 2u);
  EXPECT_EQ(anomalies[0].kind, "memory");
  EXPECT_EQ(anomalies[1].kind, "cpu");
}

TEST_F(AnomalyTest, MemoryThatWouldSoonPassTheCardIsMarked) {
  app_.reading.emplace();
  app_.reading->processes = 1;
  app_.reading->rss_bytes = 139 << 20;
  for (int i = 0; i < 40; ++i) {
    app_.memory.Add((i + 1) * MemoryTrail::kPointEveryNs,
                    int64_t{100 + i} << 20);
  }
  Card card;
  card.rss_mb = 200;
  const auto anomalies = CompareWithCard(app_, card, std::nullopt, kNowNs);
  ASSERT_EQ(anomalies.size(), 1u);
  EXPECT_EQ(anomalies[0].kind, "memory growth");
  EXPECT_NE(anomalies[0].evidence.find("by 4 MiB a minute"), std::string::npos)
      << anomalies[0].evidence;
  card.rss_mb = 2000;  // not within the hour
  EXPECT_TRUE(CompareWithCard(app_, card, std::nullopt, kNowNs).empty());
}

TEST(ReadCardsTest, ReadsAFolderAndNamesABadOne) {
  const FakeTree folder;
  folder.Write("cam.yaml", "name: cam\nwcet_ms: 12\n");
  folder.Write("notes.txt", "no card");
  const auto cards = ReadCards(folder.root());
  ASSERT_TRUE(cards) << cards.error().message;
  EXPECT_EQ(cards->at("cam").wcet_ms, 12);
  folder.Write("bad.yaml", "wcet_ms: soon\n");
  const auto bad = ReadCards(folder.root());
  ASSERT_FALSE(bad);
  EXPECT_NE(bad.error().message.find("bad.yaml"), std::string::npos);
  EXPECT_FALSE(ReadCards(folder / "none"));
}

}  // namespace
}  // namespace edgewise::live

#include "live/observe_app.h"

#include <gtest/gtest.h>

#include "base/clock.h"

namespace edgewise::live {
namespace {

class ObserveAppTest : public testing::Test {
 protected:
  LiveMetric& Add(EventKind kind, const std::string& name) {
    auto& metric = app_.metrics[{kind, name}];
    metric = std::make_unique<LiveMetric>(kind, name, kNsPerSecond);
    return *metric;
  }
  GoalFigures Figures(const char* goal) {
    return FiguresFor(*control::ParseGoal(goal), app_, now_ns_);
  }
  LiveApp app_;
  int64_t now_ns_ = 5 * kNsPerSecond;
};

TEST_F(ObserveAppTest, TicksOfARateAreCounted) {
  LiveMetric& fps = Add(EventKind::kRate, "fps");
  for (int i = 0; i < 40; ++i) {  // in bursts: each says 100 a second
    fps.AddValue(100, now_ns_ - 2 * kNsPerSecond + i * 50 * kNsPerMs);
  }
  EXPECT_NEAR(*Figures("fps >= 15").measured, 20, 5);
}

TEST_F(ObserveAppTest, ARateThatIsReportedSeldomIsTakenAsItIs) {
  LiveMetric& fps = Add(EventKind::kRate, "fps");
  fps.AddValue(30, now_ns_ - kNsPerSecond);
  fps.AddValue(30, now_ns_);
  EXPECT_NEAR(*Figures("fps >= 15").measured, 30, 1);
}

TEST_F(ObserveAppTest, WithoutARateTheMainSpanCounts) {
  LiveMetric& frame = Add(EventKind::kSpan, "frame");
  for (int i = 0; i < 20; ++i) {
    frame.AddDuration(kNsPerMs,
                      now_ns_ - 2 * kNsPerSecond + i * 100 * kNsPerMs);
  }
  EXPECT_NEAR(*Figures("fps >= 15").measured, 10, 3);
  EXPECT_NEAR(*Figures("p95(frame) <= 5ms").measured, 1e6, 2e4);
  EXPECT_FALSE(Figures("p95(other) <= 5ms").measured);
}

TEST_F(ObserveAppTest, AnItemThatDoesNotEndIsLate) {
  LiveMetric& frame = Add(EventKind::kSpan, "frame");
  frame.AddDuration(kNsPerMs, kNsPerSecond);
  now_ns_ = 60 * kNsPerSecond;
  EXPECT_EQ(*Figures("p95(frame) <= 5ms").measured, 59e9);
  EXPECT_EQ(*Figures("fps >= 1").measured, 0);
}

TEST_F(ObserveAppTest, CardsSayWhatAGoalTakes) {
  Card card;
  EXPECT_FALSE(CardCores(card, std::nullopt));
  card.cpu_share_percent = 50;
  EXPECT_DOUBLE_EQ(*CardCores(card, std::nullopt), 0.6);
  card.avg_ms = 20;
  EXPECT_DOUBLE_EQ(*CardCores(card, *control::ParseGoal("fps >= 10")), 0.24);
  card.resources.emplace();
  card.resources->target.cpu_cores = 0.35;
  EXPECT_DOUBLE_EQ(*CardCores(card, *control::ParseGoal("fps >= 10")), 0.35);
}

}  // namespace
}  // namespace edgewise::live

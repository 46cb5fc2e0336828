#include "experiments/target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace edgewise {
namespace {

using testing::HasSubstr;

Target One(std::string_view text) {
  auto targets = ParseTargets(text);
  EXPECT_TRUE(targets) << text;
  if (!targets || targets->size() != 1) {
    ADD_FAILURE() << text;
    return {};
  }
  return targets->front();
}

TEST(TargetTest, RatesCountItemsASecond) {
  EXPECT_EQ(One("fps>=10").kind, TargetKind::kRate);
  EXPECT_EQ(One("fps>=10").limit, 10);
  EXPECT_EQ(One("fps>=10").span, "");
  EXPECT_EQ(One(" rate ( frame ) >= 2.5 ").span, "frame");
  EXPECT_EQ(One(" rate ( frame ) >= 2.5 ").limit, 2.5);
  EXPECT_EQ(One(" rate ( frame ) >= 2.5 ").text, "rate(frame)>=2.5");
}

TEST(TargetTest, TimesHaveAQuantileAndASpan) {
  const Target target = One("p95(frame)<=80ms");
  EXPECT_EQ(target.kind, TargetKind::kQuantile);
  EXPECT_EQ(target.quantile, 0.95);
  EXPECT_EQ(target.span, "frame");
  EXPECT_EQ(target.limit, 80e6);
  EXPECT_EQ(One("p99.9(a b)<=1s").quantile, 0.999);
  EXPECT_EQ(One("p99.9(a b)<=1s").span, "a b");
  EXPECT_EQ(One("p50<=1ms").span, "");
  EXPECT_EQ(One("mean(frame)<=1us").kind, TargetKind::kMean);
  EXPECT_EQ(One("max(frame)<=1s").kind, TargetKind::kMax);
}

TEST(TargetTest, SpansMayHaveAnyName) {
  EXPECT_EQ(One("p50(a<=b)<=1ms").span, "a<=b");
  EXPECT_EQ(One("p50(f(x))<=1ms").span, "f(x)");
}

TEST(TargetTest, WallTimeAndMissesAreTargetsToo) {
  EXPECT_EQ(One("wall<=2m").limit, 120e9);
  EXPECT_EQ(One("misses(frame)<=1%").limit, 0.01);
  EXPECT_EQ(One("misses(frame)<=0%").limit, 0);
}

TEST(TargetTest, SeveralAreJoinedByAnd) {
  const auto targets = ParseTargets("fps>=10 and p95(frame)<=80ms");
  ASSERT_TRUE(targets);
  ASSERT_EQ(targets->size(), 2u);
  EXPECT_EQ((*targets)[1].span, "frame");
}

TEST(TargetTest, NonsenseIsRefusedWithAnExample) {
  for (const char* bad : {"",
                          "fps",
                          "fps>10",
                          "fps<=10",
                          "fps>=",
                          "fps>=-1",
                          "fps>=0",
                          "fps>=nan",
                          "fps>=10/s",
                          "fps(frame)>=10",
                          "p95(frame)<=80",
                          "p95(frame)>=80ms",
                          "p95(<=80ms",
                          "p95()<=80ms",
                          "p42(frame)<=80ms",
                          "misses(frame)<=1",
                          "misses(frame)<=100%",
                          "misses(frame)<=-1%",
                          "wall(frame)<=1s",
                          "wall<=0s",
                          "fps>=10 and ",
                          " and fps>=10",
                          "p95(frame<=80ms"}) {
    const auto targets = ParseTargets(bad);
    ASSERT_FALSE(targets) << bad;
    EXPECT_EQ(targets.error().code, ErrorCode::kInvalid);
    EXPECT_THAT(targets.error().message, HasSubstr("fps>=10")) << bad;
  }
}

TEST(TargetTest, FiguresReadAsTheTargetDoes) {
  EXPECT_EQ(FigureText(One("fps>=10"), 9.613), "9.61 fps");
  EXPECT_EQ(FigureText(One("rate(x)>=10"), 9.613), "9.61 /s");
  EXPECT_EQ(FigureText(One("p95(x)<=80ms"), 81.2e6), "81.2 ms");
  EXPECT_EQ(FigureText(One("misses(x)<=1%"), 0.0123), "1.23% missed");
}

}  // namespace
}  // namespace edgewise

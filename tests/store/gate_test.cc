#include "store/gate.h"

#include <gtest/gtest.h>

#include "store/temporary_store.h"

namespace edgewise {
namespace {

TEST(GateTest, ReadsRatiosPercentagesAndAmounts) {
  const auto p95 = ParseGate("p95 > 1.10x");
  ASSERT_TRUE(p95) << p95.error().message;
  EXPECT_EQ(p95->quantile, 0.95);
  EXPECT_TRUE(p95->relative);
  EXPECT_DOUBLE_EQ(p95->limit, 1.10);
  EXPECT_EQ(p95->span, "");
  const auto more = ParseGate("memory>+10%");
  ASSERT_TRUE(more);
  EXPECT_EQ(more->total, "tree_peak_bytes");
  EXPECT_DOUBLE_EQ(more->limit, 1.1);
  const auto amount = ParseGate("two words p99 >= 40ms");
  ASSERT_TRUE(amount);
  EXPECT_EQ(amount->span, "two words");
  EXPECT_FALSE(amount->relative);
  EXPECT_DOUBLE_EQ(amount->limit, 40e6);
  const auto wall = ParseGate("wall > 30s");
  ASSERT_TRUE(wall);
  EXPECT_DOUBLE_EQ(wall->limit, 30);
  const auto below = ParseGate("cpu < 0.5x");
  ASSERT_TRUE(below);
  EXPECT_FALSE(below->above);
}

TEST(GateTest, BadExpressionsAreRefused) {
  for (const char* bad :
       {"", "p95", "> 1x", "p95 >", "p95 > x", "p95 > 0x", "p95 > -2x",
        "p95 > nanx", "p77 > 1x", "p95 > 40", "memory > 40parsecs",
        "frame wall > 2x", "p95 > infx", "p95 > -200%"}) {
    const auto gate = ParseGate(bad);
    ASSERT_FALSE(gate) << bad;
    EXPECT_EQ(gate.error().code, ErrorCode::kInvalid);
    EXPECT_NE(gate.error().message.find("FIGURE > LIMIT"), std::string::npos);
  }
}

class JudgeGateTest : public TemporaryStoreTest {
 protected:
  edgewise::Run Add(double scale) {
    edgewise::Run run;
    run.id = NewRunId();
    auto writer = store_->Begin(run);
    EXPECT_TRUE(writer);
    const double noise = 1 + 0.002 * (count_++ % 5);
    run.state = RunState::kDone;
    run.totals.wall_s = scale * noise;
    const int64_t frames = writer->SeriesId(SeriesKind::kSpan, "frame", "");
    for (int i = 0; i < 300; ++i) {
      const Span span{i * 1'000'000, static_cast<int64_t>(scale * noise * 1e6 +
                                                          i % 11 * 1000)};
      writer->AddSpans(frames, {&span, 1});
    }
    EXPECT_TRUE(writer->Finish(run));
    return run;
  }
  std::vector<GateFinding> Judge(const std::vector<edgewise::Run>& a,
                                 const std::vector<edgewise::Run>& b,
                                 const char* text) {
    const auto comparison = CompareSets(*store_, a, b);
    EXPECT_TRUE(comparison);
    const auto gate = ParseGate(text);
    EXPECT_TRUE(gate) << text;
    const auto findings = JudgeGate(*store_, *comparison, *gate);
    EXPECT_TRUE(findings) << findings.error().message;
    return findings ? *findings : std::vector<GateFinding>();
  }
  std::vector<edgewise::Run> Several(double scale, int count) {
    std::vector<edgewise::Run> runs;
    for (int i = 0; i < count; ++i) {
      runs.push_back(Add(scale));
    }
    return runs;
  }
  int count_ = 0;
};

TEST_F(JudgeGateTest, HoldsOnlyBeyondTheInterval) {
  const auto a = Several(1.0, 6);
  const auto b = Several(1.3, 6);
  EXPECT_EQ(Judge(a, b, "p95 > 1.10x").front().outcome, GateOutcome::kHolds);
  EXPECT_EQ(Judge(a, b, "wall > 1.10x").front().outcome, GateOutcome::kHolds);
  EXPECT_EQ(Judge(a, b, "wall > 1.30x").front().outcome,
            GateOutcome::kUndecided);
  EXPECT_EQ(Judge(a, b, "wall > 2x").front().outcome, GateOutcome::kNot);
  EXPECT_EQ(Judge(a, a, "p95 > 1.10x").front().outcome, GateOutcome::kNot);
  EXPECT_EQ(Judge(a, b, "frame p99 > 1.1ms").front().outcome,
            GateOutcome::kHolds);
  EXPECT_EQ(Judge(b, a, "wall < 0.9x").front().outcome, GateOutcome::kHolds);
}

TEST_F(JudgeGateTest, TooFewRunsAreNotAPass) {
  const auto a = Several(1.0, 2);
  const auto b = Several(3.0, 2);
  const auto findings = Judge(a, b, "wall > 1.10x");
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings.front().outcome, GateOutcome::kInsufficient);
  EXPECT_NE(findings.front().sentence.find("five"), std::string::npos);
}

TEST_F(JudgeGateTest, UnknownSpanNamesThoseThereAre) {
  const auto runs = Several(1.0, 1);
  const auto comparison = CompareSets(*store_, runs, runs);
  ASSERT_TRUE(comparison);
  const auto findings =
      JudgeGate(*store_, *comparison, *ParseGate("stage p95 > 1.1x"));
  ASSERT_FALSE(findings);
  EXPECT_NE(findings.error().message.find("frame"), std::string::npos);
}

}  // namespace
}  // namespace edgewise

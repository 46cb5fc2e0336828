#include "store/analysis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "base/clock.h"
#include "store/temp_home.h"

namespace edgewise {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class AnalysisTest : public ::testing::Test {
 protected:
  TempHome home_;
  Store store_ = home_.Open();
};

// Independent spans around `median_ns`, from a fixed seed.
std::vector<Span> RandomSpans(int64_t count, double median_ns, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::lognormal_distribution<double> wall(std::log(median_ns), 0.1);
  std::vector<Span> spans = RegularSpans(count);
  for (Span& span : spans) {
    span.wall_ns = static_cast<int64_t>(wall(random));
  }
  return spans;
}

TEST_F(AnalysisTest, SpansBecomeFigures) {
  const edgewise::Run run =
      StoreRun(store_, NewRun("aaaaaaaaaaaa"), RegularSpans(500));
  const auto analysis = Analyse(store_, run);
  ASSERT_TRUE(analysis) << analysis.error().message;
  ASSERT_EQ(analysis->spans.size(), 1U);
  const SpanAnalysis& frame = analysis->spans.front();
  EXPECT_EQ(frame.name, "frame");
  EXPECT_EQ(frame.wall_ns.count, 500);
  EXPECT_DOUBLE_EQ(*frame.wall_ns.mean, 1e6);
  EXPECT_DOUBLE_EQ(frame.wall_ns.p99->value, 1e6);
  EXPECT_EQ(frame.cpu_count, 500);
  EXPECT_DOUBLE_EQ(*frame.cpu_mean_ns, 4e5);
  // 500 spans from 0 to 499 * 2 ms + 1 ms.
  EXPECT_NEAR(*frame.wall_ns.throughput_per_s, 500 / 0.999, 1e-9);
  EXPECT_FALSE(frame.jobs);
  EXPECT_THAT(analysis->warnings, IsEmpty());
}

TEST_F(AnalysisTest, SpansThatStartedInTheWarmupAreLeftOutAndCounted) {
  edgewise::Run run = NewRun("aaaaaaaaaaaa");
  run.conditions.warmup_ns = 100 * kNsPerMs;  // 50 spans, one every 2 ms
  run = StoreRun(store_, run, RegularSpans(200));
  const auto analysis = Analyse(store_, run);
  ASSERT_TRUE(analysis);
  EXPECT_EQ(analysis->spans.front().wall_ns.count, 150);
  EXPECT_EQ(analysis->spans.front().warmup_excluded, 50);
}

TEST_F(AnalysisTest, WallOnlySpansHaveNoCpuTime) {
  std::vector<Span> spans = RegularSpans(10);
  for (Span& span : spans) {
    span.cpu_ns = -1;
  }
  const edgewise::Run run = StoreRun(store_, NewRun("aaaaaaaaaaaa"), spans);
  const auto analysis = Analyse(store_, run);
  ASSERT_TRUE(analysis);
  EXPECT_EQ(analysis->spans.front().cpu_count, 0);
  EXPECT_FALSE(analysis->spans.front().cpu_mean_ns);
}

TEST_F(AnalysisTest, SamplesAreTakenInTheOrderOfTheirStarts) {
  // Two threads' rings, drained one after the other: 1, 1, … then 3, 3, …
  // alternate in time, so successive samples differ by 2 ms.
  std::vector<Span> spans;
  for (int64_t thread = 0; thread < 2; ++thread) {
    for (int64_t i = 0; i < 50; ++i) {
      Span span;
      span.start_ns = (2 * i + thread) * 10 * kNsPerMs;
      span.wall_ns = (1 + 2 * thread) * kNsPerMs;
      spans.push_back(span);
    }
  }
  const edgewise::Run run = StoreRun(store_, NewRun("aaaaaaaaaaaa"), spans);
  const auto analysis = Analyse(store_, run);
  ASSERT_TRUE(analysis);
  EXPECT_DOUBLE_EQ(*analysis->spans.front().wall_ns.jitter, 2e6);
}

TEST_F(AnalysisTest, JobsTellMissesAndResponseTimes) {
  edgewise::Run run = NewRun("aaaaaaaaaaaa");
  auto writer = store_.Begin(run);
  ASSERT_TRUE(writer);
  const int64_t audio = writer->SeriesId(SeriesKind::kJob, "audio", "");
  for (int64_t i = 0; i < 100; ++i) {
    Job job;
    job.release_ns = i * 20 * kNsPerMs;
    job.start_ns = job.release_ns + kNsPerMs;
    job.end_ns = job.start_ns + (i < 10 ? 25 : 5) * kNsPerMs;
    job.deadline_ns = job.release_ns + 20 * kNsPerMs;
    writer->AddJobs(audio, {&job, 1});
  }
  run.state = RunState::kDone;
  ASSERT_TRUE(writer->Finish(run));
  const auto analysis = Analyse(store_, run);
  ASSERT_TRUE(analysis);
  const SpanAnalysis& span = analysis->spans.front();
  EXPECT_DOUBLE_EQ(*span.wall_ns.max, 25e6);
  ASSERT_TRUE(span.jobs);
  EXPECT_EQ(span.jobs->deadline_misses, 10);
  EXPECT_DOUBLE_EQ(*span.jobs->response_ns.max, 26e6);
  EXPECT_DOUBLE_EQ(*span.jobs->max_lateness_ns, 6e6);
}

TEST_F(AnalysisTest, SummarisedRecordsAreInTheFigures) {
  WriterLimits limits;
  limits.max_stored_bytes = 10'000;
  edgewise::Run run = NewRun("aaaaaaaaaaaa");
  auto writer = store_.Begin(run, limits);
  ASSERT_TRUE(writer);
  const int64_t frames = writer->SeriesId(SeriesKind::kSpan, "frame", "");
  double sum = 0;
  for (int i = 0; i < 100; ++i) {
    const auto spans =
        RandomSpans(1000, i < 50 ? 1e6 : 2e6, static_cast<uint64_t>(i));
    for (const Span& span : spans) {
      sum += static_cast<double>(span.wall_ns);
    }
    writer->AddSpans(frames, spans);
    ASSERT_TRUE(writer->Flush());
  }
  run.state = RunState::kDone;
  ASSERT_TRUE(writer->Finish(run));
  const auto analysis = Analyse(store_, run);
  ASSERT_TRUE(analysis);
  const SpanAnalysis& frame = analysis->spans.front();
  EXPECT_TRUE(frame.wall_ns.used_sketch);
  EXPECT_EQ(frame.wall_ns.count, 100'000);
  EXPECT_GT(frame.summarised, 90'000);
  EXPECT_NEAR(*frame.wall_ns.mean, sum / 100'000, 1);
  EXPECT_NEAR(frame.wall_ns.p90->value, 2e6 * std::exp(0.1 * 0.8416), 5e4);
  EXPECT_THAT(analysis->warnings, Contains(HasSubstr("only the distribution")));
}

TEST_F(AnalysisTest, SeriesHaveExtremesAndMean) {
  edgewise::Run run = NewRun("aaaaaaaaaaaa");
  auto writer = store_.Begin(run);
  ASSERT_TRUE(writer);
  const int64_t load = writer->SeriesId(SeriesKind::kSystem, "load", "percent");
  for (const double value : {10.0, 40.0, 25.0}) {
    writer->AddPoint(load, {1, value});
  }
  writer->SeriesId(SeriesKind::kGauge, "never set", "");
  run.state = RunState::kDone;
  ASSERT_TRUE(writer->Finish(run));
  const auto analysis = Analyse(store_, run);
  ASSERT_TRUE(analysis);
  ASSERT_EQ(analysis->series.size(), 2U);
  EXPECT_DOUBLE_EQ(*analysis->series[0].min, 10);
  EXPECT_DOUBLE_EQ(*analysis->series[0].mean, 25);
  EXPECT_DOUBLE_EQ(*analysis->series[0].max, 40);
  EXPECT_DOUBLE_EQ(*analysis->series[0].last, 25);
  EXPECT_FALSE(analysis->series[1].mean) << "unknown is not 0";
}

TEST_F(AnalysisTest, RatiosNeedBothSides) {
  edgewise::Run run = NewRun("aaaaaaaaaaaa");
  run.totals.wall_s = 2;
  run.totals.cpu_user_s = 2.5;
  run.totals.cpu_system_s = 0.5;
  run.counters = {{"cycles", 1000.0, 1},
                  {"instructions", 2500.0, 0.5},
                  {"cache-misses", 5.0, 1},
                  {"branches", std::nullopt, 1}};
  run = StoreRun(store_, run);
  const auto analysis = Analyse(store_, run);
  ASSERT_TRUE(analysis);
  EXPECT_DOUBLE_EQ(*analysis->cpu_percent, 150);
  EXPECT_DOUBLE_EQ(*analysis->instructions_per_cycle, 2.5);
  EXPECT_FALSE(analysis->cache_miss_percent);
  EXPECT_FALSE(analysis->branch_miss_percent);
  EXPECT_THAT(analysis->warnings, Contains(HasSubstr("scaled up")));
}

TEST_F(AnalysisTest, WhatWeakensTheFiguresIsTold) {
  edgewise::Run run = NewRun("aaaaaaaaaaaa");
  run.totals.wall_s = 10;
  run.totals.steal_s = 1;
  run.machine.cores = 2;
  run.totals.throttled_periods = 12;
  run.clients = {{5, "app", 10, 0, 0, {"frame"}}};
  auto writer = store_.Begin(run);
  ASSERT_TRUE(writer);
  const int64_t frames = writer->SeriesId(SeriesKind::kSpan, "frame", "");
  writer->AddDropped(frames, 1234);
  run.state = RunState::kInterrupted;
  ASSERT_TRUE(writer->Finish(run));
  const auto analysis = Analyse(store_, run);
  ASSERT_TRUE(analysis);
  EXPECT_THAT(analysis->warnings,
              ElementsAre(HasSubstr("interrupted"), HasSubstr("5.0%"),
                          HasSubstr("12 periods"), HasSubstr("inside of"),
                          HasSubstr("1,234 records")));
}

TEST_F(AnalysisTest, AWarmupThatWasNotCutOffIsTold) {
  std::vector<Span> spans = RandomSpans(1000, 1e6, 1);
  for (size_t i = 0; i < 100; ++i) {
    spans[i].wall_ns *= 5;
  }
  const edgewise::Run run = StoreRun(store_, NewRun("aaaaaaaaaaaa"), spans);
  const auto analysis = Analyse(store_, run);
  ASSERT_TRUE(analysis);
  EXPECT_THAT(analysis->warnings, Contains(HasSubstr("--warmup 200ms")));
}

TEST_F(AnalysisTest, GroupsHaveIntervalsAndPooledSpans) {
  std::vector<edgewise::Run> runs;
  for (int i = 0; i < 5; ++i) {
    edgewise::Run run = NewRun("aaaaaaaaaaa" + std::to_string(i), i);
    run.totals.wall_s = 10 + i;  // mean 12, stddev sqrt(2.5)
    if (i < 4) {
      run.totals.max_rss_bytes = 1000;
    }
    runs.push_back(StoreRun(store_, run, RegularSpans(100)));
  }
  runs.back().exit_code = 1;
  const auto group = AnalyseGroup(store_, runs);
  ASSERT_TRUE(group) << group.error().message;
  ASSERT_EQ(group->figures.size(), 2U);
  const RepeatFigure& wall = group->figures[0];
  EXPECT_EQ(wall.name, "wall_s");
  EXPECT_DOUBLE_EQ(wall.mean, 12);
  EXPECT_NEAR(*wall.stddev, std::sqrt(2.5), 1e-12);
  // t(0.975; 4) = 2.776445
  EXPECT_NEAR(*wall.high - wall.mean, 2.776445 * std::sqrt(2.5 / 5), 1e-5);
  EXPECT_EQ(group->figures[1].count, 4);
  ASSERT_EQ(group->spans.size(), 1U);
  EXPECT_EQ(group->spans.front().wall_ns.count, 500);
  EXPECT_NEAR(*group->spans.front().wall_ns.throughput_per_s, 100 / 0.199,
              1e-6);
  EXPECT_THAT(group->warnings, ElementsAre(HasSubstr("1 of 5 repeats")));
}

TEST_F(AnalysisTest, IntervalsOfTotalsDoNotReachBelowZero) {
  std::vector<edgewise::Run> runs;
  for (int i = 0; i < 3; ++i) {
    edgewise::Run run = NewRun("aaaaaaaaaaa" + std::to_string(i), i);
    run.totals.wall_s = i == 0 ? 100 : 1;
    runs.push_back(StoreRun(store_, run));
  }
  const auto group = AnalyseGroup(store_, runs);
  ASSERT_TRUE(group);
  EXPECT_EQ(group->figures.front().low, 0.0);
  EXPECT_GT(*group->figures.front().high, 100);
}

TEST_F(AnalysisTest, OneRunHasNoInterval) {
  edgewise::Run run = NewRun("aaaaaaaaaaaa");
  run.totals.wall_s = 3;
  run = StoreRun(store_, run);
  const auto group = AnalyseGroup(store_, {&run, 1});
  ASSERT_TRUE(group);
  EXPECT_FALSE(group->figures.front().stddev);
  EXPECT_FALSE(group->figures.front().low);
  EXPECT_FALSE(AnalyseGroup(store_, {}));
}

TEST_F(AnalysisTest, ASlowerRunIsShownByItsSpans) {
  const edgewise::Run a =
      StoreRun(store_, NewRun("aaaaaaaaaaaa", 1), RandomSpans(1000, 1e6, 1));
  const edgewise::Run b =
      StoreRun(store_, NewRun("bbbbbbbbbbbb", 2), RandomSpans(1000, 1.2e6, 2));
  const auto comparison = CompareRuns(store_, a, b);
  ASSERT_TRUE(comparison);
  ASSERT_EQ(comparison->spans.size(), 1U);
  const SpanComparison& frame = comparison->spans.front();
  EXPECT_EQ(frame.median.verdict, stats::Verdict::kSlower);
  EXPECT_NEAR(*frame.median.ratio, 1.2, 0.03);
  EXPECT_TRUE(AnySlower(*comparison));
  EXPECT_THAT(comparison->warnings, Contains(HasSubstr("edgewise ab")));
}

TEST_F(AnalysisTest, ARunAgainstItselfShowsNoDifference) {
  const edgewise::Run a =
      StoreRun(store_, NewRun("aaaaaaaaaaaa", 1), RandomSpans(1000, 1e6, 1));
  const auto comparison = CompareRuns(store_, a, a);
  ASSERT_TRUE(comparison);
  EXPECT_EQ(comparison->spans.front().median.verdict,
            stats::Verdict::kNoDifference);
  EXPECT_FALSE(AnySlower(*comparison));
}

TEST_F(AnalysisTest, NamesOfOneSideOnlyAreTold) {
  const edgewise::Run a =
      StoreRun(store_, NewRun("aaaaaaaaaaaa", 1), RegularSpans(10), "decode");
  edgewise::Run other = NewRun("bbbbbbbbbbbb", 2);
  other.machine.fingerprint = "elsewhere";
  other.conditions.threads = 2;
  const edgewise::Run b = StoreRun(store_, other, RegularSpans(10), "infer");
  const auto comparison = CompareRuns(store_, a, b);
  ASSERT_TRUE(comparison);
  EXPECT_THAT(comparison->only_in_a, ElementsAre("decode"));
  EXPECT_THAT(comparison->only_in_b, ElementsAre("infer"));
  EXPECT_THAT(comparison->warnings,
              ElementsAre(HasSubstr("different machines"),
                          HasSubstr("different conditions")));
}

class GroupComparisonTest : public AnalysisTest {
 protected:
  // Six pairs; B takes 10% longer, both drift together.
  void SetUp() override {
    std::mt19937_64 random(5);
    std::normal_distribution<double> noise(0, 0.005);
    for (int i = 0; i < 6; ++i) {
      const double drift = 1 + 0.1 * i;
      a_.push_back(Make("a", i, drift * (1 + noise(random))));
      b_.push_back(Make("b", i, 1.1 * drift * (1 + noise(random))));
    }
  }
  edgewise::Run Make(const std::string& role, int index, double wall_s) {
    edgewise::Run run = NewRun(NewRunId(), index);
    run.group = "g";
    run.group_role = role;
    run.repeat_index = index;
    run.totals.wall_s = wall_s;
    return StoreRun(
        store_, run,
        RandomSpans(200, wall_s * 1e6, static_cast<uint64_t>(index + 1)));
  }
  std::vector<edgewise::Run> a_;
  std::vector<edgewise::Run> b_;
};

TEST_F(GroupComparisonTest, PairsCancelADrift) {
  const auto comparison = CompareInterleaved(store_, a_, b_);
  ASSERT_TRUE(comparison);
  EXPECT_TRUE(comparison->interleaved);
  const TotalComparison& wall = comparison->totals.front();
  EXPECT_EQ(wall.name, "wall_s");
  EXPECT_EQ(wall.ratio.verdict, stats::Verdict::kSlower);
  EXPECT_NEAR(*wall.ratio.ratio, 1.1, 0.01);
  EXPECT_EQ(comparison->spans.front().median.verdict, stats::Verdict::kSlower);
  EXPECT_TRUE(AnySlower(*comparison));
}

TEST_F(GroupComparisonTest, TheRatioIsThatOfTheFiguresShown) {
  // An outlier moves the plain mean of A far more than the geometric one.
  a_.push_back(Make("a", 6, 20));
  b_.push_back(Make("b", 6, 2));
  const auto comparison = CompareInterleaved(store_, a_, b_);
  ASSERT_TRUE(comparison);
  const TotalComparison& wall = comparison->totals.front();
  EXPECT_NEAR(*wall.b / *wall.a, *wall.ratio.ratio, 1e-9);
  const SpanComparison& span = comparison->spans.front();
  EXPECT_NEAR(*span.mean_ns.b / *span.mean_ns.a, *span.mean.ratio, 1e-9);
  EXPECT_NEAR(*span.median_ns.b / *span.median_ns.a, *span.median.ratio, 1e-9);
  EXPECT_NEAR(*span.p99_ns.b / *span.p99_ns.a, *span.p99.ratio, 1e-9);
}

TEST_F(GroupComparisonTest, BelowFivePairsTheRatioAgreesToo) {
  const auto comparison =
      CompareInterleaved(store_, {a_.data(), 3}, {b_.data(), 3});
  ASSERT_TRUE(comparison);
  const TotalComparison& wall = comparison->totals.front();
  EXPECT_EQ(wall.ratio.verdict, stats::Verdict::kInsufficient);
  EXPECT_NEAR(*wall.b / *wall.a, *wall.ratio.ratio, 1e-9);
  const SpanComparison& span = comparison->spans.front();
  EXPECT_NEAR(*span.mean_ns.b / *span.mean_ns.a, *span.mean.ratio, 1e-9);
}

TEST_F(GroupComparisonTest, OneRunStandsForItsSideOfTheGroup) {
  const auto comparison = CompareRuns(store_, a_[3], b_[1]);
  ASSERT_TRUE(comparison);
  EXPECT_EQ(comparison->a.size(), 6U);
  EXPECT_EQ(comparison->b.size(), 6U);
  EXPECT_TRUE(comparison->interleaved);
  EXPECT_EQ(comparison->totals.front().ratio.verdict, stats::Verdict::kSlower);
}

TEST_F(GroupComparisonTest, TwoRepeatsOfOneSideStandForThemselves) {
  const auto comparison = CompareRuns(store_, a_[0], a_[5]);
  ASSERT_TRUE(comparison);
  EXPECT_EQ(comparison->a.size(), 1U);
  EXPECT_EQ(comparison->totals.front().ratio.verdict,
            stats::Verdict::kInsufficient);
  EXPECT_TRUE(comparison->totals.front().ratio.ratio);
}

}  // namespace
}  // namespace edgewise

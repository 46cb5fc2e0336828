#include "cards/make_card.h"

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
using ::testing::Not;
using ::testing::Pair;

// Independent spans of 10 to 20 ms, one every 30 ms.
std::vector<Span> Frames(int64_t count) {
  std::mt19937_64 random(9);
  std::vector<Span> spans = RegularSpans(count);
  for (Span& span : spans) {
    span.start_ns *= 15;
    span.wall_ns = static_cast<int64_t>(10'000'000 + random() % 10'000'000);
    span.cpu_ns = span.wall_ns / 2;
  }
  return spans;
}

edgewise::Run Measured(const std::string& id) {
  edgewise::Run run = NewRun(id);
  run.command = {"/opt/bin/camera", "--fps", "30"};
  run.conditions.cpus = {0, 1};
  run.conditions.frequency_khz = 1'200'000;
  run.machine.cpu_model = "Cortex-A76";
  run.machine.cores = 4;
  run.machine.fingerprint = "f00d";
  run.totals.wall_s = 10;
  run.totals.cpu_user_s = 12;
  run.totals.cpu_system_s = 1;
  run.totals.max_rss_bytes = int64_t{210} << 20;
  return run;
}

class MakeCardTest : public ::testing::Test {
 protected:
  Result<MadeCard> Make(const edgewise::Run& run,
                        const CardRequest& request = {}) {
    return MakeCard(store_, {&run, 1}, request);
  }
  TempHome home_;
  Store store_ = home_.Open();
};

TEST_F(MakeCardTest, TheDeadlineIsThePeriodUnlessToldOtherwise) {
  const auto run = StoreRun(store_, Measured("aaaaaaaaaaaa"), Frames(1000));
  CardRequest request;
  request.period_ns = 15 * kNsPerMs;
  const auto made = Make(run, request);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_DOUBLE_EQ(*made->card.deadline_ms, 15);
  EXPECT_THAT(made->warnings, ElementsAre(HasSubstr("deadline_ms 15")));
}

TEST_F(MakeCardTest, AProgramThatWasStoppedIsNoSampleOfItsTime) {
  edgewise::Run stopped = Measured("aaaaaaaaaaaa");
  stopped.end_reason = EndReason::kDuration;
  const auto whole = Make(StoreRun(store_, stopped));
  ASSERT_TRUE(whole) << whole.error().message;
  EXPECT_THAT(whole->warnings,
              Contains(HasSubstr("aaaaaaaaaaaa was ended by --duration")));
  stopped.id = "bbbbbbbbbbbb";
  const auto spans = Make(StoreRun(store_, stopped, Frames(1000)));
  ASSERT_TRUE(spans) << spans.error().message;
  EXPECT_THAT(spans->warnings, IsEmpty()) << "spans have times of their own";
}

TEST_F(MakeCardTest, ARunBecomesACardWithItsEvidence) {
  const auto run = StoreRun(store_, Measured("aaaaaaaaaaaa"), Frames(1000));
  CardRequest request;
  request.span = "frame";
  request.period_ns = 100 * kNsPerMs;
  request.deadline_ns = 50 * kNsPerMs;
  request.notes = "int8";
  const auto made = Make(run, request);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_THAT(made->warnings, IsEmpty());
  const Card& card = made->card;
  EXPECT_EQ(card.name, "camera");
  EXPECT_DOUBLE_EQ(*card.period_ms, 100);
  EXPECT_DOUBLE_EQ(*card.deadline_ms, 50);
  EXPECT_NEAR(*card.avg_ms, 15, 0.3);
  EXPECT_GT(*card.wcet_ms, 19.8);
  EXPECT_LE(*card.wcet_ms, 20);
  EXPECT_DOUBLE_EQ(*card.rss_mb, 210);
  EXPECT_DOUBLE_EQ(*card.cpu_share_percent, 130);
  EXPECT_EQ(card.command, "/opt/bin/camera --fps 30");
  EXPECT_EQ(card.wcet_kind, WcetKind::kQuantileBound);
  EXPECT_EQ(card.wcet_time, "wall");
  ASSERT_TRUE(card.evidence);
  EXPECT_THAT(card.evidence->runs, ElementsAre("aaaaaaaaaaaa"));
  EXPECT_EQ(card.evidence->n, 1000);
  EXPECT_EQ(card.evidence->quantiles.size(), 5U);
  EXPECT_TRUE(card.evidence->quantiles[3].high_ms) << "p99 of 1000";
  EXPECT_FALSE(card.evidence->quantiles[4].high_ms) << "p99.9 of 1000";
  EXPECT_THAT(
      card.evidence->conditions,
      ElementsAre(Pair("cpus", "0-1"), Pair("frequency_khz", "1200000")));
  EXPECT_THAT(card.evidence->machine, Contains(Pair("fingerprint", "f00d")));
}

TEST_F(MakeCardTest, WhatTheProgramNeedsOfAGpuIsOnItsCard) {
  edgewise::Run measured = Measured("aaaaaaaaaaaa");
  measured.gpu.emplace();
  measured.gpu->memory_peak_bytes = int64_t{1536} << 20;
  measured.gpu->most_bytes_per_s = 123.456e9;
  const auto made = Make(StoreRun(store_, measured, Frames(1000)));
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->card.gpu_memory_mb, 1536);
  EXPECT_EQ(made->card.gpu_bandwidth_gbs, 123.456);
  const auto back = ReadCard(WriteCard(made->card), "card");
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->gpu_memory_mb, 1536);
  EXPECT_EQ(back->gpu_bandwidth_gbs, 123.456);
}

TEST_F(MakeCardTest, AGpuThatTellsLittleGivesNoFigureButAReason) {
  edgewise::Run measured = Measured("aaaaaaaaaaaa");
  measured.gpu.emplace();
  measured.gpu->summary.emplace();
  const auto made = Make(StoreRun(store_, measured, Frames(1000)));
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_FALSE(made->card.gpu_memory_mb);
  EXPECT_THAT(made->warnings, Contains(HasSubstr("gpu_memory_mb is left out")));
  // A GPU that the program does not use is no reason for a word.
  measured.id = "bbbbbbbbbbbb";
  measured.gpu->summary.reset();
  const auto idle = Make(StoreRun(store_, measured, Frames(1000)));
  ASSERT_TRUE(idle);
  EXPECT_THAT(idle->warnings, Not(Contains(HasSubstr("gpu"))));
}

TEST_F(MakeCardTest, TheCardReadsBackAsItWasMade) {
  const auto run = StoreRun(store_, Measured("aaaaaaaaaaaa"), Frames(1000));
  const auto made = Make(run);
  ASSERT_TRUE(made);
  const std::string text = WriteCard(made->card);
  std::vector<std::string> warnings;
  const auto back = ReadCard(text, "card.yaml", &warnings);
  ASSERT_TRUE(back) << back.error().message << "\n" << text;
  EXPECT_EQ(WriteCard(*back), text);
  EXPECT_THAT(warnings, IsEmpty());
}

TEST_F(MakeCardTest, CpuTimeIsUsedWhenAskedFor) {
  const auto run = StoreRun(store_, Measured("aaaaaaaaaaaa"), Frames(1000));
  CardRequest request;
  request.cpu_time = true;
  const auto made = Make(run, request);
  ASSERT_TRUE(made);
  EXPECT_NEAR(*made->card.avg_ms, 7.5, 0.2);
  EXPECT_LE(*made->card.wcet_ms, 10);
  EXPECT_EQ(made->card.wcet_time, "cpu");
}

TEST_F(MakeCardTest, WallOnlySpansHaveNoCpuCard) {
  auto spans = Frames(400);
  for (Span& span : spans) {
    span.cpu_ns = -1;
  }
  const auto run = StoreRun(store_, Measured("aaaaaaaaaaaa"), spans);
  CardRequest request;
  request.cpu_time = true;
  EXPECT_THAT(Make(run, request).error().message, HasSubstr("--cpu-time"));
}

TEST_F(MakeCardTest, AnUnknownSpanListsThoseThereAre) {
  auto run = Measured("aaaaaaaaaaaa");
  auto writer = store_.Begin(run);
  ASSERT_TRUE(writer);
  for (const char* name : {"decode", "infer"}) {
    writer->AddSpans(writer->SeriesId(SeriesKind::kSpan, name, ""), Frames(5));
  }
  run.state = RunState::kDone;
  ASSERT_TRUE(writer->Finish(run));
  CardRequest request;
  request.span = "frame";
  const auto unknown = Make(run, request);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(unknown.error().message, HasSubstr("decode, infer"));
  request.span = "";
  const auto several = Make(run, request);
  ASSERT_FALSE(several);
  EXPECT_THAT(several.error().message, HasSubstr("choose one with --span"));
}

TEST_F(MakeCardTest, WithoutSpansTheWholeProgramIsTheSubject) {
  std::vector<edgewise::Run> runs;
  for (int i = 0; i < 5; ++i) {
    auto run = Measured("aaaaaaaaaaa" + std::to_string(i));
    run.totals.wall_s = 10 + i;
    runs.push_back(StoreRun(store_, run));
  }
  const auto made = MakeCard(store_, runs, {});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_DOUBLE_EQ(*made->card.wcet_ms, 14'000);
  EXPECT_DOUBLE_EQ(*made->card.avg_ms, 12'000);
  EXPECT_EQ(made->card.wcet_kind, WcetKind::kObservedMax);
  EXPECT_EQ(made->card.evidence->span, "");
  EXPECT_EQ(made->card.evidence->n, 5);
  EXPECT_THAT(made->warnings, Contains(HasSubstr("largest of 5 samples")));
  CardRequest request;
  request.span = "frame";
  EXPECT_THAT(MakeCard(store_, runs, request).error().message,
              HasSubstr("leave --span out"));
}

TEST_F(MakeCardTest, SeveralRunsArePooled) {
  std::vector<edgewise::Run> runs;
  for (int i = 0; i < 3; ++i) {
    auto run = Measured("aaaaaaaaaaa" + std::to_string(i));
    run.totals.max_rss_bytes = int64_t{100 + i} << 20;
    runs.push_back(StoreRun(store_, run, Frames(200)));
  }
  runs[1].machine.fingerprint = "beef";
  const auto made = MakeCard(store_, runs, {});
  ASSERT_TRUE(made);
  EXPECT_EQ(made->card.evidence->n, 600);
  EXPECT_DOUBLE_EQ(*made->card.rss_mb, 102);
  EXPECT_THAT(made->warnings, Contains(HasSubstr("different machines")));
}

TEST_F(MakeCardTest, UnknownFiguresAreLeftOutAndTold) {
  auto bare = NewRun("aaaaaaaaaaaa");
  const auto run = StoreRun(store_, bare, Frames(500));
  const auto made = Make(run);
  ASSERT_TRUE(made);
  EXPECT_FALSE(made->card.rss_mb);
  EXPECT_FALSE(made->card.cpu_share_percent);
  EXPECT_THAT(made->warnings,
              ElementsAre(HasSubstr("rss_mb"), HasSubstr("cpu_share_percent")));
}

TEST_F(MakeCardTest, AMissedDeadlineIsTold) {
  const auto run = StoreRun(store_, Measured("aaaaaaaaaaaa"), Frames(1000));
  CardRequest request;
  request.deadline_ns = 15 * kNsPerMs;
  const auto made = Make(run, request);
  ASSERT_TRUE(made);
  EXPECT_THAT(made->warnings, ElementsAre(HasSubstr("larger than deadline")));
}

TEST_F(MakeCardTest, NonsenseIsRefused) {
  EXPECT_FALSE(MakeCard(store_, {}, {}));
  const auto run = StoreRun(store_, Measured("aaaaaaaaaaaa"), Frames(10));
  CardRequest request;
  request.quantile = 1;
  EXPECT_FALSE(Make(run, request));
  request = {};
  request.period_ns = 0;
  EXPECT_FALSE(Make(run, request));
  auto no_times = NewRun("bbbbbbbbbbbb");
  EXPECT_THAT(Make(StoreRun(store_, no_times)).error().message,
              HasSubstr("no times"));
  auto all_warmup = Measured("cccccccccccc");
  all_warmup.conditions.warmup_ns = 3600 * kNsPerSecond;
  EXPECT_THAT(Make(StoreRun(store_, all_warmup, Frames(10))).error().message,
              HasSubstr("after the warm-up"));
}

}  // namespace
}  // namespace edgewise

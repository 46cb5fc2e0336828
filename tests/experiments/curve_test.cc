#include "experiments/curve.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../store/temporary_store.h"
#include "experiments/curve_advice.h"

namespace edgewise {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr const char* kGroup = "c0ffeec0ffee";

class CurveTest : public TemporaryStoreTest {
 protected:
  // A Run of 400 frames of that many milliseconds, one after another, a
  // twentieth of them `tail` times as long.
  void Record(const std::string& role, int repeat, double frame_ms,
              double tail = 1, int exit_code = 0) {
    edgewise::Run run;
    run.id = fmt::format("{:012x}", ++last_id_);
    run.group = kGroup;
    run.group_role = role;
    run.experiment = experiment_;
    run.repeat_index = repeat;
    run.command = {"app"};
    run.machine.cores = 2;
    run.conditions.frequency_khz = frequency_khz_;
    auto writer = store_->Begin(run);
    ASSERT_TRUE(writer.ok());
    std::vector<Span> spans;
    std::vector<Span> stages;
    int64_t at = 0;
    for (int i = 0; i < 400; ++i) {
      const auto wall = static_cast<int64_t>(
          frame_ms * 1e6 * (i % 20 == 0 ? tail : 1) * (1 + 0.001 * (i % 7)));
      spans.push_back({at, wall, -1, 1, 0});
      stages.push_back({at, wall / 2, -1, 1, 0});
      at += wall;
    }
    writer->AddSpans(writer->SeriesId(SeriesKind::kSpan, "stage", ""), stages);
    writer->AddSpans(writer->SeriesId(SeriesKind::kSpan, "frame", ""), spans);
    run.state = RunState::kDone;
    run.end_reason = EndReason::kExited;
    run.exit_code = exit_code;
    run.totals.wall_s = static_cast<double>(at) / 1e9;
    run.totals.max_rss_bytes = 50 << 20;
    ASSERT_TRUE(writer->Finish(run).ok());
  }

  // Two threads on two cores are 1.8 times as fast, four no faster, with a
  // tail.
  void RecordScaling() {
    for (int repeat = 0; repeat < 5; ++repeat) {
      const double drift = 1 + 0.01 * repeat;
      Record("threads=1 cpus=0-1", repeat, 18 * drift);
      Record("threads=2 cpus=0-1", repeat, 10 * drift);
      Record("threads=4 cpus=0-1", repeat, 10 * drift, 1.5);
    }
  }

  std::string experiment_ =
      "sweep seed=1 threads=1 threads=2 threads=4 threads=8 cpus=0-1";
  std::optional<int64_t> frequency_khz_;
  int last_id_ = 0;
};

TEST_F(CurveTest, ClocksStandInTheirOrderAndSayIfTheyAreOthers) {
  experiment_ = "sweep seed=1 frequency=1.2GHz frequency=600MHz";
  for (int repeat = 0; repeat < 5; ++repeat) {
    frequency_khz_ = 1'190'000;
    Record("frequency=1.2GHz", repeat, 10);
    frequency_khz_ = 600'000;
    Record("frequency=600MHz", repeat, 20);
  }
  const auto curve = MakeCurve(*store_, kGroup, {});
  ASSERT_TRUE(curve.ok()) << curve.error().message;
  ASSERT_THAT(curve->points, SizeIs(2));
  EXPECT_EQ(curve->points[0].name, "frequency=600MHz");
  ASSERT_THAT(curve->notes, SizeIs(1));
  EXPECT_THAT(curve->notes[0], HasSubstr("1.2GHz the cores ran at 1.19 GHz"));
}

TEST_F(CurveTest, SpeedUpsAreAgainstTheSmallestPoint) {
  RecordScaling();
  const auto curve = MakeCurve(*store_, kGroup, {});
  ASSERT_TRUE(curve.ok()) << curve.error().message;
  EXPECT_EQ(curve->span, "frame");
  ASSERT_THAT(curve->points, SizeIs(3));
  EXPECT_FALSE(curve->points[0].speed_up.has_value());
  const MeasuredPoint& two = curve->points[1];
  EXPECT_EQ(two.name, "threads=2 cpus=0-1");
  ASSERT_TRUE(two.speed_up.has_value());
  EXPECT_NEAR(*two.speed_up->ratio, 1.8, 0.001);
  ASSERT_TRUE(two.speed_up->low.has_value());
  EXPECT_LE(*two.speed_up->low, *two.speed_up->ratio);
  EXPECT_NEAR(*two.efficiency, 0.9, 0.001);
  EXPECT_NEAR(two[FigureKind::kP50]->value, 10.23e6, 0.05e6);
  EXPECT_TRUE(two[FigureKind::kP99]->sufficient());
  EXPECT_EQ(two.items, 2000);
}

TEST_F(CurveTest, DriftOfTheMachineDoesNotWidenSpeedUps) {
  RecordScaling();
  const auto curve = MakeCurve(*store_, kGroup, {});
  ASSERT_TRUE(curve.ok());
  const auto& speed_up = *curve->points[1].speed_up;
  EXPECT_LT(*speed_up.high - *speed_up.low, 0.01);
  const auto& throughput = *curve->points[1][FigureKind::kThroughput];
  EXPECT_GT((*throughput.high - *throughput.low) / throughput.value, 0.02);
}

TEST_F(CurveTest, AdviceSaysWhatToChooseAndWhatTooManyThreadsCost) {
  RecordScaling();
  const auto curve = MakeCurve(*store_, kGroup, {});
  ASSERT_TRUE(curve.ok());
  ASSERT_FALSE(curve->advice.empty());
  EXPECT_THAT(curve->advice[0], HasSubstr("2 threads on 2 cores: 1.80× ("));
  EXPECT_THAT(curve->advice[0],
              HasSubstr("more threads than cores cost 50% p99"));
}

TEST_F(CurveTest, LawsAreFittedOverThreads) {
  RecordScaling();
  const auto curve = MakeCurve(*store_, kGroup, {});
  ASSERT_TRUE(curve.ok());
  ASSERT_THAT(curve->laws, SizeIs(1));
  const CurveLaw& law = curve->laws[0];
  EXPECT_EQ(law.knob, "threads");
  EXPECT_EQ(FormatSetting(law.fixed), "cpus=0-1");
  ASSERT_TRUE(law.amdahl.has_value());
  ASSERT_TRUE(law.universal.has_value());
  EXPECT_THAT(law.better, stats::ScalingLaw::kUniversal);
  EXPECT_NEAR(law.universal->best_n->value, 2.9, 0.3);
}

TEST_F(CurveTest, FailuresAreMarkedAndTheRestStands) {
  RecordScaling();
  Record("threads=8 cpus=0-1", 0, 1, 1, 3);
  const auto curve = MakeCurve(*store_, kGroup, {});
  ASSERT_TRUE(curve.ok());
  ASSERT_THAT(curve->points, SizeIs(4));
  const MeasuredPoint& failed = curve->points[3];
  EXPECT_EQ(failed.failed, 1);
  EXPECT_EQ(failed.failure, "exit code 3");
  EXPECT_FALSE(failed[FigureKind::kP50].has_value());
  EXPECT_TRUE(curve->points[1].speed_up.has_value());
  EXPECT_THAT(curve->notes, ::testing::Contains(HasSubstr("1 Run failed")));
}

TEST_F(CurveTest, ValuesStandSideBySide) {
  experiment_ = "sweep seed=1 precision=int8 precision=fp32";
  for (int repeat = 0; repeat < 5; ++repeat) {
    Record("precision=fp32", repeat, 20);
    Record("precision=int8", repeat, 15);
  }
  const auto curve = MakeCurve(*store_, kGroup, {});
  ASSERT_TRUE(curve.ok());
  ASSERT_THAT(curve->comparisons, SizeIs(1));
  EXPECT_EQ(curve->comparisons[0].value, "fp32");
  EXPECT_EQ(curve->comparisons[0].against, "int8");
  EXPECT_NEAR(*curve->comparisons[0].p50.ratio, 4.0 / 3, 0.001);
  EXPECT_TRUE(curve->laws.empty());
}

TEST_F(CurveTest, FewRepeatsAreSaidToBeTooFew) {
  experiment_ = "sweep seed=1 threads=1 threads=2";
  for (int repeat = 0; repeat < 2; ++repeat) {
    Record("threads=1", repeat, 20);
    Record("threads=2", repeat, 10);
  }
  const auto curve = MakeCurve(*store_, kGroup, {});
  ASSERT_TRUE(curve.ok());
  EXPECT_FALSE(curve->points[1].speed_up->low.has_value());
  EXPECT_THAT(curve->advice[0], HasSubstr("insufficient samples"));
}

TEST_F(CurveTest, AnOpenLoopHasNoSpeedUp) {
  experiment_ = "sweep seed=1 load=poisson:20 threads=1 threads=2";
  for (int repeat = 0; repeat < 5; ++repeat) {
    Record("load=poisson:20 threads=1", repeat, 20);
    Record("load=poisson:20 threads=2", repeat, 10);
  }
  const auto curve = MakeCurve(*store_, kGroup, {});
  ASSERT_TRUE(curve.ok());
  EXPECT_FALSE(curve->points[1].speed_up.has_value());
  EXPECT_TRUE(curve->laws.empty());
}

TEST_F(CurveTest, UnknownSpansAndGroupsAreRefused) {
  RecordScaling();
  const auto no_span = MakeCurve(*store_, kGroup, {"nothing", {}});
  ASSERT_FALSE(no_span.ok());
  EXPECT_THAT(no_span.error().message, HasSubstr("frame, stage"));
  EXPECT_EQ(MakeCurve(*store_, "ffffffffffff", {}).error().code,
            ErrorCode::kNotFound);
}

TEST_F(CurveTest, OtherGroupsAreNoSweeps) {
  experiment_.clear();
  Record("a", 0, 1);
  const auto curve = MakeCurve(*store_, kGroup, {});
  ASSERT_FALSE(curve.ok());
  EXPECT_THAT(curve.error().message, HasSubstr("not made by a sweep"));
}

TEST_F(CurveTest, AChosenSpanIsTheItem) {
  RecordScaling();
  const auto curve = MakeCurve(*store_, kGroup, {"stage", {}});
  ASSERT_TRUE(curve.ok());
  EXPECT_NEAR(curve->points[1][FigureKind::kP50]->value, 5.115e6, 0.03e6);
}

TEST(CurveAdviceTest, SettingsReadAsPeopleSpeak) {
  EXPECT_EQ(DescribeSetting({{"cpus", "0"}, {"threads", "1"}}),
            "1 thread on 1 core");
  EXPECT_EQ(DescribeSetting({{"cpus", "0-3"}}), "4 cores");
  EXPECT_EQ(DescribeSetting({{"quota", "0.5"}, {"threads", "2"}}),
            "2 threads with a quota of 0.5 cores");
  EXPECT_EQ(DescribeSetting({{"model", "resnet18"}, {"threads", "2"}}),
            "2 threads, model resnet18");
  EXPECT_EQ(DescribeSetting({}), "as it is");
}

TEST(CurveKnobTest, KnobsKnowTheirNumbers) {
  EXPECT_EQ(KnobNumber("cpus", "0,2-3"), 3);
  EXPECT_EQ(KnobNumber("quota", "50%"), 0.5);
  EXPECT_EQ(KnobNumber("threads", "4"), 4);
  EXPECT_EQ(KnobNumber("frequency", "1.2GHz"), 1200);
  EXPECT_EQ(KnobNumber("frequency", "1200"), std::nullopt);
  EXPECT_EQ(KnobNumber("model", "resnet18"), std::nullopt);
  EXPECT_EQ(KnobNumber("threads", ""), std::nullopt);
}

}  // namespace
}  // namespace edgewise

#include "project/remake.h"

#include <gtest/gtest.h>

#include "stored_runs.h"

namespace edgewise {
namespace {

TEST(RemakeTest, TimesAreNotRounded) {
  EXPECT_EQ(TimeFlag(5 * kNsPerSecond), "5s");
  EXPECT_EQ(TimeFlag(1'500 * kNsPerMs), "1500ms");
  EXPECT_EQ(TimeFlag(2'000), "2us");
  EXPECT_EQ(TimeFlag(1'234'567), "1234567ns");
}

TEST(RemakeTest, ARunHasTheFlagsOfItsConditions) {
  edgewise::Run run = SomeRun("aaaaaaaaaaaa", "./app 'two words'", 0);
  EXPECT_EQ(RunAgain(run), "edgewise run -- ./app 'two words'");
  run.label = "me";
  run.conditions.cpus = {0, 1};
  run.conditions.threads = 2;
  run.conditions.cpu_quota_cores = 0.5;
  run.conditions.env = {{"A", "b"}};
  run.conditions.duration_ns = 3 * kNsPerSecond;
  run.conditions.stack_hz = 99;
  EXPECT_EQ(RunAgain(run),
            "edgewise run --label me --cpus 0-1 --threads 2 --cpu-quota 0.5 "
            "--env A=b --duration 3s --stacks 99 -- ./app 'two words'");
}

TEST(RemakeTest, WhatWasNotLaunchedCannotBeLaunchedAgain) {
  edgewise::Run run = SomeRun("aaaaaaaaaaaa", "./app", 0);
  run.kind = "import";
  EXPECT_EQ(RunAgain(run), "");
}

TEST(RemakeTest, ACardNamesItsRunsSpanAndTimes) {
  Card card;
  card.name = "camera";
  EXPECT_EQ(CardAgain(card, "cards/camera.yaml"), "");
  card.period_ms = 20;
  card.deadline_ms = 12.5;
  card.evidence.emplace();
  card.evidence->runs = {"aaaaaaaaaaaa", "bbbbbbbbbbbb"};
  card.evidence->span = "frame";
  EXPECT_EQ(
      CardAgain(card, "cards/camera.yaml"),
      "edgewise card aaaaaaaaaaaa bbbbbbbbbbbb --name camera --span frame "
      "--period 20ms --deadline 12.5ms > cards/camera.yaml");
}

TEST(RemakeTest, ASweepHasItsKnobsAndTheirPlacesInTheCommand) {
  Curve curve;
  curve.knobs = {{"precision", {"fp32", "int8"}},
                 {"load", {"single", "poisson:20"}},
                 {"cpus", {"0", "0-1"}},
                 {"threads", {"1", "2"}}};
  curve.span = "inference";
  MeasuredPoint point;
  point.repeats.resize(3);
  curve.points = {point};
  edgewise::Run first = SomeRun(
      "aaaaaaaaaaaa", "./dl --precision int8 --rate 20 --arrivals poisson", 0);
  first.group_role = "precision=int8 load=poisson:20 cpus=0-1 threads=2";
  first.conditions.cpus = {0, 1};
  first.conditions.threads = 2;
  first.conditions.nice = 5;
  EXPECT_EQ(SweepAgain(curve, first),
            "edgewise sweep --vary precision=fp32,int8 --load "
            "single,poisson:20 --cpus 0 --cpus 0-1 --threads 1,2 --repeat 3 "
            "--span inference --nice 5 -- ./dl --precision '{precision}' "
            "'{load}'");
}

}  // namespace
}  // namespace edgewise

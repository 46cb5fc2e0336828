#include "experiments/least_resources.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/random.h"

namespace edgewise {
namespace {

using testing::Contains;
using testing::HasSubstr;

constexpr int64_t kMiB = 1 << 20;

// An app that works its CPU share off in items of equal cost.
struct SimulatedApp {
  double cpu_s_per_item = 0.005;
  double most_rate = 1e9;  // offered; a closed loop has no limit
  double threads = 1;
  double noise = 0.01;  // of a Run's rate, relative
  int64_t peak_bytes = 50 * kMiB;
  int64_t needs_bytes = 45 * kMiB;  // below it is killed
  double fails_below_cores = 0;
  stats::Random random{1};
  std::vector<ResourceLimits> asked;

  Trial Run(const ResourceLimits& limits) {
    asked.push_back(limits);
    Trial trial;
    trial.limits = limits;
    if (limits.memory_bytes && *limits.memory_bytes < needs_bytes) {
      trial.end = TrialEnd::kOutOfMemory;
      return trial;
    }
    if (limits.cpu_cores < fails_below_cores) {
      trial.end = TrialEnd::kFailed;
      trial.failure = "exited with code 3";
      return trial;
    }
    const double cores =
        std::min({threads, limits.cpu_cores,
                  limits.cores ? static_cast<double>(*limits.cores) : threads});
    const double rate = std::min(cores / cpu_s_per_item, most_rate) *
                        std::exp(noise * random.Normal());
    trial.wall_s = 2;
    trial.cpu_s = rate * 2 * cpu_s_per_item;
    trial.peak_bytes = peak_bytes;
    TargetSamples observation;
    observation.items = static_cast<int64_t>(rate * 2);
    for (int i = 0; i < 10; ++i) {
      observation.samples.push_back(rate * (1 + noise * random.Normal()));
    }
    trial.observations = {observation};
    return trial;
  }
};

FitRequest Request(const char* target, int cores = 2) {
  FitRequest request;
  request.targets = *ParseTargets(target);
  request.cores_at_hand = cores;
  return request;
}

FitAnswer Fit(SimulatedApp& app, const FitRequest& request) {
  const TrialRunner run = [&app](const ResourceLimits& limits) {
    return Result<Trial>(app.Run(limits));
  };
  auto answer = FindLeastResources(request, run, nullptr);
  EXPECT_TRUE(answer);
  return *answer;
}

TEST(LeastResourcesTest, FindsAKnownNeedInFewRuns) {
  SimulatedApp app;
  // 5 ms an item, 20 items a second: a tenth of a core.
  const FitAnswer answer = Fit(app, Request("fps>=20"));
  ASSERT_EQ(answer.outcome, FitOutcome::kFound);
  EXPECT_GE(*answer.target.cpu_cores, 0.098);
  EXPECT_LE(*answer.target.cpu_cores, 0.125);
  EXPECT_LT(*answer.lower.cpu_cores, *answer.target.cpu_cores);
  EXPECT_GT(*answer.upper.cpu_cores, *answer.target.cpu_cores);
  EXPECT_LE(answer.steps.size(), 15u);
  EXPECT_EQ(answer.steps.back().purpose, TrialPurpose::kConfirm);
  EXPECT_FALSE(answer.cores);
}

TEST(LeastResourcesTest, HoldsForManyNeedsAndSeeds) {
  int found = 0;
  int enough = 0;
  int close = 0;
  const int experiments = 200;
  for (uint64_t seed = 0; seed < experiments; ++seed) {
    SimulatedApp app;
    app.random = stats::Random(seed);
    app.noise = 0.02;
    app.cpu_s_per_item = 0.001 * std::exp(4 * app.random.Uniform());
    const double truth = 0.99 * 15 * app.cpu_s_per_item;
    const FitAnswer answer = Fit(app, Request("fps>=15"));
    if (answer.outcome == FitOutcome::kFound) {
      ++found;
      enough += *answer.target.cpu_cores >= truth * 0.98;
      close += *answer.target.cpu_cores <= std::max(truth * 1.25, 0.021);
    }
  }
  // Nearly always found in the budget; what is found is enough but for chance.
  EXPECT_GE(found, experiments * 9 / 10);
  EXPECT_GE(enough, found * 9 / 10);
  EXPECT_GE(close, found * 9 / 10);
}

TEST(LeastResourcesTest, AGuessThatIsFarOffIsCorrected) {
  SimulatedApp app;
  app.threads = 4;
  const TrialRunner run = [&app](const ResourceLimits& limits) {
    Trial trial = app.Run(limits);
    trial.cpu_s = *trial.cpu_s / 8;  // what it did elsewhere is not seen
    return Result<Trial>(trial);
  };
  auto answer = FindLeastResources(Request("fps>=200", 4), run, nullptr);
  ASSERT_TRUE(answer);
  ASSERT_EQ(answer->outcome, FitOutcome::kFound);
  EXPECT_GE(*answer->target.cpu_cores, 0.97);
  EXPECT_LE(*answer->target.cpu_cores, 1.2);
}

TEST(LeastResourcesTest, AGuessThatIsFarTooHighIsCorrected) {
  SimulatedApp app;
  const TrialRunner run = [&app](const ResourceLimits& limits) {
    Trial trial = app.Run(limits);
    trial.cpu_s = *trial.cpu_s * 8;  // as where it idles by spinning
    return Result<Trial>(trial);
  };
  auto answer = FindLeastResources(Request("fps>=20"), run, nullptr);
  ASSERT_TRUE(answer);
  ASSERT_EQ(answer->outcome, FitOutcome::kFound);
  EXPECT_GE(*answer->target.cpu_cores, 0.097);
  EXPECT_LE(*answer->target.cpu_cores, 0.13);
}

TEST(LeastResourcesTest, MoreThanOneCoreIsGivenAsFewCoresToo) {
  SimulatedApp app;
  app.threads = 8;
  const FitAnswer answer = Fit(app, Request("fps>=300", 8));
  ASSERT_EQ(answer.outcome, FitOutcome::kFound);
  EXPECT_NEAR(*answer.target.cpu_cores, 1.5, 0.12);
  EXPECT_EQ(answer.cores, 2);
  EXPECT_EQ(answer.steps.back().trial.limits.cores, 2);
}

TEST(LeastResourcesTest, MemoryIsThePeakWithAMarginAndIsTried) {
  SimulatedApp app;
  const FitAnswer answer = Fit(app, Request("fps>=20"));
  EXPECT_EQ(answer.lower.memory_bytes, 50 * kMiB);
  EXPECT_EQ(answer.target.memory_bytes, 55 * kMiB);
  EXPECT_EQ(answer.upper.memory_bytes, 61 * kMiB);
  EXPECT_EQ(answer.steps.back().trial.limits.memory_bytes, 55 * kMiB);
}

TEST(LeastResourcesTest, MemoryThatDoesNotHoldIsSteppedUpAndSaid) {
  SimulatedApp app;
  app.needs_bytes = 58 * kMiB;  // more than its processes show
  const FitAnswer answer = Fit(app, Request("fps>=20"));
  ASSERT_EQ(answer.outcome, FitOutcome::kFound);
  EXPECT_GE(answer.target.memory_bytes, 58 * kMiB);
  EXPECT_THAT(answer.notes, Contains(HasSubstr("killed for want of memory")));
}

TEST(LeastResourcesTest, SqueezingFindsWhereItIsKilled) {
  SimulatedApp app;
  app.peak_bytes = 100 * kMiB;
  app.needs_bytes = 60 * kMiB;
  FitRequest request = Request("fps>=20");
  request.squeeze_memory = true;
  request.max_runs = 25;
  const FitAnswer answer = Fit(app, request);
  ASSERT_EQ(answer.outcome, FitOutcome::kFound);
  EXPECT_GE(answer.target.memory_bytes, 60 * kMiB);
  EXPECT_LE(answer.target.memory_bytes, 68 * kMiB);
  EXPECT_LT(answer.lower.memory_bytes, 60 * kMiB);
  EXPECT_THAT(answer.notes, Contains(HasSubstr("killed for want of memory")));
}

TEST(LeastResourcesTest, WhatCannotBeMetIsSaidAfterOneRun) {
  SimulatedApp app;
  const FitAnswer answer = Fit(app, Request("fps>=500"));
  EXPECT_EQ(answer.outcome, FitOutcome::kCannotMeet);
  EXPECT_EQ(answer.steps.size(), 1u);
  EXPECT_NEAR(answer.steps[0].judgement.each[0].figure->value, 200, 20);
  EXPECT_FALSE(answer.target.cpu_cores);
}

TEST(LeastResourcesTest, AnAppThatFailsWithoutLimitsEndsTheSearch) {
  SimulatedApp app;
  app.fails_below_cores = 100;
  const FitAnswer answer = Fit(app, Request("fps>=20"));
  EXPECT_EQ(answer.outcome, FitOutcome::kAppFailed);
  EXPECT_EQ(answer.steps.size(), 1u);
}

TEST(LeastResourcesTest, AnAppThatFailsForLackOfCpuNeedsMore) {
  SimulatedApp app;
  app.fails_below_cores = 0.3;
  const FitAnswer answer = Fit(app, Request("fps>=20"));
  ASSERT_EQ(answer.outcome, FitOutcome::kFound);
  EXPECT_GE(*answer.target.cpu_cores, 0.3);
  EXPECT_LE(*answer.target.cpu_cores, 0.36);
}

TEST(LeastResourcesTest, ExactlyTheOfferedRateIsFound) {
  SimulatedApp app;
  app.most_rate = 20;
  app.noise = 0.001;
  const FitAnswer answer = Fit(app, Request("fps>=20"));
  ASSERT_EQ(answer.outcome, FitOutcome::kFound);
  EXPECT_NEAR(*answer.target.cpu_cores, 0.1, 0.01);
}

TEST(LeastResourcesTest, TheLeastThatTheKernelTakesIsTheEnd) {
  SimulatedApp app;
  app.cpu_s_per_item = 1e-6;
  const FitAnswer answer = Fit(app, Request("fps>=20"));
  ASSERT_EQ(answer.outcome, FitOutcome::kFound);
  EXPECT_EQ(answer.target.cpu_cores, kLeastCpuCores);
  EXPECT_FALSE(answer.lower.cpu_cores);
}

TEST(LeastResourcesTest, NeverMoreRunsThanAllowed) {
  for (int most = 3; most < 12; ++most) {
    SimulatedApp app;
    app.noise = 0.3;
    FitRequest request = Request("fps>=20");
    request.max_runs = most;
    const FitAnswer answer = Fit(app, request);
    EXPECT_LE(answer.steps.size(), static_cast<size_t>(most));
  }
}

TEST(LeastResourcesTest, CancellingLeavesNoAnswer) {
  SimulatedApp app;
  int runs = 0;
  const TrialRunner run = [&](const ResourceLimits& limits) {
    Trial trial = app.Run(limits);
    if (++runs == 3) {
      trial.end = TrialEnd::kCancelled;
    }
    return Result<Trial>(trial);
  };
  const auto answer = FindLeastResources(Request("fps>=20"), run, nullptr);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->outcome, FitOutcome::kCancelled);
  EXPECT_EQ(runs, 3);
  EXPECT_FALSE(answer->target.cpu_cores);
}

TEST(LeastResourcesTest, AnErrorOfTheRunnerIsPassedOn) {
  const TrialRunner run = [](const ResourceLimits&) {
    return Result<Trial>(Error{ErrorCode::kPermission, "no cgroups"});
  };
  const auto answer = FindLeastResources(Request("fps>=20"), run, nullptr);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().message, "no cgroups");
}

TEST(LeastResourcesTest, TheListenerHearsEveryRun) {
  SimulatedApp app;
  size_t heard = 0;
  const TrialRunner run = [&app](const ResourceLimits& limits) {
    return Result<Trial>(app.Run(limits));
  };
  const auto answer = FindLeastResources(Request("fps>=20"), run,
                                         [&heard](const FitStep&) { ++heard; });
  ASSERT_TRUE(answer);
  EXPECT_EQ(heard, answer->steps.size());
}

}  // namespace
}  // namespace edgewise

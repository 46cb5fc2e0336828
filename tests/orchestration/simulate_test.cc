#include "orchestration/simulate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>

#include "orchestration/generate.h"

namespace edgewise::orchestration {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

// One app alone on one core, with nothing that slows it down.
struct OneQueue {
  explicit OneQueue(double spread, double rate, double delay_ms,
                    double quantile) {
    figures.resources = {"cpu"};
    figures.ranks = {{0, 1, {1}}};
    PressureApp app;
    app.name = "app";
    app.memory_bytes = 1;
    app.service_ms = 10;
    app.spread = spread;
    app.idle = {0};
    app.exerts = {0.01};
    app.feels = {1};
    app.slow_down = {{0, 1}, {1, 1.0001}};
    figures.apps = {app};
    Request request;
    request.name = "r";
    request.app = "app";
    request.rate_per_s = rate;
    request.sla = {quantile, std::llround(delay_ms * 1e6)};
    instance.requests = {request};
    Server server;
    server.name = "s";
    server.memory_bytes = 100;
    server.cpus = {0};
    instance.servers = {server};
  }
  PromiseSeen Run(double seconds, uint64_t seed = 1) {
    const PressureModel model(figures);
    const auto problem = Problem::Make(instance, model, 0.9);
    EXPECT_TRUE(problem.ok());
    SimulateSettings settings;
    settings.seconds = seconds;
    settings.seed = seed;
    return Simulate(*problem, figures, Assignment(instance.requests.size(), 0),
                    settings)[0];
  }
  PressureFigures figures;
  Instance instance;
};

// An M/D/1 queue at 80%: P(wait ≤ t) is known exactly (Erlang 1909).
double WaitAtMost(double busy, double services) {
  double sum = 0;
  double factorial = 1;
  for (int k = 0; k <= static_cast<int>(services); ++k) {
    factorial *= k > 0 ? k : 1;
    const double x = busy * (services - k);
    sum += std::pow(-x, k) / factorial * std::exp(x);
  }
  return (1 - busy) * sum;
}

TEST(SimulateTest, AQueueOfEqualServicesWaitsAsErlangFound) {
  // The response that 90% stay below: service and the 90% wait.
  double services = 0;
  while (WaitAtMost(0.8, services) < 0.9) {
    services += 0.01;
  }
  OneQueue queue(0, 80, 1000, 0.9);
  const PromiseSeen seen = queue.Run(3000);
  ASSERT_TRUE(seen.quantile_ns);
  EXPECT_NEAR(*seen.quantile_ns / 1e6, 10 * (1 + services),
              0.1 * 10 * services);
  EXPECT_NEAR(static_cast<double>(seen.requests), 80 * 3000.0, 5000);
}

TEST(SimulateTest, TwoBusyReplicasShareOneCore) {
  // Requests hardly ever meet those of their own replica, but often those of
  // the other; a core shared by all is a queue of processor sharing, whose mean
  // number of requests depends on how busy it is alone.
  OneQueue queue(0, 0.2, 50, 0.5);
  queue.instance.requests.push_back(queue.instance.requests[0]);
  queue.instance.requests[1].name = "heavy";
  queue.instance.requests[1].replicas = 90;
  queue.instance.requests[1].rate_per_s = 1;
  const PressureModel model(queue.figures);
  const auto problem = Problem::Make(queue.instance, model, 0.9);
  ASSERT_TRUE(problem);
  SimulateSettings settings;
  settings.seconds = 2000;
  const auto seen =
      Simulate(*problem, queue.figures, Assignment(2, 0), settings);
  ASSERT_TRUE(seen[1].quantile_ns);
  // At 90% busy a service of 10 ms takes 100 ms on average, its median less.
  EXPECT_GT(*seen[1].quantile_ns, 30e6);
  EXPECT_LT(*seen[1].quantile_ns, 110e6);
  EXPECT_EQ(seen[1].verdict, Verdict::kBroken);
}

TEST(SimulateTest, AQueueThatGrowsDropsAndBreaksItsPromise) {
  OneQueue queue(0.3, 150, 100, 0.95);
  const PromiseSeen seen = queue.Run(100);
  EXPECT_EQ(seen.verdict, Verdict::kBroken);
  EXPECT_FALSE(seen.quantile_ns) << "it is beyond what was answered";
  EXPECT_GT(seen.late, seen.requests / 2);
}

TEST(SimulateTest, TheSameSeedGivesTheSame) {
  OneQueue queue(0.3, 50, 40, 0.95);
  const PromiseSeen first = queue.Run(60, 7);
  const PromiseSeen again = queue.Run(60, 7);
  EXPECT_EQ(first.quantile_ns, again.quantile_ns);
  EXPECT_NE(first.quantile_ns, queue.Run(60, 8).quantile_ns);
  EXPECT_EQ(first.verdict, Verdict::kKept);
}

TEST(SimulateTest, RequestsThatStandNowhereAreNotSeen) {
  const PressureFigures figures = AssumedPressures();
  const PressureModel model(figures);
  GenerateSettings generate;
  generate.servers = 2;
  generate.requests = 3;
  const Instance instance = Generate(generate, model);
  const auto problem = Problem::Make(instance, model, 0.9);
  ASSERT_TRUE(problem);
  const auto seen =
      Simulate(*problem, figures, {std::nullopt, 1, std::nullopt}, {});
  EXPECT_EQ(seen[0].requests, 0);
  EXPECT_GT(seen[1].requests, 0);
  EXPECT_EQ(seen[0].verdict, Verdict::kUnknown);
  EXPECT_EQ(BrokenPart({seen[0]}), std::nullopt);
}

std::vector<double> Times(size_t fast, size_t slow, double slow_ns) {
  std::vector<double> times;
  for (size_t i = 0; i < fast + slow; ++i) {
    // Spread out evenly.
    times.push_back(i * slow / (fast + slow) != (i + 1) * slow / (fast + slow)
                        ? slow_ns
                        : 1e6 + static_cast<double>(i % 7));
  }
  return times;
}

TEST(PromiseSeenTest, APromiseIsKeptByItsQuantile) {
  const Sla sla{0.95, 2'000'000};
  const PromiseSeen kept = SeePromise(sla, Times(990, 10, 5e6));
  EXPECT_EQ(kept.verdict, Verdict::kKept);
  EXPECT_EQ(kept.late, 10);
  const PromiseSeen broken = SeePromise(sla, Times(800, 200, 5e6));
  EXPECT_EQ(broken.verdict, Verdict::kBroken);
  EXPECT_EQ(SeePromise(sla, Times(951, 49, 5e6)).verdict, Verdict::kClose);
}

TEST(PromiseSeenTest, WhatIsNeverAnsweredIsLate) {
  const PromiseSeen seen = SeePromise({0.95, 2'000'000}, Times(80, 20, kNever));
  EXPECT_EQ(seen.verdict, Verdict::kBroken);
  EXPECT_EQ(seen.late, 20);
  EXPECT_FALSE(seen.quantile_ns);
}

TEST(PromiseSeenTest, FewRequestsSayNothing) {
  EXPECT_EQ(SeePromise({0.99, 2'000'000}, Times(100, 0, 0)).verdict,
            Verdict::kUnknown);
  PromiseSeen kept;
  kept.verdict = Verdict::kKept;
  PromiseSeen broken;
  broken.verdict = Verdict::kBroken;
  EXPECT_EQ(BrokenPart({kept, broken, PromiseSeen()}), 0.5);
}

}  // namespace
}  // namespace edgewise::orchestration

// Speed of the statistics as ratios within one run. The peer is std::sort of
// the same samples: what the obvious way to any percentile costs.
//
// Prints one line per figure: name, value, unit, bar, pass|fail|-.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "stats/compare.h"
#include "stats/random.h"
#include "stats/sketch.h"
#include "stats/summary.h"

namespace edgewise::stats {
namespace {

constexpr size_t kSamples = 1'000'000;
constexpr int kRounds = 5;

// Lognormal with autocorrelation 0.5 at lag one: what spans look like.
std::vector<double> Samples(uint64_t seed) {
  Random random(seed);
  std::vector<double> samples(kSamples);
  double value = random.Normal();
  for (double& sample : samples) {
    value = 0.5 * value + std::sqrt(0.75) * random.Normal();
    sample = std::exp(0.5 * value);
  }
  return samples;
}

double SecondsOf(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

// The least of several rounds: the one that was disturbed least.
struct Fastest {
  double seconds = 1e300;
  void Take(double other) { seconds = std::min(seconds, other); }
};

void Print(const std::string& name, double value, const char* unit,
           const char* bar, const char* verdict) {
  std::printf("%s\t%.3g\t%s\t%s\t%s\n", name.c_str(), value, unit, bar,
              verdict);
}

int Main() {
  const std::vector<double> samples = Samples(1);
  const std::vector<double> others = Samples(2);
  Fastest sort;
  Fastest add;
  Fastest summarise;
  Fastest compare;
  double checksum = 0;
  // Interleaved, so that a slow spell of the machine meets all of them.
  for (int round = 0; round < kRounds; ++round) {
    std::vector<double> copy = samples;
    sort.Take(SecondsOf([&] { std::sort(copy.begin(), copy.end()); }));
    checksum += copy[kSamples / 2];
    add.Take(SecondsOf([&] {
      Sketch sketch;
      for (const double sample : samples) sketch.Add(sample);
      checksum += *sketch.Quantile(0.5);
    }));
    summarise.Take(
        SecondsOf([&] { checksum += Summarise(samples).p50->value; }));
    compare.Take(
        SecondsOf([&] { checksum += *CompareSpans(samples, others).ratio; }));
  }
  const double ratio = summarise.seconds / sort.seconds;
  Print("stats: Sketch::Add", kSamples / add.seconds, "samples/s", "-", "-");
  Print("stats: Sketch::Add of 1M against std::sort",
        add.seconds / sort.seconds, "x", "<= 1",
        add.seconds <= sort.seconds ? "pass" : "fail");
  Print("stats: Summarise of 1M against std::sort", ratio, "x", "<= 1.5",
        ratio <= 1.5 ? "pass" : "fail");
  Print("stats: Summarise of 1M", summarise.seconds * 1e3, "ms", "-", "-");
  Print("stats: CompareSpans of 1M against 1M", compare.seconds * 1e3, "ms",
        "-", "-");
  return checksum > 0 ? 0 : 1;  // uses the results, so that they are computed
}

}  // namespace
}  // namespace edgewise::stats

int main() { return edgewise::stats::Main(); }

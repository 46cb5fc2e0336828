#include "contention/repeat_noise.h"

#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "contention/median.h"
#include "stats/random.h"

namespace edgewise::contention {
namespace {

constexpr int kDraws = 500;
constexpr uint64_t kSeed = 1;
constexpr double kLow = 0.025;
constexpr double kHigh = 0.975;

// The first measurement of a deployment and a later one.
using Pair = std::pair<const Observation*, const Observation*>;

std::vector<Pair> PairsOf(const Campaign& campaign) {
  std::map<std::string, const Observation*> by_id;
  for (const Observation& each : campaign.observations) {
    by_id.emplace(each.id, &each);
  }
  std::vector<Pair> pairs;
  for (const Observation& each : campaign.observations) {
    const auto first = by_id.find(each.repeat_of);
    if (first != by_id.end() && each.kind == Kind::kRandom &&
        first->second->outcomes.size() == each.outcomes.size()) {
      pairs.emplace_back(first->second, &each);
    }
  }
  return pairs;
}

// What one is off as seen from the other, both ways.
void AddDifferences(const Pair& pair, size_t figure, bool only_quotas,
                    std::vector<double>* apes) {
  const auto& [first, again] = pair;
  for (size_t t = 0; t < again->outcomes.size(); ++t) {
    const auto& a = first->outcomes[t].response_ms[figure];
    const auto& b = again->outcomes[t].response_ms[figure];
    if (a && b && (!only_quotas || again->deployment.tenants[t].quota_cores)) {
      apes->push_back(std::abs(*a / *b - 1));
      apes->push_back(std::abs(*b / *a - 1));
    }
  }
}

std::optional<double> MedianOf(const std::vector<Pair>& pairs, size_t figure,
                               bool only_quotas = false) {
  std::vector<double> apes;
  for (const Pair& pair : pairs) {
    AddDifferences(pair, figure, only_quotas, &apes);
  }
  return apes.empty() ? std::nullopt : std::optional(Median(apes));
}

stats::Estimate WithInterval(double value, const std::vector<Pair>& pairs,
                             size_t figure) {
  stats::Random random(kSeed);
  std::vector<double> medians;
  for (int draw = 0; draw < kDraws; ++draw) {
    std::vector<Pair> drawn;
    for (size_t i = 0; i < pairs.size(); ++i) {
      drawn.push_back(pairs[random.Below(pairs.size())]);
    }
    if (const auto median = MedianOf(drawn, figure)) {
      medians.push_back(*median);
    }
  }
  return {value, AtPart(medians, kLow), AtPart(medians, kHigh)};
}

}  // namespace

RepeatNoise FindRepeatNoise(const Campaign& campaign) {
  const std::vector<Pair> pairs = PairsOf(campaign);
  RepeatNoise noise;
  noise.pairs = static_cast<int64_t>(pairs.size());
  for (size_t f = 0; f < kFigures; ++f) {
    noise.median_ape[f] = MedianOf(pairs, f);
  }
  if (noise.median_ape[kP95]) {
    noise.p95 = WithInterval(*noise.median_ape[kP95], pairs, kP95);
  }
  noise.with_quota_p95 = MedianOf(pairs, kP95, true);
  return noise;
}

}  // namespace edgewise::contention

#include "experiments/judgement.h"

#include <algorithm>
#include <cmath>

#include "stats/autocorrelation.h"
#include "stats/moments.h"
#include "stats/proportion.h"
#include "stats/special.h"

namespace edgewise {
namespace {

using stats::Estimate;

// Fewer windows, or independent samples, say too little of their spread.
constexpr double kLeastEffective = 4;

// The mean over Runs, each of which has a mean and a standard error.
std::optional<Estimate> MeanOf(std::span<const TargetSamples> runs,
                               double confidence) {
  std::vector<double> means;
  double variance_within = 0;  // of the mean over Runs
  double degrees = 0;
  bool known_within = true;
  for (const TargetSamples& run : runs) {
    const stats::Moments moments = stats::MomentsOf(run.samples);
    if (!moments.mean()) {
      continue;
    }
    means.push_back(*moments.mean());
    const double effective = stats::EffectiveSampleSize(run.samples);
    if (effective >= kLeastEffective && moments.stddev()) {
      variance_within += *moments.stddev() * *moments.stddev() / effective;
      degrees += effective - 1;
    } else {
      known_within = false;
    }
  }
  if (means.empty()) {
    return std::nullopt;
  }
  const auto count = static_cast<double>(means.size());
  const stats::Moments between = stats::MomentsOf(means);
  Estimate estimate{.value = *between.mean(), .low = {}, .high = {}};
  double variance = known_within ? variance_within / (count * count) : 0;
  if (!known_within) {
    degrees = 0;
  }
  if (const auto spread = between.stddev()) {
    variance = std::max(variance, *spread * *spread / count);
    degrees += count - 1;
  }
  if (degrees > 0) {
    const double half =
        stats::StudentTQuantile(confidence, degrees) * std::sqrt(variance);
    // Neither rates nor times are negative.
    estimate.low = std::max(0.0, estimate.value - half);
    estimate.high = estimate.value + half;
  }
  return estimate;
}

std::vector<double> Pooled(std::span<const TargetSamples> runs) {
  std::vector<double> all;
  for (const TargetSamples& run : runs) {
    all.insert(all.end(), run.samples.begin(), run.samples.end());
  }
  return all;
}

std::optional<Estimate> QuantileOf(std::span<const TargetSamples> runs,
                                   double p, double confidence) {
  std::vector<double> sorted = Pooled(runs);
  if (sorted.empty()) {
    return std::nullopt;
  }
  std::sort(sorted.begin(), sorted.end());
  const auto rank = stats::PointRank(static_cast<int64_t>(sorted.size()), p);
  const double value = sorted[static_cast<size_t>(rank - 1)];
  double effective = 0;
  for (const TargetSamples& run : runs) {
    if (!run.samples.empty()) {
      effective += stats::EffectiveSampleSizeAt(run.samples, value);
    }
  }
  // Two equal tails that each hold at the confidence.
  return stats::EstimateQuantile(sorted, std::max(effective, 1.0), p,
                                 2 * confidence - 1);
}

std::optional<Estimate> MaxOf(std::span<const TargetSamples> runs) {
  const std::vector<double> all = Pooled(runs);
  if (all.empty()) {
    return std::nullopt;
  }
  return Estimate{.value = *std::max_element(all.begin(), all.end()),
                  .low = {},
                  .high = {}};
}

std::optional<Estimate> MissesOf(std::span<const TargetSamples> runs,
                                 double confidence) {
  double items = 0;
  double misses = 0;
  double effective = 0;
  for (const TargetSamples& run : runs) {
    items += static_cast<double>(run.items);
    misses += static_cast<double>(run.misses);
    // Late jobs come together as slow ones do.
    effective += run.samples.empty() ? static_cast<double>(run.items)
                                     : stats::EffectiveSampleSize(run.samples);
  }
  if (items <= 0) {
    return std::nullopt;
  }
  const double share = misses / items;
  const stats::Interval interval =
      stats::WilsonInterval(share * effective, effective, 2 * confidence - 1);
  return Estimate{.value = share, .low = interval.low, .high = interval.high};
}

std::optional<Estimate> FigureOf(const Target& target,
                                 std::span<const TargetSamples> runs,
                                 double confidence) {
  switch (target.kind) {
    case TargetKind::kQuantile:
      return QuantileOf(runs, target.quantile, confidence);
    case TargetKind::kMax:
      return MaxOf(runs);
    case TargetKind::kMisses:
      return MissesOf(runs, confidence);
    case TargetKind::kRate:
    case TargetKind::kMean:
    case TargetKind::kWall:
      break;
  }
  return MeanOf(runs, confidence);
}

}  // namespace

Judgement Judge(const Target& target, std::span<const TargetSamples> runs,
                double confidence) {
  Judgement judgement;
  judgement.figure = FigureOf(target, runs, confidence);
  if (!judgement.figure) {
    return judgement;
  }
  const Estimate& figure = *judgement.figure;
  const bool at_least = target.kind == TargetKind::kRate;
  const double limit = at_least ? target.limit * kRateShare : target.limit;
  // Shares may be 0.
  constexpr double kLittle = 1e-6;
  const double lead =
      std::log(std::max(figure.value, kLittle) / std::max(limit, kLittle));
  judgement.lead = at_least ? lead : -lead;
  if (target.kind == TargetKind::kMax ||
      (target.kind == TargetKind::kMisses && target.limit == 0)) {
    judgement.standing =
        figure.value <= limit ? Standing::kMet : Standing::kNotMet;
    return judgement;
  }
  const auto& safe = at_least ? figure.low : figure.high;
  const auto& hopeful = at_least ? figure.high : figure.low;
  if (safe && (at_least ? *safe >= limit : *safe <= limit)) {
    judgement.standing = Standing::kMet;
  } else if (hopeful && (at_least ? *hopeful < limit : *hopeful > limit)) {
    judgement.standing = Standing::kNotMet;
  }
  return judgement;
}

JointJudgement JudgeAll(std::span<const Target> targets,
                        std::span<const std::vector<TargetSamples>> runs,
                        double confidence) {
  JointJudgement joint;
  joint.standing = Standing::kMet;
  for (size_t j = 0; j < targets.size(); ++j) {
    std::vector<TargetSamples> column;
    for (const auto& run : runs) {
      if (j < run.size()) {
        column.push_back(run[j]);
      }
    }
    const Judgement judgement = Judge(targets[j], column, confidence);
    joint.lead = j == 0 ? judgement.lead : std::min(joint.lead, judgement.lead);
    if (judgement.standing == Standing::kNotMet) {
      joint.standing = Standing::kNotMet;
    } else if (judgement.standing == Standing::kUndecided &&
               joint.standing == Standing::kMet) {
      joint.standing = Standing::kUndecided;
    }
    joint.each.push_back(judgement);
  }
  return joint;
}

}  // namespace edgewise

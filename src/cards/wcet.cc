#include "cards/wcet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "base/units.h"
#include "stats/autocorrelation.h"
#include "stats/extreme.h"
#include "stats/quantile.h"

namespace edgewise {
namespace {

// The samples as ranks: exact, or within the sketch's error and then on the
// safe side.
class RankedSamples {
 public:
  RankedSamples(std::span<const double> samples, const stats::Sketch* rest)
      : sorted_(samples.begin(), samples.end()) {
    std::sort(sorted_.begin(), sorted_.end());
    if (rest != nullptr && rest->count() > 0) {
      for (const double sample : sorted_) {
        sketch_.Add(sample);
      }
      sketch_.Merge(*rest);
    }
  }

  int64_t count() const {
    return sketch_.count() > 0 ? static_cast<int64_t>(sketch_.count())
                               : static_cast<int64_t>(sorted_.size());
  }
  double max() const {
    return sketch_.count() > 0 ? *sketch_.max() : sorted_.back();
  }
  // The sample of a one-based rank, or a little more.
  double AtMost(int64_t rank) const {
    if (sketch_.count() == 0) {
      return sorted_[static_cast<size_t>(rank - 1)];
    }
    const double value = *sketch_.AtRank(static_cast<uint64_t>(rank));
    return std::min(value * (1 + stats::kSketchError), *sketch_.max());
  }

 private:
  std::vector<double> sorted_;
  stats::Sketch sketch_;
};

struct Upper {
  double value = 0;
  int64_t n_effective = 0;
};

// As stats::QuantileUpperBound, for samples worth only n_effective
// independent ones: the rank is found for those and stretched to all.
std::optional<Upper> UpperBound(const RankedSamples& ranked,
                                int64_t n_effective, double p,
                                double confidence) {
  const auto rank = stats::UpperBoundRank(n_effective, p, confidence);
  if (!rank) {
    return std::nullopt;
  }
  const auto stretched = static_cast<int64_t>(std::ceil(
      static_cast<double>(*rank) * static_cast<double>(ranked.count()) /
      static_cast<double>(n_effective)));
  return Upper{ranked.AtMost(std::clamp(stretched, *rank, ranked.count())),
               n_effective};
}

// Independent samples that would tell as much about the tail beyond `p`.
int64_t EffectiveCount(std::span<const double> samples,
                       const RankedSamples& ranked, double p) {
  const int64_t n = ranked.count();
  const double threshold = ranked.AtMost(stats::PointRank(n, p));
  const double share = stats::EffectiveSampleSizeAt(samples, threshold) /
                       static_cast<double>(samples.size());
  return std::max<int64_t>(
      1, static_cast<int64_t>(static_cast<double>(n) * share));
}

Result<Wcet> FromExtremes(std::span<const double> samples,
                          const CardRequest& request) {
  stats::ExtremeOptions options;
  options.exceedance = request.exceedance;
  options.confidence = request.confidence;
  auto estimate = stats::EstimateExtreme(samples, options);
  if (!estimate) {
    return estimate.error();
  }
  if (!estimate->bound) {
    return Error{
        ErrorCode::kUnsupported,
        fmt::format("no pwcet can be defended: {}", estimate->RefusalText())};
  }
  Wcet wcet;
  wcet.kind = WcetKind::kPwcet;
  // The upper end, so that the stated confidence holds for the bound itself.
  wcet.value_ns = estimate->bound->high.value_or(estimate->bound->value);
  wcet.confidence = request.confidence;
  wcet.exceedance = request.exceedance;
  return wcet;
}

Wcet FromMaximum(const RankedSamples& ranked, int64_t n_effective,
                 double confidence) {
  Wcet wcet;
  wcet.kind = WcetKind::kObservedMax;
  wcet.value_ns = ranked.max();
  wcet.confidence = confidence;
  wcet.exceedance =
      stats::ProbabilityOfExceedingMaximum(n_effective, confidence);
  wcet.warnings.push_back(fmt::format(
      "wcet_ms is the largest of {}, no bound: at {:g}% confidence the "
      "next one exceeds it with a probability of up to {:.2g}",
      FormatCount(ranked.count(), "sample"), 100 * confidence,
      *wcet.exceedance));
  return wcet;
}

}  // namespace

Result<Wcet> ChooseWcet(std::span<const double> samples_ns,
                        const stats::Sketch* rest, const CardRequest& request) {
  assert(!samples_ns.empty());
  if (request.wcet == WcetChoice::kPwcet) {
    return FromExtremes(samples_ns, request);
  }
  const RankedSamples ranked(samples_ns, rest);
  const int64_t n_effective =
      EffectiveCount(samples_ns, ranked, request.quantile);
  if (request.wcet == WcetChoice::kObservedMax) {
    return FromMaximum(ranked, n_effective, request.confidence);
  }
  const auto upper =
      UpperBound(ranked, n_effective, request.quantile, request.confidence);
  if (upper) {
    Wcet wcet;
    wcet.kind = WcetKind::kQuantileBound;
    wcet.value_ns = upper->value;
    wcet.confidence = request.confidence;
    wcet.quantile = request.quantile;
    return wcet;
  }
  const std::string shortage = fmt::format(
      "{}{} {} too few for a bound of p{:g} at {:g}% confidence, "
      "which needs {}",
      FormatCount(ranked.count(), "sample"),
      n_effective < ranked.count() ? fmt::format(" (worth {} independent ones)",
                                                 FormatCount(n_effective))
                                   : "",
      ranked.count() == 1 ? "is" : "are", 100 * request.quantile,
      100 * request.confidence,
      FormatCount(stats::SmallestSampleForUpperBound(request.quantile,
                                                     request.confidence)));
  if (request.wcet == WcetChoice::kQuantileBound) {
    return Error{ErrorCode::kUnsupported,
                 shortage + "; measure longer, or ask for a lower quantile"};
  }
  Wcet wcet = FromMaximum(ranked, n_effective, request.confidence);
  wcet.warnings.insert(wcet.warnings.begin(), shortage);
  return wcet;
}

}  // namespace edgewise

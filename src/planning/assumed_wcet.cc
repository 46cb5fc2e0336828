#include "planning/assumed_wcet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/units.h"
#include "planning/card_task.h"
#include "stats/quantile.h"

namespace edgewise {
namespace {

constexpr double kConfidence = 0.95;

Error Invalid(std::string message) {
  return Error{ErrorCode::kInvalid, std::move(message)};
}

// The probability that the next job exceeds an observed maximum; nullopt where
// the card does not tell.
std::optional<double> ExceedanceOf(const Card& card) {
  if (card.wcet_exceedance) {
    return card.wcet_exceedance;
  }
  if (!card.evidence || card.evidence->n < 1) {
    return std::nullopt;
  }
  const double n = std::min(static_cast<double>(card.evidence->n),
                            card.evidence->n_effective.value_or(
                                static_cast<double>(card.evidence->n)));
  return stats::ProbabilityOfExceedingMaximum(
      std::max<int64_t>(1, static_cast<int64_t>(n)), kConfidence);
}

std::string KindText(const Card& card) {
  switch (card.wcet_kind) {
    case WcetKind::kQuantileBound:
      return fmt::format("p{:g} bound at {:g}%",
                         100 * card.wcet_quantile.value_or(0),
                         100 * card.wcet_confidence.value_or(kConfidence));
    case WcetKind::kPwcet:
      return fmt::format("pWCET, exceeded with probability {:g}",
                         card.wcet_exceedance.value_or(0));
    case WcetKind::kObservedMax:
      return "largest seen";
    case WcetKind::kUnstated:
      break;
  }
  return "as written, no evidence";
}

Result<void> CheckKind(const Card& card, const WcetChoices& choices) {
  if (card.wcet_kind != WcetKind::kObservedMax || choices.accept_observed) {
    return {};
  }
  const auto exceedance = ExceedanceOf(card);
  if (exceedance && *exceedance <= kMostExceedance) {
    return {};
  }
  const std::string least = FormatCount(
      stats::SmallestSampleForUpperBound(1 - kMostExceedance, kConfidence));
  return Invalid(fmt::format(
      "wcet_ms is the largest of {}, which the next job may exceed{}; measure "
      "at least {} independent jobs, or say --accept-observed",
      card.evidence ? FormatCount(card.evidence->n, "sample")
                    : "an unknown number of samples",
      exceedance ? fmt::format(" with a probability of up to {:.2g}%",
                               100 * *exceedance)
                 : "",
      least));
}

}  // namespace

Result<AssumedWcet> AssumeWcet(const Card& card, const WcetChoices& choices) {
  // 0: not known.
  const double contended_ms =
      card.contended && !choices.alone ? card.contended->p95_ms.value_or(0) : 0;
  const double alone_ms = card.isolated ? card.isolated->p95_ms.value_or(0) : 0;
  const std::string beside = card.contended && !card.contended->beside.empty()
                                 ? " beside " + card.contended->beside
                                 : " in company";
  double ms = 0;
  std::string source;
  if (card.wcet_ms) {
    if (const Result<void> checked = CheckKind(card, choices); !checked) {
      return checked.error();
    }
    ms = *card.wcet_ms;
    source = "wcet_ms (" + KindText(card) + ")";
    if (alone_ms > 0 && contended_ms > alone_ms) {
      ms *= contended_ms / alone_ms;
      source += fmt::format(" x {:.3g}, what its p95 grows by{}",
                            contended_ms / alone_ms, beside);
    } else if (contended_ms == 0) {
      source += ", alone";
    }
  } else if (contended_ms == 0 || !choices.accept_observed) {
    return Invalid(
        contended_ms > 0
            ? "the card has a contended p95 but no wcet_ms, and one job in "
              "twenty takes longer: make the card with `edgewise card`, or say "
              "--accept-observed"
            : "the card has no wcet_ms: measure the app and make the card with "
              "`edgewise card`");
  }
  if (contended_ms > ms) {
    ms = contended_ms;
    source = "contended p95" + beside;
  }
  const auto ns = TaskTimeNs(ms);
  if (!ns) {
    return Invalid("wcet_ms is beyond a year; give it in milliseconds");
  }
  return AssumedWcet{*ns, source};
}

}  // namespace edgewise

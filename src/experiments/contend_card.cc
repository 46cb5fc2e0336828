#include "experiments/contend_card.h"

#include <cmath>

#include "base/text.h"

namespace edgewise {
namespace {

// Three digits behind the point, as other figures of a card.
std::optional<double> Milliseconds(const std::optional<stats::Estimate>& ns) {
  return ns ? std::optional(std::round(ns->value / 1e3) / 1e3) : std::nullopt;
}

CardContention Figures(const ItemFigures& figures) {
  return {Milliseconds(figures.p50_ns), Milliseconds(figures.p95_ns), "",
          figures.runs};
}

}  // namespace

void FillContention(const ContendReport& report, const std::string& app,
                    Card& card) {
  for (const ContendApp& each : report.apps) {
    if (each.name == app && each.alone.p50_ns) {
      card.isolated = Figures(each.alone);
    }
  }
  const SlowDown* worst = nullptr;
  for (const SlowDown& each : report.slow_downs) {
    if (each.actor == app && each.contended.p95_ns &&
        (worst == nullptr ||
         each.contended.p95_ns->value > worst->contended.p95_ns->value)) {
      worst = &each;
    }
  }
  if (worst != nullptr) {
    card.contended = Figures(worst->contended);
    card.contended->beside = Join(worst->beside, " + ");
  }
}

}  // namespace edgewise

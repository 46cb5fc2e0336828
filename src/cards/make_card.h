// From Runs to a Card.
#ifndef EDGEWISE_CARDS_MAKE_CARD_H_
#define EDGEWISE_CARDS_MAKE_CARD_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "cards/card.h"
#include "store/store.h"

namespace edgewise {

enum class WcetChoice {
  // A quantile bound if the samples suffice for one, else the observed
  // maximum with a warning.
  kAuto,
  kObservedMax,
  kQuantileBound,  // refused if the samples do not suffice
  kPwcet,          // refused if a gate of the extreme-value estimate fails
};

struct CardRequest {
  // The span or periodic activity that the card is about. Empty: the only one
  // there is; without any, the whole program, whose samples are its repeats.
  std::string span;
  std::string name;  // empty: the Run's label, else the program's name
  std::string notes;
  std::optional<int64_t> period_ns;
  std::optional<int64_t> deadline_ns;  // unset: the period
  bool cpu_time = false;  // wcet_ms and avg_ms of CPU instead of wall time
  WcetChoice wcet = WcetChoice::kAuto;
  double quantile = 0.99;
  double confidence = 0.95;
  double exceedance = 1e-6;  // for kPwcet, per span
};

struct MadeCard {
  Card card;
  std::vector<std::string> warnings;
};

// `runs`: at least one; several are pooled. Refused where a span is unknown
// (the error lists those there are), samples are missing, or the chosen
// wcet cannot be defended.
Result<MadeCard> MakeCard(const Store& store, std::span<const Run> runs,
                          const CardRequest& request);

}  // namespace edgewise

#endif  // EDGEWISE_CARDS_MAKE_CARD_H_

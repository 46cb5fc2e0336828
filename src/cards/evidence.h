// What a card's figures rest on.
#ifndef EDGEWISE_CARDS_EVIDENCE_H_
#define EDGEWISE_CARDS_EVIDENCE_H_

#include <optional>
#include <span>
#include <string>

#include "cards/card.h"
#include "stats/summary.h"
#include "store/run.h"

namespace edgewise {

// Rounded to whole nanoseconds, so that a figure reads back as it was.
std::optional<double> WholeNsAsMs(std::optional<double> ns);

// `runs` at least one; conditions and machine are those of the first. `span`
// is empty for the whole program; `summary` is that of the samples, in ns.
CardEvidence EvidenceOf(std::span<const Run> runs, const std::string& span,
                        const stats::SpanSummary& summary);

}  // namespace edgewise

#endif  // EDGEWISE_CARDS_EVIDENCE_H_

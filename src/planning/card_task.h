// From a card to a task that can be planned.
//
// The room `planning` knows what cards and task files ask for; proofs and
// plans are made in `scheduling`.
#ifndef EDGEWISE_PLANNING_CARD_TASK_H_
#define EDGEWISE_PLANNING_CARD_TASK_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cards/card.h"
#include "planning/assumed_wcet.h"
#include "scheduling/make_plan.h"

namespace edgewise {

// Milliseconds as whole nanoseconds, rounded up; nullopt unless above 0 and at
// most a year, which is what plans can hold.
std::optional<int64_t> TaskTimeNs(double ms);

// `file` is the card's, for messages and for the plan. A missing deadline is
// the period; a CPU share above 100% (of the whole Run, in whole percent), or
// more than one core in `resources`, asks for whole cores; a card of a whole
// program asks for one process start a job. Refused, with the file in front:
// no period, what AssumeWcet refuses, a job longer than its deadline. What the
// reader of a plan should know goes to `notes`.
Result<scheduling::TaskWish> WishFrom(const Card& card, const std::string& file,
                                      const WcetChoices& choices,
                                      std::vector<std::string>* notes);

}  // namespace edgewise

#endif  // EDGEWISE_PLANNING_CARD_TASK_H_

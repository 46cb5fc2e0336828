// Repeats of one command for people.
#ifndef EDGEWISE_REPORT_GROUP_TEXT_H_
#define EDGEWISE_REPORT_GROUP_TEXT_H_

#include <span>
#include <string>

#include "report/table.h"
#include "store/analysis.h"
#include "store/run.h"

namespace edgewise {

// The summary after `run --repeat`: the commands, how the Runs ended, each
// total's mean with its 95% interval, the spans of all Runs together.
std::string GroupText(std::span<const Run> runs, const GroupAnalysis& analysis,
                      const TextStyle& style);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_GROUP_TEXT_H_

// The table of Runs that `edgewise list` prints.
#ifndef EDGEWISE_REPORT_LIST_TEXT_H_
#define EDGEWISE_REPORT_LIST_TEXT_H_

#include <string>
#include <vector>

#include "report/table.h"
#include "store/run.h"

namespace edgewise {

// One row per Run, in the order given. An empty list is a sentence that says
// how to make a Run.
std::string ListText(const std::vector<Run>& runs, const TextStyle& style);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_LIST_TEXT_H_

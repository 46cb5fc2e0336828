// What was applied to running programs, and what was put back.
#ifndef EDGEWISE_REPORT_APPLY_TEXT_H_
#define EDGEWISE_REPORT_APPLY_TEXT_H_

#include <string>

#include "execution/apply_plan.h"
#include "execution/undo_applied.h"
#include "report/table.h"

namespace edgewise {

// "camera (pid 1234): cores 0-3 -> 2"
std::string ChangeLine(const AppliedChange& change);

// Whether the deadlines are proven as it is now, and what to know.
std::string ApplyText(const ApplyReport& report, const TextStyle& style);
std::string ApplyJson(const ApplyReport& report, bool dry_run);
std::string UndoJson(const UndoReport& report);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_APPLY_TEXT_H_

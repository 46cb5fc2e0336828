// A contention experiment as tables, for the terminal and for pages.
#ifndef EDGEWISE_REPORT_CONTEND_TABLES_H_
#define EDGEWISE_REPORT_CONTEND_TABLES_H_

#include <string>
#include <string_view>
#include <vector>

#include "experiments/contend.h"
#include "report/table.h"

namespace edgewise {

// Each app alone.
Table AloneTable(const ContendReport& report);
// Each app beside each neighbour.
Table SlowDownTable(const ContendReport& report);
// What each app does to others, where that was measured.
Table PressureTable(const ContendReport& report);
inline constexpr std::string_view kPressureNote =
    "as the dial of the stressor that a probe could not tell from it";
// Predicted against measured, and what that means.
Table CheckTable(const PredictionCheck& check);
std::string CheckVerdict(const PredictionCheck& check);

// One sentence for each app that failed, alone or beside others.
std::vector<std::string> ContendFailures(const ContendReport& report);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_CONTEND_TABLES_H_

// Names and values of a Run's totals as people read them.
#ifndef EDGEWISE_REPORT_TOTAL_NAMES_H_
#define EDGEWISE_REPORT_TOTAL_NAMES_H_

#include <optional>
#include <string>
#include <string_view>

#include "report/table.h"
#include "stats/compare.h"

namespace edgewise {

// "max RSS" for "max_rss_bytes" in "bytes".
std::string TotalTitle(std::string_view name, std::string_view unit);
// "118 MiB", "30 s", "126 J", "3,604".
std::string TotalValueText(std::optional<double> value, std::string_view unit);

// The verdict in words that fit the unit: time is faster, memory smaller, a
// count lower. `decides`: whether more is bad; else the tone is plain.
Cell VerdictCell(stats::Verdict verdict, std::string_view unit, bool decides);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_TOTAL_NAMES_H_

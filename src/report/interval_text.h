// An estimate in milliseconds with its interval, in one cell.
#ifndef EDGEWISE_REPORT_INTERVAL_TEXT_H_
#define EDGEWISE_REPORT_INTERVAL_TEXT_H_

#include <optional>
#include <string>

#include "stats/quantile.h"

namespace edgewise {

// "12.3"; "--" if unknown.
std::string MsText(std::optional<double> ns);
// "12.3 [12.1–12.6]", or "12.3 [needs 72]": how many samples an interval of
// that percentile takes.
std::string MsWithInterval(const std::optional<stats::Estimate>& ns, double p);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_INTERVAL_TEXT_H_

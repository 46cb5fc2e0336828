// What a stressor applied, as text and as JSON.
#ifndef EDGEWISE_REPORT_STRESS_TEXT_H_
#define EDGEWISE_REPORT_STRESS_TEXT_H_

#include <string>

#include "report/table.h"
#include "stress/stressor.h"

namespace edgewise {

std::string StressText(const StressSpec& spec, const StressOutcome& outcome,
                       const TextStyle& style);
std::string StressJson(const StressSpec& spec, const StressOutcome& outcome);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_STRESS_TEXT_H_

// How late a machine starts jobs, for people and for programs.
#ifndef EDGEWISE_REPORT_TIMERS_TEXT_H_
#define EDGEWISE_REPORT_TIMERS_TEXT_H_

#include <string>

#include "execution/calibrate_timers.h"
#include "report/table.h"

namespace edgewise {

std::string TimersText(const TimerCalibration& calibration,
                       const TextStyle& style);
std::string TimersJson(const TimerCalibration& calibration);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_TIMERS_TEXT_H_

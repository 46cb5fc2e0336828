// One trial of a search for least resources, on a line.
#ifndef EDGEWISE_REPORT_FIT_STEP_H_
#define EDGEWISE_REPORT_FIT_STEP_H_

#include <string>

#include "experiments/least_resources.h"

namespace edgewise {

// "0.35 cores, 210 MiB: 9.6 fps (9.3 to 9.9): not met".
std::string FitStepText(const FitStep& step, const FitRequest& request);

// "9.6 fps (9.3 to 9.9), 81 ms (insufficient samples)".
std::string FitFiguresText(const JointJudgement& judgement,
                           const FitRequest& request);

// "1 core", "0.35 cores".
std::string FitCoresText(double cores);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_FIT_STEP_H_

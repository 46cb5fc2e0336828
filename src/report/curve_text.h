// A curve for the terminal, and as JSON.
#ifndef EDGEWISE_REPORT_CURVE_TEXT_H_
#define EDGEWISE_REPORT_CURVE_TEXT_H_

#include <string>

#include "experiments/curve.h"
#include "report/table.h"

namespace edgewise {

std::string CurveText(const Curve& curve, const TextStyle& style);
// docs/formats/curve.md.
std::string CurveJson(const Curve& curve);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_CURVE_TEXT_H_

// A flame graph as a picture: callers above, callees below, a tooltip each.
#ifndef EDGEWISE_REPORT_SVG_FLAME_H_
#define EDGEWISE_REPORT_SVG_FLAME_H_

#include <string>
#include <string_view>

#include "report/flame.h"

namespace edgewise {

std::string FlameSvg(const FlameTree& tree, std::string_view title);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_SVG_FLAME_H_

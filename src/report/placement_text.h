// Where a new device stands among those that a model knows.
#ifndef EDGEWISE_REPORT_PLACEMENT_TEXT_H_
#define EDGEWISE_REPORT_PLACEMENT_TEXT_H_

#include <string>
#include <vector>

#include "prediction/calibrate_device.h"
#include "report/table.h"

namespace edgewise {

std::string PlacementText(const LatencyModel& model, const Placement& placement,
                          const std::vector<PlacementCheck>& checks,
                          const TextStyle& style);
std::string PlacementJson(const Placement& placement,
                          const std::vector<PlacementCheck>& checks);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_PLACEMENT_TEXT_H_

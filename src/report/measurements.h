// Measured times of a network under load: the table of
// docs/formats/measurements.md, and a shorter one for people.
#ifndef EDGEWISE_REPORT_MEASUREMENTS_H_
#define EDGEWISE_REPORT_MEASUREMENTS_H_

#include <optional>
#include <string>

#include "experiments/measure_model.h"
#include "prediction/onnx_network.h"
#include "report/table.h"

namespace edgewise {

// Rows that failed are left out. `disk_percent`: of the file system "/".
std::string MeasurementsCsv(const OnnxModel& model,
                            const MeasureModelReport& report,
                            std::optional<double> disk_percent);

std::string MeasurementsText(const OnnxModel& model,
                             const MeasureModelReport& report,
                             const TextStyle& style);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_MEASUREMENTS_H_

// What is said of a model without running it, for people and for programs.
#ifndef EDGEWISE_REPORT_INSPECT_TEXT_H_
#define EDGEWISE_REPORT_INSPECT_TEXT_H_

#include <string>

#include "prediction/onnx_network.h"
#include "report/table.h"

namespace edgewise {

// `layers`: with a table of all nodes that cost something.
std::string InspectText(const OnnxModel& model, bool layers,
                        const TextStyle& style);
// One object; docs/inspect.md describes it.
std::string InspectJson(const OnnxModel& model, bool layers);
// The eight fields of a SOPRANO caller as an object, integers as integers.
std::string CharacteristicsJson(const Characteristics& fields);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_INSPECT_TEXT_H_

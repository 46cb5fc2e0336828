// The waterfall of a cell: its stages one after the other, as long as they take
// on average.
#ifndef EDGEWISE_REPORT_MQTT_WATERFALL_H_
#define EDGEWISE_REPORT_MQTT_WATERFALL_H_

#include <string>

#include "mqtt/pipeline_report.h"
#include "report/table.h"

namespace edgewise {

// Both empty where no stage of the path is known.
std::string WaterfallText(const mqtt::PipelineCell& cell,
                          const TextStyle& style);
std::string WaterfallSvg(const mqtt::PipelineCell& cell);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_MQTT_WATERFALL_H_

// A measured MQTT pipeline for people and for programs.
#ifndef EDGEWISE_REPORT_MQTT_TEXT_H_
#define EDGEWISE_REPORT_MQTT_TEXT_H_

#include <string>
#include <utility>
#include <vector>

#include "mqtt/pipeline_report.h"
#include "report/table.h"

namespace edgewise {

std::string MqttText(const mqtt::PipelineReport& report,
                     const TextStyle& style);
std::string MqttJson(const mqtt::PipelineReport& report);
std::string MqttHtml(const mqtt::PipelineReport& report);
// Pictures by name, for files: "waterfall-1", "matrix".
std::vector<std::pair<std::string, std::string>> MqttPictures(
    const mqtt::PipelineReport& report);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_MQTT_TEXT_H_

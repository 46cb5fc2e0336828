// The tables of a measured MQTT pipeline.
#ifndef EDGEWISE_REPORT_MQTT_TABLES_H_
#define EDGEWISE_REPORT_MQTT_TABLES_H_

#include <string>

#include "mqtt/pipeline_report.h"
#include "report/table.h"

namespace edgewise {

// One row for each stage of a cell: n, p50, p95, p99 with intervals, maximum,
// share of the total. All times in ms.
Table MqttStageTable(const mqtt::PipelineCell& cell);
// The same for narrow terminals: intervals stand on a line of their own.
Table NarrowMqttStageTable(const mqtt::PipelineCell& cell);
// The sentence that explains "needs" and "±"; empty if there is neither.
std::string MqttStageNote(const mqtt::PipelineCell& cell);
// One row for each cell: what became of the messages.
Table MqttAccountTable(const mqtt::PipelineReport& report);
// CPU, memory and reconnects of each role, the broker and the app.
Table MqttRoleTable(const mqtt::PipelineReport& report);
// One row for each cell: total, naive and ack.
Table MqttOverview(const mqtt::PipelineReport& report);
// Conditions of a cell as pieces: "QoS 1", "mosquitto version 2.0.11".
std::vector<std::string> MqttConditions(const mqtt::PipelineCell& cell);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_MQTT_TABLES_H_

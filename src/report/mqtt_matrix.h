// Quality of service against impairments, as a matrix.
#ifndef EDGEWISE_REPORT_MQTT_MATRIX_H_
#define EDGEWISE_REPORT_MQTT_MATRIX_H_

#include <string>
#include <vector>

#include "mqtt/pipeline_report.h"
#include "report/table.h"

namespace edgewise {

struct MqttMatrix {
  std::vector<std::string> rows;     // "QoS 1, 1 KiB"
  std::vector<std::string> columns;  // "none", "delay=40ms"
  // cells[row][column]; nullptr: not measured. Points into the report.
  std::vector<std::vector<const mqtt::PipelineCell*>> cells;
};

// The report must outlive it. Without columns if there is but one impairment.
MqttMatrix MqttMatrixOf(const mqtt::PipelineReport& report);

// p50 and p99 of the total and what was lost; shaded by how much longer p99 is
// than the best of the matrix. Empty without columns.
Table MqttMatrixTable(const MqttMatrix& matrix);
std::string MqttMatrixSvg(const MqttMatrix& matrix);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_MQTT_MATRIX_H_

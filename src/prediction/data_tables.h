// The tables that prediction learns from: measured latencies by run and
// network, the networks' layers, and their characteristics.
#ifndef EDGEWISE_PREDICTION_DATA_TABLES_H_
#define EDGEWISE_PREDICTION_DATA_TABLES_H_

#include <Eigen/Dense>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "prediction/characteristics.h"
#include "prediction/csv_table.h"
#include "prediction/device_spec.h"
#include "prediction/load_rows.h"
#include "prediction/network.h"

namespace edgewise {

// One board in one setting.
struct BoardRun {
  std::string id;
  std::string device;
  std::string note;
  DeviceSpec spec;
};

// Networks and runs with what was measured; rows that their source calls
// suspect, and such of other backends than the CPU, are left out.
struct LatencyData {
  std::vector<Network> networks;
  // Beside `networks`; nullopt where no table has the network.
  std::vector<std::optional<Characteristics>> characteristics;
  std::vector<BoardRun> runs;
  // Natural logarithm of milliseconds, runs x networks; NaN: not measured.
  // The least of a run's repeats: what the device takes undisturbed.
  Eigen::MatrixXd log_ms;
  std::vector<LoadRow> load_rows;
  // FNV-1a of all tables' bytes, in hex.
  std::string digest;
  int64_t left_out = 0;

  int64_t Measurements() const;
};

struct NamedText {
  std::string name;  // of the file, for errors
  std::string text;
};

// Tables in any order, told apart by their columns: `layer` and `type`
// (layers), `run` and `min_ms` (latencies), `cpu_usage(percentage)` and
// `mean_ms` (measurements under load), `conv_layers` (characteristics). Layers
// and latencies are needed.
Result<LatencyData> ReadLatencyData(const std::vector<NamedText>& tables);

// Networks from a table of layers (columns model, type, kernel_w, stride,
// groups, in_shape, out_shape, macs, parameters, int8), in the table's order.
Result<std::vector<Network>> ReadLayersTable(const CsvTable& table,
                                             const std::string& name);

// Milliseconds by network from a table with `model` and `min_ms` (or `ms`).
Result<std::map<std::string, double>> ReadMeasuredTable(
    const CsvTable& table, const std::string& name);

}  // namespace edgewise

#endif  // EDGEWISE_PREDICTION_DATA_TABLES_H_

#include "prediction/load_rows.h"

namespace edgewise {
namespace {

constexpr std::string_view kLoad = "cpu_usage(percentage)";
constexpr std::string_view kTime = "mean_ms";
constexpr double kMostThreads = 100000;

}  // namespace

bool IsLoadTable(const CsvTable& table) {
  return table.Find(kLoad) && table.Find(kTime);
}

Result<std::vector<LoadRow>> ReadLoadTable(const CsvTable& table,
                                           const std::string& name) {
  for (const std::string_view column :
       {std::string_view("model"), std::string_view("device_type"),
        std::string_view("threads"), kLoad, kTime}) {
    if (!table.Find(column)) {
      return Error{ErrorCode::kInvalid,
                   name + " has no column " + std::string(column)};
    }
  }
  std::vector<LoadRow> rows;
  for (size_t i = 0; i < table.rows.size(); ++i) {
    const CsvRow fields(table, i);
    if (fields.Text(kLoad).empty() || fields.Text(kTime).empty()) {
      continue;
    }
    const auto load = fields.Number(kLoad);
    const auto ms = fields.Number(kTime);
    const auto threads = fields.Number("threads");
    if (!load || *load > 100) {
      return fields.Wrong(name, kLoad);
    }
    if (!ms || *ms <= 0) {
      return fields.Wrong(name, kTime);
    }
    if (!threads || *threads < 1 || *threads > kMostThreads) {
      return fields.Wrong(name, "threads");
    }
    LoadRow row;
    row.device = fields.Text("device_type");
    row.network = fields.Text("model");
    const std::string_view precision = fields.Text("precision");
    if (!precision.empty() && precision != "fp32") {
      row.network += "_" + std::string(precision);
    }
    row.threads = static_cast<int>(*threads);
    row.load_percent = *load;
    row.mean_ms = *ms;
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace edgewise

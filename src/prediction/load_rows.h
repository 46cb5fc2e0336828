// Inference times under background load, as `edgewise measure-model` writes
// them (docs/formats/measurements.md).
#ifndef EDGEWISE_PREDICTION_LOAD_ROWS_H_
#define EDGEWISE_PREDICTION_LOAD_ROWS_H_

#include <string>
#include <vector>

#include "base/result.h"
#include "prediction/csv_table.h"

namespace edgewise {

struct LoadRow {
  std::string device;
  std::string network;  // with its precision where that is not fp32
  int threads = 1;
  // Of all cores, used by everything else just before.
  double load_percent = 0;
  double mean_ms = 0;
};

// Whether the columns are those of such a table.
bool IsLoadTable(const CsvTable& table);

// Rows without a load or a time are left out: they say nothing.
Result<std::vector<LoadRow>> ReadLoadTable(const CsvTable& table,
                                           const std::string& name);

}  // namespace edgewise

#endif  // EDGEWISE_PREDICTION_LOAD_ROWS_H_

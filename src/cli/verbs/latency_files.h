// The files that `train`, `evaluate`, `predict` and `calibrate --device` read.
#ifndef EDGEWISE_CLI_VERBS_LATENCY_FILES_H_
#define EDGEWISE_CLI_VERBS_LATENCY_FILES_H_

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "prediction/data_tables.h"
#include "prediction/latency_model.h"

namespace edgewise::cli {

// What is wrong with asking for both tables and campaigns, or neither.
std::optional<Error> CheckSources(const std::vector<std::string>& tables,
                                  const std::vector<std::string>& campaigns);

// Tables by file name; a folder stands for the CSV files in it.
Result<LatencyData> LoadLatencyData(const std::vector<std::string>& paths);

// A model by file name; "" is the one that comes with edgewise, from models/
// beside the program or share/edgewise/models/ of its installation.
Result<LatencyModel> LoadModel(const std::string& path);

}  // namespace edgewise::cli

#endif  // EDGEWISE_CLI_VERBS_LATENCY_FILES_H_

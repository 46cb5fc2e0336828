// The network that a user asks about.
#ifndef EDGEWISE_CLI_VERBS_NETWORK_QUERY_H_
#define EDGEWISE_CLI_VERBS_NETWORK_QUERY_H_

#include <optional>
#include <string>

#include "base/result.h"
#include "cli/verbs/onnx_options.h"
#include "prediction/predict.h"

namespace edgewise::cli {

struct NetworkQuery {
  Query query;
  // What it takes where it runs; nullopt: not known.
  std::optional<double> memory_bytes;
};

// A file (ONNX, layers or characteristics as CSV, the eight fields as JSON), or
// the name of a network that the model knows.
Result<NetworkQuery> QueryFrom(const LatencyModel& model,
                               const std::string& words,
                               const OnnxOptions& onnx);

}  // namespace edgewise::cli

#endif  // EDGEWISE_CLI_VERBS_NETWORK_QUERY_H_

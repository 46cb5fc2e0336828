// What an ONNX file says about itself, read without running it.
#ifndef EDGEWISE_APPS_MODELS_ONNX_SUMMARY_H_
#define EDGEWISE_APPS_MODELS_ONNX_SUMMARY_H_

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace edgewise::apps {

struct OnnxInput {
  std::string name;
  int64_t element_type = 0;  // as in onnx_fields.h
  // nullopt for a dimension that is left open.
  std::vector<std::optional<int64_t>> dims;
};

struct OnnxSummary {
  std::vector<OnnxInput> inputs;  // without those that are constants
  std::set<std::string> operators;
  int64_t opset = 0;  // of ONNX's own operators
};

// `name` is for the error, which says that this is no ONNX file.
Result<OnnxSummary> SummarizeOnnx(const std::string& name,
                                  std::string_view bytes);

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_MODELS_ONNX_SUMMARY_H_

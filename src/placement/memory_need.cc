#include "placement/memory_need.h"

namespace edgewise {
namespace {

constexpr double kMostParameters = 1e15;
constexpr double kBytesPerParameter = 4;

}  // namespace

std::optional<double> MemoryNeedBytes(const Characteristics& model) {
  if (model.total_parameters > kMostParameters) {
    return std::nullopt;
  }
  return model.total_parameters * kBytesPerParameter + model.model_input_bytes +
         model.model_output_bytes + kRuntimeBytes;
}

}  // namespace edgewise

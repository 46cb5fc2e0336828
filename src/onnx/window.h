// The geometry of convolutions and pools: where their windows are.
#ifndef EDGEWISE_ONNX_WINDOW_H_
#define EDGEWISE_ONNX_WINDOW_H_

#include <optional>

#include "onnx/model.h"

namespace edgewise::onnx {

// One entry for each spatial axis; all are at least 1 and at most kMostExtent,
// pads may be 0.
struct Window {
  std::vector<int64_t> kernel;
  std::vector<int64_t> strides;
  std::vector<int64_t> dilations;
  std::vector<int64_t> pads_begin;
  std::vector<int64_t> pads_end;
};

// As the node's attributes have it for an input of these dimensions (batch,
// channels, spatial ones), with `kernel` from the weights where no attribute
// says it. nullopt if they do not fit together.
std::optional<Window> WindowOf(const Node& node, const Dims& input,
                               std::vector<int64_t> kernel);

// Windows along each spatial axis. `ceil_mode`: one that hangs over counts.
std::optional<Dims> WindowsOver(const Window& window, const Dims& input,
                                bool ceil_mode);

}  // namespace edgewise::onnx

#endif  // EDGEWISE_ONNX_WINDOW_H_

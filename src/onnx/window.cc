#include "onnx/window.h"

#include <algorithm>

#include "onnx/node_shapes.h"

namespace edgewise::onnx {
namespace {

// An attribute with one entry an axis; all `otherwise` where there is none.
std::optional<std::vector<int64_t>> PerAxis(const Node& node,
                                            std::string_view attribute,
                                            size_t axes, int64_t otherwise,
                                            int64_t least) {
  std::vector<int64_t> values = node.Ints(attribute);
  if (values.empty()) {
    values.assign(axes, otherwise);
  }
  const bool sane = values.size() == axes &&
                    std::all_of(values.begin(), values.end(), [=](int64_t v) {
                      return v >= least && v <= kMostExtent;
                    });
  return sane ? std::optional(std::move(values)) : std::nullopt;
}

}  // namespace

std::optional<Window> WindowOf(const Node& node, const Dims& input,
                               std::vector<int64_t> kernel) {
  if (input.size() < 3) {
    return std::nullopt;
  }
  const size_t axes = input.size() - 2;
  if (!node.Ints("kernel_shape").empty()) {
    kernel = node.Ints("kernel_shape");
  }
  const auto strides = PerAxis(node, "strides", axes, 1, 1);
  const auto dilations = PerAxis(node, "dilations", axes, 1, 1);
  const auto pads = PerAxis(node, "pads", 2 * axes, 0, -kMostExtent);
  const bool sane = kernel.size() == axes &&
                    std::all_of(kernel.begin(), kernel.end(), [](int64_t k) {
                      return k >= 1 && k <= kMostExtent;
                    });
  if (!sane || !strides || !dilations || !pads) {
    return std::nullopt;
  }
  const auto middle = pads->begin() + static_cast<ptrdiff_t>(axes);
  Window window{std::move(kernel),
                *strides,
                *dilations,
                {pads->begin(), middle},
                {middle, pads->end()}};
  const std::string_view automatic = node.Text("auto_pad");
  if (automatic == "VALID") {
    window.pads_begin.assign(axes, 0);
    window.pads_end.assign(axes, 0);
  } else if (automatic.starts_with("SAME")) {
    for (size_t i = 0; i < axes; ++i) {
      const int64_t stride = window.strides[i];
      const int64_t in = input[i + 2];
      const int64_t out = in / stride + (in % stride != 0 ? 1 : 0);
      const int64_t reach = (window.kernel[i] - 1) * window.dilations[i] + 1;
      const int64_t pad =
          std::clamp<int64_t>((out - 1) * stride + reach - in, 0, kMostExtent);
      const int64_t half = pad / 2;
      const bool upper = automatic == "SAME_UPPER";
      window.pads_begin[i] = upper ? half : pad - half;
      window.pads_end[i] = upper ? pad - half : half;
    }
  }
  return window;
}

std::optional<Dims> WindowsOver(const Window& window, const Dims& input,
                                bool ceil_mode) {
  Dims count;
  for (size_t i = 0; i < window.kernel.size(); ++i) {
    const int64_t reach = (window.kernel[i] - 1) * window.dilations[i] + 1;
    const int64_t stride = window.strides[i];
    const int64_t room =
        input[i + 2] + window.pads_begin[i] + window.pads_end[i] - reach;
    if (room < 0) {
      return std::nullopt;
    }
    int64_t windows = room / stride + 1;
    // One more that hangs over the end, unless it starts beyond it.
    if (ceil_mode && room % stride != 0 &&
        windows * stride < input[i + 2] + window.pads_begin[i]) {
      ++windows;
    }
    count.push_back(windows);
  }
  return count;
}

}  // namespace edgewise::onnx

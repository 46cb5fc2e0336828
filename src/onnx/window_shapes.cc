// Convolutions, pools, resizing and padding.
#include <algorithm>
#include <array>
#include <cmath>

#include "onnx/node_shapes.h"
#include "onnx/window.h"

namespace edgewise::onnx {
namespace {

void Convolve(NodeShapes& shapes, size_t weight_input, ElementType type) {
  shapes.SetType(0, type);
  const Dims* input = shapes.DimsOf(0);
  const Dims* weight = shapes.DimsOf(weight_input);
  if (input == nullptr || weight == nullptr ||
      weight->size() != input->size() || input->size() < 3) {
    return;
  }
  const auto window =
      WindowOf(shapes.node(), *input, {weight->begin() + 2, weight->end()});
  const auto spatial =
      window ? WindowsOver(*window, *input, false) : std::nullopt;
  if (spatial) {
    Dims out{(*input)[0], (*weight)[0]};
    out.insert(out.end(), spatial->begin(), spatial->end());
    shapes.Set(0, type, std::move(out));
  }
}

void Conv(NodeShapes& shapes) { Convolve(shapes, 1, shapes.TypeOf(0)); }
void ConvInteger(NodeShapes& shapes) {
  Convolve(shapes, 1, ElementType::kInt32);
}
void QLinearConv(NodeShapes& shapes) { Convolve(shapes, 3, shapes.TypeOf(7)); }

void ConvTranspose(NodeShapes& shapes) {
  shapes.SetType(0, shapes.TypeOf(0));
  const Node& node = shapes.node();
  const Dims* input = shapes.DimsOf(0);
  const Dims* weight = shapes.DimsOf(1);
  if (input == nullptr || weight == nullptr ||
      weight->size() != input->size() || input->size() < 3) {
    return;
  }
  const auto window =
      WindowOf(node, *input, {weight->begin() + 2, weight->end()});
  const int64_t groups = node.Int("group", 1);
  if (!window || groups < 1 || groups > kMostExtent) {
    return;
  }
  const size_t axes = input->size() - 2;
  const std::vector<int64_t>& stated = node.Ints("output_shape");
  const std::vector<int64_t>& extra = node.Ints("output_padding");
  const bool same = node.Text("auto_pad").starts_with("SAME");
  Dims out{(*input)[0], (*weight)[1] * groups};
  for (size_t i = 0; i < axes; ++i) {
    const int64_t stride = window->strides[i];
    const int64_t reach = (window->kernel[i] - 1) * window->dilations[i] + 1;
    int64_t extent = 0;
    if (stated.size() >= axes) {
      extent = stated[stated.size() - axes + i];
    } else if (same) {
      extent = (*input)[i + 2] * stride;
    } else {
      const int64_t more =
          i < extra.size() ? std::clamp<int64_t>(extra[i], 0, kMostExtent) : 0;
      extent = stride * ((*input)[i + 2] - 1) + more + reach -
               window->pads_begin[i] - window->pads_end[i];
    }
    out.push_back(extent);
  }
  shapes.Set(0, shapes.TypeOf(0), std::move(out));
}

void Pool(NodeShapes& shapes) {
  const ElementType type = shapes.TypeOf(0);
  shapes.SetType(0, type);
  const Dims* input = shapes.DimsOf(0);
  if (input == nullptr) {
    return;
  }
  const auto window = WindowOf(shapes.node(), *input, {});
  const auto spatial =
      window
          ? WindowsOver(*window, *input, shapes.node().Int("ceil_mode", 0) != 0)
          : std::nullopt;
  if (spatial) {
    Dims out{(*input)[0], (*input)[1]};
    out.insert(out.end(), spatial->begin(), spatial->end());
    shapes.Set(1, ElementType::kInt64, out);
    shapes.Set(0, type, std::move(out));
  }
}

void GlobalPool(NodeShapes& shapes) {
  shapes.SetType(0, shapes.TypeOf(0));
  if (const Dims* input = shapes.DimsOf(0); input && input->size() >= 2) {
    Dims out(input->size(), 1);
    out[0] = (*input)[0];
    out[1] = (*input)[1];
    shapes.Set(0, shapes.TypeOf(0), std::move(out));
  }
}

// Extents times scales, rounded down.
void Scale(NodeShapes& shapes, const std::vector<double>& scales) {
  const Dims* input = shapes.DimsOf(0);
  if (input == nullptr || scales.size() != input->size()) {
    return;
  }
  Dims out;
  for (size_t i = 0; i < scales.size(); ++i) {
    // Scales are kept as 32-bit floats: 1.9999999 means 2.
    out.push_back(WholeNumber(
        std::floor(static_cast<double>((*input)[i]) * scales[i] * (1 + 1e-7))));
  }
  shapes.Set(0, shapes.TypeOf(0), std::move(out));
}

void Resize(NodeShapes& shapes) {
  shapes.SetType(0, shapes.TypeOf(0));
  const std::vector<double>* sizes = shapes.ValuesOf(3);
  const Dims* input = shapes.DimsOf(0);
  if (sizes != nullptr && !sizes->empty()) {
    const std::vector<int64_t>& axes = shapes.node().Ints("axes");
    if (input == nullptr) {
      return;
    }
    Dims out = *input;
    for (size_t i = 0; i < sizes->size(); ++i) {
      const auto axis = NodeShapes::Axis(
          axes.size() == sizes->size() ? axes[i] : static_cast<int64_t>(i),
          out.size());
      if (!axis) {
        return;
      }
      out[*axis] = WholeNumber((*sizes)[i]);
    }
    shapes.Set(0, shapes.TypeOf(0), std::move(out));
    return;
  }
  // Opset 10 has the scales second, later ones third.
  const size_t place = shapes.opset() <= 10 ? 1 : 2;
  if (const std::vector<double>* scales = shapes.ValuesOf(place)) {
    Scale(shapes, *scales);
  }
}

void Upsample(NodeShapes& shapes) {
  shapes.SetType(0, shapes.TypeOf(0));
  if (const Attribute* scales = shapes.node().Find("scales")) {
    Scale(shapes, {scales->numbers.begin(), scales->numbers.end()});
  } else if (const std::vector<double>* values = shapes.ValuesOf(1)) {
    Scale(shapes, *values);
  }
}

void Pad(NodeShapes& shapes) {
  shapes.SetType(0, shapes.TypeOf(0));
  std::vector<int64_t> pads;
  const Dims* input = shapes.DimsOf(0);
  if (input == nullptr || !shapes.IntsFrom(1, "pads", pads)) {
    return;
  }
  Dims out = *input;
  std::vector<double> axes;
  if (const std::vector<double>* given = shapes.ValuesOf(3)) {
    axes = *given;
  } else {
    for (size_t i = 0; i < out.size(); ++i) {
      axes.push_back(static_cast<double>(i));
    }
  }
  if (pads.size() != 2 * axes.size()) {
    return;
  }
  for (size_t i = 0; i < axes.size(); ++i) {
    const auto axis = NodeShapes::Axis(WholeNumber(axes[i]), out.size());
    const auto sane = [](int64_t pad) {
      return pad >= -kMostExtent && pad <= kMostExtent;
    };
    if (!axis || !sane(pads[i]) || !sane(pads[i + axes.size()])) {
      return;
    }
    out[*axis] += pads[i] + pads[i + axes.size()];
  }
  shapes.Set(0, shapes.TypeOf(0), std::move(out));
}

// Blocks of pixels become channels, or the other way round.
void DepthToSpace(NodeShapes& shapes) {
  shapes.SetType(0, shapes.TypeOf(0));
  const Dims* in = shapes.DimsOf(0);
  const int64_t block = shapes.node().Int("blocksize", 0);
  if (in == nullptr || in->size() != 4 || block < 1 || block > (1 << 15)) {
    return;
  }
  const bool depth_to_space = shapes.node().op == "DepthToSpace";
  if (depth_to_space) {
    shapes.Set(0, shapes.TypeOf(0),
               {(*in)[0], (*in)[1] / (block * block), (*in)[2] * block,
                (*in)[3] * block});
  } else {
    shapes.Set(0, shapes.TypeOf(0),
               {(*in)[0], (*in)[1] * block * block, (*in)[2] / block,
                (*in)[3] / block});
  }
}

constexpr auto kRules = std::to_array<ShapeRule>({
    {"Conv", Conv},
    {"FusedConv", Conv},
    {"ConvInteger", ConvInteger},
    {"QLinearConv", QLinearConv},
    {"ConvTranspose", ConvTranspose},
    {"MaxPool", Pool},
    {"AveragePool", Pool},
    {"LpPool", Pool},
    {"QLinearAveragePool", Pool},
    {"GlobalAveragePool", GlobalPool},
    {"GlobalMaxPool", GlobalPool},
    {"GlobalLpPool", GlobalPool},
    {"QLinearGlobalAveragePool", GlobalPool},
    {"Resize", Resize},
    {"Upsample", Upsample},
    {"Pad", Pad},
    {"DepthToSpace", DepthToSpace},
    {"SpaceToDepth", DepthToSpace},
});

}  // namespace

std::span<const ShapeRule> WindowRules() { return kRules; }

}  // namespace edgewise::onnx

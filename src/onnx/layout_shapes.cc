// Operators that give elements another place or shape.
#include <algorithm>
#include <array>
#include <set>

#include "onnx/node_shapes.h"

namespace edgewise::onnx {
namespace {

void Concat(NodeShapes& shapes) {
  const ElementType type = shapes.TypeOf(0);
  shapes.SetType(0, type);
  std::optional<Dims> out;
  for (size_t i = 0; i < shapes.input_count(); ++i) {
    const Dims* dims = shapes.DimsOf(i);
    if (dims == nullptr || (out && dims->size() != out->size())) {
      return;
    }
    const auto axis =
        NodeShapes::Axis(shapes.node().Int("axis", 1), dims->size());
    if (!axis) {
      return;
    }
    if (!out) {
      out = *dims;
    } else if ((*out)[*axis] <= kMostExtent) {
      (*out)[*axis] += (*dims)[*axis];
    }
  }
  if (out) {
    shapes.Set(0, type, std::move(*out));
  }
}

void Split(NodeShapes& shapes) {
  const ElementType type = shapes.TypeOf(0);
  for (size_t i = 0; i < shapes.output_count(); ++i) {
    shapes.SetType(i, type);
  }
  const Dims* input = shapes.DimsOf(0);
  std::vector<int64_t> sizes;
  if (input == nullptr || !shapes.IntsFrom(1, "split", sizes)) {
    return;
  }
  const auto axis =
      NodeShapes::Axis(shapes.node().Int("axis", 0), input->size());
  if (!axis || shapes.output_count() == 0) {
    return;
  }
  if (sizes.empty()) {
    // Equal parts, the last one smaller if need be.
    const auto parts = static_cast<int64_t>(shapes.output_count());
    const int64_t part = ((*input)[*axis] + parts - 1) / parts;
    sizes.assign(shapes.output_count(), part);
    sizes.back() = (*input)[*axis] - part * (parts - 1);
  }
  for (size_t i = 0; i < sizes.size(); ++i) {
    Dims out = *input;
    out[*axis] = sizes[i];
    shapes.Set(i, type, std::move(out));
  }
}

void Reshape(NodeShapes& shapes) {
  const ElementType type = shapes.TypeOf(0);
  shapes.SetType(0, type);
  std::vector<int64_t> wanted;
  const Dims* input = shapes.DimsOf(0);
  if (input == nullptr || !shapes.IntsFrom(1, "shape", wanted)) {
    return;
  }
  const bool zero_is_zero = shapes.node().Int("allowzero", 0) != 0;
  std::optional<size_t> open;
  double known = 1;
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] == -1) {
      if (open) {
        return;
      }
      open = i;
      continue;
    }
    if (wanted[i] == 0 && !zero_is_zero) {
      if (i >= input->size()) {
        return;
      }
      wanted[i] = (*input)[i];
    }
    known *= static_cast<double>(wanted[i]);
  }
  const double elements = ElementsOf(*input);
  if (open) {
    wanted[*open] = known > 0 ? WholeNumber(elements / known) : 0;
    known *= static_cast<double>(wanted[*open]);
  }
  if (known == elements) {
    shapes.Set(0, type, std::move(wanted));
  }
}

void Flatten(NodeShapes& shapes) {
  shapes.SetType(0, shapes.TypeOf(0));
  const Dims* input = shapes.DimsOf(0);
  if (input == nullptr) {
    return;
  }
  const int64_t axis = shapes.node().Int("axis", 1);
  const auto rank = static_cast<int64_t>(input->size());
  if (axis < -rank || axis > rank) {
    return;
  }
  const auto cut = input->begin() + (axis < 0 ? axis + rank : axis);
  shapes.Set(0, shapes.TypeOf(0),
             {WholeNumber(ElementsOf({input->begin(), cut})),
              WholeNumber(ElementsOf({cut, input->end()}))});
}

void Transpose(NodeShapes& shapes) {
  shapes.SetType(0, shapes.TypeOf(0));
  const Dims* input = shapes.DimsOf(0);
  if (input == nullptr) {
    return;
  }
  const std::vector<int64_t>& order = shapes.node().Ints("perm");
  Dims out(input->rbegin(), input->rend());
  if (!order.empty()) {
    if (order.size() != input->size()) {
      return;
    }
    for (size_t i = 0; i < order.size(); ++i) {
      const auto axis = NodeShapes::Axis(order[i], input->size());
      if (!axis) {
        return;
      }
      out[i] = (*input)[*axis];
    }
  }
  shapes.Set(0, shapes.TypeOf(0), std::move(out));
}

void Squeeze(NodeShapes& shapes) {
  shapes.SetType(0, shapes.TypeOf(0));
  std::vector<int64_t> axes;
  const Dims* input = shapes.DimsOf(0);
  if (input == nullptr || !shapes.IntsFrom(1, "axes", axes)) {
    return;
  }
  std::set<size_t> gone;
  for (const int64_t each : axes) {
    const auto axis = NodeShapes::Axis(each, input->size());
    if (!axis || (*input)[*axis] != 1) {
      return;
    }
    gone.insert(*axis);
  }
  Dims out;
  for (size_t i = 0; i < input->size(); ++i) {
    if (axes.empty() ? (*input)[i] != 1 : !gone.contains(i)) {
      out.push_back((*input)[i]);
    }
  }
  shapes.Set(0, shapes.TypeOf(0), std::move(out));
}

void Unsqueeze(NodeShapes& shapes) {
  shapes.SetType(0, shapes.TypeOf(0));
  std::vector<int64_t> axes;
  const Dims* input = shapes.DimsOf(0);
  if (input == nullptr || !shapes.IntsFrom(1, "axes", axes)) {
    return;
  }
  const size_t rank = input->size() + axes.size();
  std::set<size_t> fresh;
  for (const int64_t each : axes) {
    const auto axis = NodeShapes::Axis(each, rank);
    if (!axis || !fresh.insert(*axis).second) {
      return;
    }
  }
  Dims out;
  size_t next = 0;
  for (size_t i = 0; i < rank; ++i) {
    out.push_back(fresh.contains(i) ? 1 : (*input)[next++]);
  }
  shapes.Set(0, shapes.TypeOf(0), std::move(out));
}

void Expand(NodeShapes& shapes) {
  shapes.SetType(0, shapes.TypeOf(0));
  std::vector<int64_t> wanted;
  const Dims* input = shapes.DimsOf(0);
  if (input == nullptr || !shapes.IntsFrom(1, "", wanted)) {
    return;
  }
  if (auto out = Broadcast(*input, wanted)) {
    shapes.Set(0, shapes.TypeOf(0), std::move(*out));
  }
}

void Tile(NodeShapes& shapes) {
  shapes.SetType(0, shapes.TypeOf(0));
  std::vector<int64_t> repeats;
  const Dims* input = shapes.DimsOf(0);
  if (input == nullptr || !shapes.IntsFrom(1, "", repeats) ||
      repeats.size() != input->size()) {
    return;
  }
  Dims out = *input;
  for (size_t i = 0; i < out.size(); ++i) {
    out[i] *= std::clamp<int64_t>(repeats[i], 0, kMostExtent);
  }
  shapes.Set(0, shapes.TypeOf(0), std::move(out));
}

constexpr auto kRules = std::to_array<ShapeRule>({
    {"Concat", Concat},
    {"Split", Split},
    {"Reshape", Reshape},
    {"Flatten", Flatten},
    {"Transpose", Transpose},
    {"Squeeze", Squeeze},
    {"Unsqueeze", Unsqueeze},
    {"Expand", Expand},
    {"Tile", Tile},
});

}  // namespace

std::span<const ShapeRule> LayoutRules() { return kRules; }

}  // namespace edgewise::onnx

// Operators that pick, count or reduce elements, and those that make new ones.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "onnx/node_shapes.h"
#include "onnx/read_model.h"

namespace edgewise::onnx {
namespace {

// Elements from `start` to before `end` in steps, all as ONNX clamps them.
int64_t SliceLength(int64_t extent, int64_t start, int64_t end, int64_t step) {
  const auto from_end = [extent](int64_t at) {
    return at < 0 ? at + extent : at;
  };
  if (step > 0) {
    start = std::clamp<int64_t>(from_end(start), 0, extent);
    end = std::clamp<int64_t>(from_end(end), 0, extent);
    return end > start ? (end - start - 1) / step + 1 : 0;
  }
  start = std::clamp<int64_t>(from_end(start), -1, extent - 1);
  end = std::clamp<int64_t>(from_end(end), -1, extent - 1);
  // -step of the least integer has no place in 64 bits.
  const int64_t back = -std::max(step, -kMostExtent);
  return start > end ? (start - end - 1) / back + 1 : 0;
}

void Slice(NodeShapes& shapes) {
  shapes.SetType(0, shapes.TypeOf(0));
  std::vector<int64_t> starts;
  std::vector<int64_t> ends;
  std::vector<int64_t> axes;
  std::vector<int64_t> steps;
  const Dims* input = shapes.DimsOf(0);
  if (input == nullptr || !shapes.IntsFrom(1, "starts", starts) ||
      !shapes.IntsFrom(2, "ends", ends) || !shapes.IntsFrom(3, "axes", axes) ||
      !shapes.IntsFrom(4, "steps", steps) || starts.size() != ends.size()) {
    return;
  }
  Dims out = *input;
  for (size_t i = 0; i < starts.size(); ++i) {
    const auto axis = NodeShapes::Axis(
        i < axes.size() ? axes[i] : static_cast<int64_t>(i), out.size());
    const int64_t step = i < steps.size() ? steps[i] : 1;
    if (!axis || step == 0) {
      return;
    }
    out[*axis] = SliceLength((*input)[*axis], starts[i], ends[i], step);
  }
  shapes.Set(0, shapes.TypeOf(0), std::move(out));
}

void Gather(NodeShapes& shapes) {
  shapes.SetType(0, shapes.TypeOf(0));
  const Dims* data = shapes.DimsOf(0);
  const Dims* indices = shapes.DimsOf(1);
  if (data == nullptr || indices == nullptr) {
    return;
  }
  const auto axis =
      NodeShapes::Axis(shapes.node().Int("axis", 0), data->size());
  if (!axis) {
    return;
  }
  const auto at = data->begin() + static_cast<ptrdiff_t>(*axis);
  Dims out(data->begin(), at);
  out.insert(out.end(), indices->begin(), indices->end());
  out.insert(out.end(), at + 1, data->end());
  shapes.Set(0, shapes.TypeOf(0), std::move(out));
}

void GatherElements(NodeShapes& shapes) {
  shapes.SetLike(0, 1, shapes.TypeOf(0));
}

void GatherNd(NodeShapes& shapes) {
  shapes.SetType(0, shapes.TypeOf(0));
  const Dims* data = shapes.DimsOf(0);
  const Dims* indices = shapes.DimsOf(1);
  const int64_t batch = shapes.node().Int("batch_dims", 0);
  if (data == nullptr || indices == nullptr || indices->empty() || batch < 0 ||
      batch > kMostExtent ||
      batch + indices->back() > static_cast<int64_t>(data->size())) {
    return;
  }
  Dims out(indices->begin(), indices->end() - 1);
  out.insert(out.end(), data->begin() + batch + indices->back(), data->end());
  shapes.Set(0, shapes.TypeOf(0), std::move(out));
}

void Scatter(NodeShapes& shapes) { shapes.SetLike(0, 0, shapes.TypeOf(0)); }

void ReduceAxes(NodeShapes& shapes, const std::vector<int64_t>& axes,
                bool none_is_all, ElementType type) {
  const Dims* input = shapes.DimsOf(0);
  std::set<size_t> gone;
  for (const int64_t each : axes) {
    const auto axis = NodeShapes::Axis(each, input->size());
    if (!axis) {
      return;
    }
    gone.insert(*axis);
  }
  const bool keep = shapes.node().Int("keepdims", 1) != 0;
  Dims out;
  for (size_t i = 0; i < input->size(); ++i) {
    const bool reduced = axes.empty() ? none_is_all : gone.contains(i);
    if (!reduced) {
      out.push_back((*input)[i]);
    } else if (keep) {
      out.push_back(1);
    }
  }
  shapes.Set(0, type, std::move(out));
}

void Reduce(NodeShapes& shapes) {
  const ElementType type = shapes.TypeOf(0);
  shapes.SetType(0, type);
  std::vector<int64_t> axes;
  if (shapes.DimsOf(0) != nullptr && shapes.IntsFrom(1, "axes", axes)) {
    ReduceAxes(shapes, axes, shapes.node().Int("noop_with_empty_axes", 0) == 0,
               type);
  }
}

void ArgMax(NodeShapes& shapes) {
  shapes.SetType(0, ElementType::kInt64);
  if (shapes.DimsOf(0) != nullptr) {
    ReduceAxes(shapes, {shapes.node().Int("axis", 0)}, true,
               ElementType::kInt64);
  }
}

void TopK(NodeShapes& shapes) {
  const ElementType type = shapes.TypeOf(0);
  shapes.SetType(0, type);
  shapes.SetType(1, ElementType::kInt64);
  const Dims* input = shapes.DimsOf(0);
  const std::vector<double>* k = shapes.ValuesOf(1);
  const int64_t stated = shapes.node().Int("k", -1);
  if (input == nullptr || (stated < 0 && (k == nullptr || k->size() != 1))) {
    return;
  }
  const auto axis =
      NodeShapes::Axis(shapes.node().Int("axis", -1), input->size());
  if (!axis) {
    return;
  }
  Dims out = *input;
  out[*axis] = stated >= 0 ? stated : WholeNumber(k->front());
  shapes.Set(1, ElementType::kInt64, out);
  shapes.Set(0, type, std::move(out));
}

void Shape(NodeShapes& shapes) {
  shapes.SetType(0, ElementType::kInt64);
  const Dims* input = shapes.DimsOf(0);
  if (input == nullptr) {
    return;
  }
  const auto rank = static_cast<int64_t>(input->size());
  const int64_t length = SliceLength(rank, shapes.node().Int("start", 0),
                                     shapes.node().Int("end", rank), 1);
  shapes.Set(0, ElementType::kInt64, {length});
}

void Size(NodeShapes& shapes) { shapes.Set(0, ElementType::kInt64, {}); }

void Constant(NodeShapes& shapes) {
  const Node& node = shapes.node();
  if (const Attribute* value = node.Find("value"); value && value->tensor) {
    shapes.Set(0, value->tensor->type, value->tensor->dims);
  } else if (node.Find("value_int") != nullptr) {
    shapes.Set(0, ElementType::kInt64, {});
  } else if (node.Find("value_float") != nullptr) {
    shapes.Set(0, ElementType::kFloat, {});
  } else if (const Attribute* ints = node.Find("value_ints")) {
    shapes.Set(0, ElementType::kInt64,
               {static_cast<int64_t>(ints->integers.size())});
  } else if (const Attribute* floats = node.Find("value_floats")) {
    shapes.Set(0, ElementType::kFloat,
               {static_cast<int64_t>(floats->numbers.size())});
  }
}

void ConstantOfShape(NodeShapes& shapes) {
  const Attribute* value = shapes.node().Find("value");
  const ElementType type =
      value && value->tensor ? value->tensor->type : ElementType::kFloat;
  shapes.SetType(0, type);
  Dims out;
  if (const std::vector<double>* extents = shapes.ValuesOf(0)) {
    for (const double extent : *extents) {
      out.push_back(WholeNumber(extent));
    }
    shapes.Set(0, type, std::move(out));
  }
}

void Range(NodeShapes& shapes) {
  shapes.SetType(0, shapes.TypeOf(0));
  const std::vector<double>* start = shapes.ValuesOf(0);
  const std::vector<double>* limit = shapes.ValuesOf(1);
  const std::vector<double>* delta = shapes.ValuesOf(2);
  if (start && limit && delta && start->size() == 1 && limit->size() == 1 &&
      delta->size() == 1 && delta->front() != 0) {
    const double count =
        std::ceil((limit->front() - start->front()) / delta->front());
    shapes.Set(0, shapes.TypeOf(0), {std::max<int64_t>(WholeNumber(count), 0)});
  }
}

void OneHot(NodeShapes& shapes) {
  shapes.SetType(0, shapes.TypeOf(2));
  const Dims* indices = shapes.DimsOf(0);
  const std::vector<double>* depth = shapes.ValuesOf(1);
  if (indices == nullptr || depth == nullptr || depth->size() != 1) {
    return;
  }
  const auto axis =
      NodeShapes::Axis(shapes.node().Int("axis", -1), indices->size() + 1);
  if (!axis) {
    return;
  }
  Dims out = *indices;
  out.insert(out.begin() + static_cast<ptrdiff_t>(*axis),
             WholeNumber(depth->front()));
  shapes.Set(0, shapes.TypeOf(2), std::move(out));
}

constexpr auto kRules = std::to_array<ShapeRule>({
    {"Slice", Slice},
    {"Gather", Gather},
    {"GatherElements", GatherElements},
    {"GatherND", GatherNd},
    {"Scatter", Scatter},
    {"ScatterElements", Scatter},
    {"ScatterND", Scatter},
    {"ReduceL1", Reduce},
    {"ReduceL2", Reduce},
    {"ReduceLogSum", Reduce},
    {"ReduceLogSumExp", Reduce},
    {"ReduceMax", Reduce},
    {"ReduceMean", Reduce},
    {"ReduceMin", Reduce},
    {"ReduceProd", Reduce},
    {"ReduceSum", Reduce},
    {"ReduceSumSquare", Reduce},
    {"ArgMax", ArgMax},
    {"ArgMin", ArgMax},
    {"TopK", TopK},
    {"Shape", Shape},
    {"Size", Size},
    {"Constant", Constant},
    {"ConstantOfShape", ConstantOfShape},
    {"Range", Range},
    {"OneHot", OneHot},
});

}  // namespace

std::span<const ShapeRule> SelectRules() { return kRules; }

}  // namespace edgewise::onnx

#include "onnx/fold_values.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "onnx/read_model.h"

namespace edgewise::onnx {
namespace {

using Values = std::vector<double>;
using Folded = std::optional<Values>;

// Element by element; a single one serves all of the other side.
template <typename Operation>
Folded Pairwise(const NodeShapes& shapes, const Operation& operation) {
  const Values* a = shapes.ValuesOf(0);
  const Values* b = shapes.ValuesOf(1);
  if (shapes.input_count() != 2 || a == nullptr || b == nullptr || a->empty() ||
      b->empty() ||
      (a->size() != b->size() && a->size() != 1 && b->size() != 1)) {
    return std::nullopt;
  }
  Values out;
  for (size_t i = 0; i < std::max(a->size(), b->size()); ++i) {
    out.push_back(
        operation((*a)[a->size() == 1 ? 0 : i], (*b)[b->size() == 1 ? 0 : i]));
  }
  return out;
}

template <typename Operation>
Folded Each(const NodeShapes& shapes, const Operation& operation) {
  const Values* in = shapes.ValuesOf(0);
  if (in == nullptr) {
    return std::nullopt;
  }
  Values out;
  std::transform(in->begin(), in->end(), std::back_inserter(out), operation);
  return out;
}

Folded Pass(const NodeShapes& shapes) {
  return Each(shapes, [](double value) { return value; });
}

Folded Cast(const NodeShapes& shapes) {
  const auto to =
      ElementTypeFrom(static_cast<uint64_t>(shapes.node().Int("to", 0)));
  return Each(shapes, [to](double value) {
    if (to == ElementType::kBool) {
      return value != 0 ? 1.0 : 0.0;
    }
    return IsFloating(to) ? value : std::trunc(value);
  });
}

Folded Divide(const NodeShapes& shapes) {
  const bool whole = !IsFloating(shapes.TypeOf(0));
  const Values* divisor = shapes.ValuesOf(1);
  if (divisor == nullptr ||
      std::find(divisor->begin(), divisor->end(), 0) != divisor->end()) {
    return std::nullopt;
  }
  return Pairwise(shapes, [whole](double a, double b) {
    return whole ? std::trunc(a / b) : a / b;
  });
}

Folded Shape(const NodeShapes& shapes) {
  const Dims* dims = shapes.DimsOf(0);
  if (dims == nullptr) {
    return std::nullopt;
  }
  const auto rank = static_cast<int64_t>(dims->size());
  const int64_t stated = shapes.node().Int("start", 0);
  const int64_t start =
      std::clamp<int64_t>(stated < 0 ? stated + rank : stated, 0, rank);
  Values out(dims->begin() + start, dims->end());
  const int64_t end = shapes.node().Int("end", rank);
  const int64_t last =
      std::clamp<int64_t>(end < 0 ? end + rank : end, start, rank);
  out.resize(static_cast<size_t>(last - start));
  return out;
}

Folded Size(const NodeShapes& shapes) {
  const Dims* dims = shapes.DimsOf(0);
  return dims ? Folded(Values{ElementsOf(*dims)}) : std::nullopt;
}

Folded Constant(const NodeShapes& shapes) {
  const Node& node = shapes.node();
  if (const Attribute* value = node.Find("value"); value && value->tensor) {
    return ValuesOf(*value->tensor);
  }
  if (const Attribute* one = node.Find("value_int"); one && one->integer) {
    return Values{static_cast<double>(*one->integer)};
  }
  if (const Attribute* one = node.Find("value_float"); one && one->number) {
    return Values{*one->number};
  }
  if (const Attribute* many = node.Find("value_ints")) {
    return Values(many->integers.begin(), many->integers.end());
  }
  if (const Attribute* many = node.Find("value_floats")) {
    return Values(many->numbers.begin(), many->numbers.end());
  }
  return std::nullopt;
}

// As many of one number as the output has elements.
Folded Fill(NodeShapes& shapes, double value) {
  const auto elements = shapes.outputs()[0].elements();
  if (!elements || *elements > static_cast<double>(kMostValues)) {
    return std::nullopt;
  }
  return Values(static_cast<size_t>(*elements), value);
}

Folded ConstantOfShape(NodeShapes& shapes) {
  const Attribute* value = shapes.node().Find("value");
  const auto values =
      value && value->tensor ? ValuesOf(*value->tensor) : Values{0};
  return values && values->size() == 1 ? Fill(shapes, values->front())
                                       : std::nullopt;
}

// Of single numbers only.
Folded Expand(NodeShapes& shapes) {
  const Values* in = shapes.ValuesOf(0);
  return in != nullptr && in->size() == 1 ? Fill(shapes, in->front())
                                          : std::nullopt;
}

// Of a list.
Folded Gather(const NodeShapes& shapes) {
  const Values* data = shapes.ValuesOf(0);
  const Values* indices = shapes.ValuesOf(1);
  const Dims* dims = shapes.DimsOf(0);
  if (data == nullptr || indices == nullptr || dims == nullptr ||
      dims->size() != 1) {
    return std::nullopt;
  }
  Values out;
  for (const double index : *indices) {
    const auto at = NodeShapes::Axis(WholeNumber(index), data->size());
    if (!at) {
      return std::nullopt;
    }
    out.push_back((*data)[*at]);
  }
  return out;
}

// Of lists forwards.
Folded Slice(NodeShapes& shapes) {
  const Values* data = shapes.ValuesOf(0);
  const Dims* dims = shapes.DimsOf(0);
  const auto length = shapes.outputs()[0].elements();
  std::vector<int64_t> starts;
  std::vector<int64_t> steps;
  if (data == nullptr || dims == nullptr || dims->size() != 1 || !length ||
      !shapes.IntsFrom(1, "starts", starts) || starts.size() != 1 ||
      !shapes.IntsFrom(4, "steps", steps)) {
    return std::nullopt;
  }
  const auto extent = static_cast<int64_t>(data->size());
  const int64_t step = steps.empty() ? 1 : steps[0];
  const int64_t start = std::clamp<int64_t>(
      starts[0] < 0 ? starts[0] + extent : starts[0], 0, extent);
  if (step < 1) {
    return std::nullopt;
  }
  Values out;
  for (int64_t at = start;
       at < extent && static_cast<double>(out.size()) < *length;
       at += std::min(step, extent)) {
    out.push_back((*data)[static_cast<size_t>(at)]);
  }
  return out;
}

Folded Concat(const NodeShapes& shapes) {
  Values out;
  for (size_t i = 0; i < shapes.input_count(); ++i) {
    const Values* values = shapes.ValuesOf(i);
    const Dims* dims = shapes.DimsOf(i);
    if (values == nullptr || dims == nullptr || dims->size() != 1) {
      return std::nullopt;
    }
    out.insert(out.end(), values->begin(), values->end());
  }
  return out;
}

Folded Range(NodeShapes& shapes) {
  const auto count = shapes.outputs()[0].elements();
  const Values* start = shapes.ValuesOf(0);
  const Values* delta = shapes.ValuesOf(2);
  if (!count || *count > static_cast<double>(kMostValues) || start == nullptr ||
      start->size() != 1 || delta == nullptr || delta->size() != 1) {
    return std::nullopt;
  }
  Values out;
  for (size_t i = 0; static_cast<double>(i) < *count; ++i) {
    out.push_back(start->front() + static_cast<double>(i) * delta->front());
  }
  return out;
}

Folded Where(const NodeShapes& shapes) {
  const Values* condition = shapes.ValuesOf(0);
  const Values* yes = shapes.ValuesOf(1);
  const Values* no = shapes.ValuesOf(2);
  if (!condition || !yes || !no || condition->size() != yes->size() ||
      yes->size() != no->size()) {
    return std::nullopt;
  }
  Values out;
  for (size_t i = 0; i < condition->size(); ++i) {
    out.push_back((*condition)[i] != 0 ? (*yes)[i] : (*no)[i]);
  }
  return out;
}

// Over everything.
Folded ReduceProduct(NodeShapes& shapes) {
  const Values* in = shapes.ValuesOf(0);
  if (in == nullptr || shapes.outputs()[0].elements() != 1.0) {
    return std::nullopt;
  }
  return Values{
      std::accumulate(in->begin(), in->end(), 1.0, std::multiplies<>())};
}

using Fold = Folded (*)(NodeShapes& shapes);

const std::map<std::string_view, Fold>& Folds() {
  static const std::map<std::string_view, Fold> kFolds = {
      {"Shape", [](NodeShapes& s) { return Shape(s); }},
      {"Size", [](NodeShapes& s) { return Size(s); }},
      {"Constant", [](NodeShapes& s) { return Constant(s); }},
      {"ConstantOfShape", ConstantOfShape},
      {"Cast", [](NodeShapes& s) { return Cast(s); }},
      {"Gather", [](NodeShapes& s) { return Gather(s); }},
      {"Slice", Slice},
      {"Concat", [](NodeShapes& s) { return Concat(s); }},
      {"Range", Range},
      {"Expand", Expand},
      {"Where", [](NodeShapes& s) { return Where(s); }},
      {"ReduceProd", ReduceProduct},
      {"Identity", [](NodeShapes& s) { return Pass(s); }},
      {"Reshape", [](NodeShapes& s) { return Pass(s); }},
      {"Flatten", [](NodeShapes& s) { return Pass(s); }},
      {"Squeeze", [](NodeShapes& s) { return Pass(s); }},
      {"Unsqueeze", [](NodeShapes& s) { return Pass(s); }},
      {"Add", [](NodeShapes& s) { return Pairwise(s, std::plus<>()); }},
      {"Sub", [](NodeShapes& s) { return Pairwise(s, std::minus<>()); }},
      {"Mul", [](NodeShapes& s) { return Pairwise(s, std::multiplies<>()); }},
      {"Div", [](NodeShapes& s) { return Divide(s); }},
      {"Equal", [](NodeShapes& s) { return Pairwise(s, std::equal_to<>()); }},
      {"Min",
       [](NodeShapes& s) {
         return Pairwise(s, [](double a, double b) { return std::min(a, b); });
       }},
      {"Max",
       [](NodeShapes& s) {
         return Pairwise(s, [](double a, double b) { return std::max(a, b); });
       }},
      {"Floor",
       [](NodeShapes& s) {
         return Each(s, [](double v) { return std::floor(v); });
       }},
  };
  return kFolds;
}

}  // namespace

void FoldValues(NodeShapes& shapes) {
  const auto fold = Folds().find(shapes.node().op);
  if (fold == Folds().end() || shapes.output_count() == 0) {
    return;
  }
  ValueFacts& output = shapes.outputs()[0];
  auto values = fold->second(shapes);
  // The rule of the shape and the values must tell the same.
  if (values && output.elements() == static_cast<double>(values->size()) &&
      values->size() <= kMostValues) {
    output.values = std::move(values);
  }
}

}  // namespace edgewise::onnx

#include "onnx/node_shapes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>

namespace edgewise::onnx {
namespace {

constexpr double kMostElements = 9e15;

const std::map<std::string_view, const ShapeRule*>& AllRules() {
  static const auto kAll = [] {
    std::map<std::string_view, const ShapeRule*> all;
    for (const auto rules : {WindowRules(), ProductRules(), ElementRules(),
                             LayoutRules(), SelectRules()}) {
      for (const ShapeRule& rule : rules) {
        all[rule.op] = &rule;
      }
    }
    return all;
  }();
  return kAll;
}

}  // namespace

bool IsPossible(const Dims& dims) {
  return dims.size() <= kMostRank &&
         std::all_of(dims.begin(), dims.end(), [](int64_t extent) {
           return extent >= 0 && extent <= kMostExtent;
         }) &&
         ElementsOf(dims) <= kMostElements;
}

const Dims* NodeShapes::DimsOf(size_t input) const {
  const ValueFacts* facts = In(input);
  return facts != nullptr && facts->dims ? &*facts->dims : nullptr;
}

const std::vector<double>* NodeShapes::ValuesOf(size_t input) const {
  const ValueFacts* facts = In(input);
  return facts != nullptr && facts->values ? &*facts->values : nullptr;
}

ElementType NodeShapes::TypeOf(size_t input) const {
  const ValueFacts* facts = In(input);
  return facts != nullptr ? facts->type : ElementType::kUndefined;
}

bool NodeShapes::IntsFrom(size_t input, std::string_view attribute,
                          std::vector<int64_t>& to) const {
  to = node_.Ints(attribute);
  if (!to.empty() || In(input) == nullptr) {
    return true;
  }
  const std::vector<double>* values = ValuesOf(input);
  if (values == nullptr) {
    return false;
  }
  for (const double value : *values) {
    to.push_back(WholeNumber(value));
  }
  return true;
}

std::optional<size_t> NodeShapes::Axis(int64_t axis, size_t rank) {
  const auto count = static_cast<int64_t>(rank);
  if (axis < -count || axis >= count) {
    return std::nullopt;
  }
  return static_cast<size_t>(axis < 0 ? axis + count : axis);
}

void NodeShapes::Set(size_t output, ElementType type, Dims dims) {
  if (output >= outputs_.size()) {
    return;
  }
  outputs_[output].type = type;
  if (IsPossible(dims)) {
    outputs_[output].dims = std::move(dims);
  }
}

void NodeShapes::SetLike(size_t output, size_t input, ElementType type) {
  SetType(output, type);
  if (const Dims* dims = DimsOf(input)) {
    Set(output, type, *dims);
  }
}

void NodeShapes::SetType(size_t output, ElementType type) {
  if (output < outputs_.size()) {
    outputs_[output].type = type;
  }
}

const ShapeRule* FindShapeRule(const Node& node) {
  // ONNX Runtime's own operators have names that ONNX has not, or mean the
  // same.
  if (!node.domain.empty() && node.domain != "com.microsoft") {
    return nullptr;
  }
  const auto found = AllRules().find(node.op);
  return found == AllRules().end() ? nullptr : found->second;
}

std::string OperatorName(const Node& node) {
  return node.domain.empty()
             ? std::string(node.op)
             : std::string(node.domain) + ":" + std::string(node.op);
}

std::optional<Dims> Broadcast(const Dims& a, const Dims& b) {
  const Dims& longer = a.size() >= b.size() ? a : b;
  const Dims& shorter = a.size() >= b.size() ? b : a;
  Dims both = longer;
  const size_t lead = longer.size() - shorter.size();
  for (size_t i = 0; i < shorter.size(); ++i) {
    int64_t& extent = both[lead + i];
    if (extent == 1) {
      extent = shorter[i];
    } else if (shorter[i] != 1 && shorter[i] != extent) {
      return std::nullopt;
    }
  }
  return both;
}

int64_t WholeNumber(double value) {
  // The nearest doubles within 64 bits.
  constexpr double kEnd = 9223372036854774784.0;
  if (std::isnan(value)) {
    return 0;
  }
  if (value >= kEnd) {
    return std::numeric_limits<int64_t>::max();
  }
  return value <= -kEnd ? std::numeric_limits<int64_t>::min()
                        : static_cast<int64_t>(value);
}

}  // namespace edgewise::onnx

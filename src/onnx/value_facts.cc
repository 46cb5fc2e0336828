#include "onnx/value_facts.h"

#include <string>

#include "base/text.h"

namespace edgewise::onnx {

double ElementsOf(const Dims& dims) {
  double elements = 1;
  for (const int64_t extent : dims) {
    elements *= static_cast<double>(extent);
  }
  return elements;
}

std::optional<double> ValueFacts::elements() const {
  return dims ? std::optional(ElementsOf(*dims)) : std::nullopt;
}

std::optional<double> ValueFacts::bytes() const {
  return dims ? std::optional(ElementsOf(*dims) * SizeOf(type)) : std::nullopt;
}

std::string DimsText(const Dims& dims) {
  std::vector<std::string> pieces;
  for (const int64_t extent : dims) {
    pieces.push_back(std::to_string(extent));
  }
  return pieces.empty() ? "scalar" : Join(pieces, "x");
}

}  // namespace edgewise::onnx

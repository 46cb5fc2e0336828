// What is known of a value that flows through a graph before it is run.
#ifndef EDGEWISE_ONNX_VALUE_FACTS_H_
#define EDGEWISE_ONNX_VALUE_FACTS_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "onnx/model.h"

namespace edgewise::onnx {

struct ValueFacts {
  ElementType type = ElementType::kUndefined;
  std::optional<Dims> dims;  // nullopt: depends on data, or is not known
  // The numbers, row by row, where they are few and follow from the file and
  // the shapes of its inputs. Whole numbers beyond 2^53 are rounded.
  std::optional<std::vector<double>> values;
  // Depends on no input of the model: it can be worked out before it runs.
  bool constant = false;
  // Of constants: the initializers they are made of.
  double parameters = 0;
  double stored_bytes = 0;
  ElementType stored_type = ElementType::kUndefined;

  // nullopt where the shape is not known.
  std::optional<double> elements() const;
  std::optional<double> bytes() const;
};

// By name; names point into the file.
using ValueTable = std::unordered_map<std::string_view, ValueFacts>;

double ElementsOf(const Dims& dims);

// "1x3x224x224"; "scalar" for no dimensions.
std::string DimsText(const Dims& dims);

}  // namespace edgewise::onnx

#endif  // EDGEWISE_ONNX_VALUE_FACTS_H_

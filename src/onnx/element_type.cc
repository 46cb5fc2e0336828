#include "onnx/element_type.h"

#include <array>

namespace edgewise::onnx {
namespace {

struct Facts {
  std::string_view name;
  double bytes;
};

// By number.
constexpr std::array<Facts, 23> kFacts = {{
    {"unknown", 0},  {"float32", 4}, {"uint8", 1},     {"int8", 1},
    {"uint16", 2},   {"int16", 2},   {"int32", 4},     {"int64", 8},
    {"string", 0},   {"bool", 1},    {"float16", 2},   {"float64", 8},
    {"uint32", 4},   {"uint64", 8},  {"complex64", 8}, {"complex128", 16},
    {"bfloat16", 2}, {"float8", 1},  {"float8", 1},    {"float8", 1},
    {"float8", 1},   {"uint4", 0.5}, {"int4", 0.5},
}};

}  // namespace

ElementType ElementTypeFrom(uint64_t number) {
  return number < kFacts.size() ? static_cast<ElementType>(number)
                                : ElementType::kUndefined;
}

std::string_view ElementTypeName(ElementType type) {
  return kFacts[static_cast<size_t>(type)].name;
}

double SizeOf(ElementType type) {
  return kFacts[static_cast<size_t>(type)].bytes;
}

bool IsSmallInteger(ElementType type) {
  return type == ElementType::kInt8 || type == ElementType::kUint8 ||
         type == ElementType::kInt4 || type == ElementType::kUint4;
}

bool IsFloating(ElementType type) {
  return type == ElementType::kFloat || type == ElementType::kFloat16 ||
         type == ElementType::kDouble || type == ElementType::kBfloat16;
}

}  // namespace edgewise::onnx

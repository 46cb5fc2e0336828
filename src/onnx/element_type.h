// The kinds of numbers that tensors hold, as ONNX numbers them.
#ifndef EDGEWISE_ONNX_ELEMENT_TYPE_H_
#define EDGEWISE_ONNX_ELEMENT_TYPE_H_

#include <cstdint>
#include <string_view>

namespace edgewise::onnx {

enum class ElementType : int {
  kUndefined = 0,
  kFloat = 1,
  kUint8 = 2,
  kInt8 = 3,
  kUint16 = 4,
  kInt16 = 5,
  kInt32 = 6,
  kInt64 = 7,
  kString = 8,
  kBool = 9,
  kFloat16 = 10,
  kDouble = 11,
  kUint32 = 12,
  kUint64 = 13,
  kComplex64 = 14,
  kComplex128 = 15,
  kBfloat16 = 16,
  kUint4 = 21,
  kInt4 = 22,
};

// What ONNX does not know becomes kUndefined.
ElementType ElementTypeFrom(uint64_t number);
// "float32", "int8"; "unknown".
std::string_view ElementTypeName(ElementType type);
// Bytes of one element, half of one for 4-bit numbers; 0 for kUndefined and
// texts.
double SizeOf(ElementType type);
// Numbers that quantised networks compute with.
bool IsSmallInteger(ElementType type);
bool IsFloating(ElementType type);

}  // namespace edgewise::onnx

#endif  // EDGEWISE_ONNX_ELEMENT_TYPE_H_

// Reading one message of an ONNX file; private to reading models.
#ifndef EDGEWISE_ONNX_READ_TENSOR_H_
#define EDGEWISE_ONNX_READ_TENSOR_H_

#include <string_view>

#include "onnx/model.h"
#include "onnx/wire.h"

namespace edgewise::onnx {

// Thrown by nothing else than reading, and caught by ReadModel: what does not
// fit the format, as the end of a sentence about the file.
struct NotOnnx {
  std::string why;
};

// Calls `take` for each field of a message.
template <typename Take>
void ForFields(std::string_view message, const Take& take) {
  WireReader reader(message);
  while (const auto field = reader.Next()) {
    take(*field);
  }
  if (!reader.ok()) {
    throw NotOnnx{
        "its bytes make no sense from some point on: it is cut short "
        "or not an ONNX file"};
  }
}

// A repeated integer: one value, or many packed ones.
void AppendInts(const WireField& field, std::vector<int64_t>& to);
// The same of 32-bit floats.
void AppendFloats(const WireField& field, std::vector<float>& to);

Tensor ReadTensor(std::string_view message);

}  // namespace edgewise::onnx

#endif  // EDGEWISE_ONNX_READ_TENSOR_H_

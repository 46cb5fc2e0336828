// The equation of an Einsum, "bhid,bhjd->bhij".
#ifndef EDGEWISE_ONNX_EINSUM_H_
#define EDGEWISE_ONNX_EINSUM_H_

#include <optional>
#include <string_view>
#include <vector>

#include "onnx/model.h"

namespace edgewise::onnx {

struct EinsumShape {
  Dims out;
  // Products of one element of each operand.
  double products = 0;
};

// With operands of these shapes; nullopt if they do not fit, or if the
// equation has an ellipsis or leaves out its result.
std::optional<EinsumShape> ShapeOfEinsum(std::string_view equation,
                                         const std::vector<const Dims*>& in);

}  // namespace edgewise::onnx

#endif  // EDGEWISE_ONNX_EINSUM_H_

// Field numbers and constants of the ONNX format (onnx.proto, IR version 5).
#ifndef EDGEWISE_APPS_MODELS_ONNX_FIELDS_H_
#define EDGEWISE_APPS_MODELS_ONNX_FIELDS_H_

#include <cstdint>

namespace edgewise::apps::onnx {

inline constexpr int64_t kIrVersion = 5;
inline constexpr int64_t kFloat = 1;  // data types
inline constexpr int64_t kInt64 = 7;

namespace model {
enum { kIrVersion = 1, kProducer = 2, kGraph = 7, kOpset = 8 };
}
namespace opset {
enum { kDomain = 1, kVersion = 2 };
}
namespace graph {
enum { kNode = 1, kName = 2, kInitializer = 5, kInput = 11, kOutput = 12 };
}
namespace node {
enum { kInput = 1, kOutput = 2, kName = 3, kOpType = 4, kAttribute = 5 };
}
namespace attribute {
enum {
  kName = 1,
  kF = 2,
  kI = 3,
  kS = 4,
  kInts = 8,
  kType = 20,
  kTypeFloat = 1,
  kTypeInt = 2,
  kTypeString = 3,
  kTypeInts = 7
};
}
namespace tensor {
enum { kDims = 1, kDataType = 2, kName = 8, kRawData = 9 };
}
namespace value_info {
enum { kName = 1, kType = 2 };
}
namespace type {
enum { kTensor = 1, kElementType = 1, kShape = 2 };
}
namespace shape {
enum { kDim = 1, kDimValue = 1 };
}

}  // namespace edgewise::apps::onnx

#endif  // EDGEWISE_APPS_MODELS_ONNX_FIELDS_H_

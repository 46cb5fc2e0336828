// Field numbers of the ONNX format (onnx.proto), as far as they are read or
// written here.
#ifndef EDGEWISE_ONNX_FIELDS_H_
#define EDGEWISE_ONNX_FIELDS_H_

namespace edgewise::onnx::field {

namespace model {
enum { kIrVersion = 1, kProducer = 2, kGraph = 7, kOpset = 8 };
}
namespace opset {
enum { kDomain = 1, kVersion = 2 };
}
namespace graph {
enum {
  kNode = 1,
  kName = 2,
  kInitializer = 5,
  kInput = 11,
  kOutput = 12,
  kValueInfo = 13,
  kSparseInitializer = 15
};
}
namespace node {
enum {
  kInput = 1,
  kOutput = 2,
  kName = 3,
  kOpType = 4,
  kAttribute = 5,
  kDomain = 7
};
}
namespace attribute {
enum {
  kName = 1,
  kF = 2,
  kI = 3,
  kS = 4,
  kT = 5,
  kG = 6,
  kFloats = 7,
  kInts = 8,
  kGraphs = 11,
  kType = 20
};
// Values of kType.
enum { kTypeFloat = 1, kTypeInt = 2, kTypeString = 3, kTypeInts = 7 };
}  // namespace attribute
namespace tensor {
enum {
  kDims = 1,
  kDataType = 2,
  kFloatData = 4,
  kInt32Data = 5,
  kInt64Data = 7,
  kName = 8,
  kRawData = 9,
  kExternalData = 13,
  kDataLocation = 14
};
// Value of kDataLocation.
enum { kExternal = 1 };
}  // namespace tensor
namespace entry {
enum { kKey = 1, kValue = 2 };
}
namespace value_info {
enum { kName = 1, kType = 2 };
}
namespace type {
enum { kTensor = 1, kElementType = 1, kShape = 2 };
}
namespace shape {
enum { kDim = 1, kDimValue = 1, kDimName = 2 };
}

}  // namespace edgewise::onnx::field

#endif  // EDGEWISE_ONNX_FIELDS_H_

// An ONNX model as its file states it.
//
// The room `onnx` knows the format, which shapes flow through a graph and what
// its operators cost. It must not know devices, nor how anything is shown.
// Texts and tensor contents point into the file's bytes, which must outlive
// the model; weights are neither copied nor looked at.
#ifndef EDGEWISE_ONNX_MODEL_H_
#define EDGEWISE_ONNX_MODEL_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "onnx/element_type.h"

namespace edgewise::onnx {

using Dims = std::vector<int64_t>;

// A constant of the file.
struct Tensor {
  std::string_view name;
  ElementType type = ElementType::kUndefined;
  Dims dims;             // none is negative
  int64_t elements = 1;  // their product
  std::string_view raw;  // little-endian; empty if kept in another way
  // Numbers kept one by one, of small tensors only; empty if there are none.
  std::vector<double> listed;
  // In another file, relative to the model's folder; empty if here.
  std::string_view external_file;
  int64_t external_offset = 0;
  std::optional<int64_t> external_bytes;

  double bytes() const { return static_cast<double>(elements) * SizeOf(type); }
};

struct Attribute {
  std::string_view name;
  std::optional<int64_t> integer;
  std::optional<float> number;
  std::string_view text;
  std::vector<int64_t> integers;
  std::vector<float> numbers;
  std::optional<Tensor> tensor;
  bool has_graph = false;  // of If, Loop, Scan; not followed
};

struct Node {
  std::string_view name;
  std::string_view op;
  std::string_view domain;  // empty: ONNX's own
  // An empty name is an input that is left out, or an output nobody wants.
  std::vector<std::string_view> inputs;
  std::vector<std::string_view> outputs;
  std::vector<Attribute> attributes;

  const Attribute* Find(std::string_view attribute) const;
  int64_t Int(std::string_view attribute, int64_t otherwise) const;
  // Empty if there is no such attribute.
  const std::vector<int64_t>& Ints(std::string_view attribute) const;
  std::string_view Text(std::string_view attribute) const;
};

// What a file says of an input or output. A dimension that is left open is
// nullopt, and may have a name.
struct ValueInfo {
  std::string_view name;
  ElementType type = ElementType::kUndefined;
  bool has_shape = false;
  std::vector<std::optional<int64_t>> dims;
  std::vector<std::string_view> dim_names;  // beside `dims`

  // All dimensions are known.
  std::optional<Dims> FixedDims() const;
};

struct Model {
  int64_t ir_version = 0;
  int64_t opset = 0;  // of ONNX's own operators; 0: not stated
  std::string_view producer;
  std::string_view name;  // of the graph
  std::vector<Node> nodes;
  std::vector<Tensor> initializers;
  std::vector<ValueInfo> inputs;  // without those that are initializers
  std::vector<ValueInfo> outputs;
  std::vector<ValueInfo> value_infos;
  int64_t sparse_initializers = 0;  // only counted
};

}  // namespace edgewise::onnx

#endif  // EDGEWISE_ONNX_MODEL_H_

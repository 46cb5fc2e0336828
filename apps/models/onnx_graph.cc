#include "models/onnx_graph.h"

#include <bit>
#include <cassert>
#include <cmath>
#include <string_view>

#include "models/onnx_fields.h"

namespace edgewise::apps {
namespace {

static_assert(std::endian::native == std::endian::little,
              "raw tensor data is little-endian");

template <typename Number>
std::string_view AsBytes(const std::vector<Number>& values) {
  return {reinterpret_cast<const char*>(values.data()),
          values.size() * sizeof(Number)};
}

int64_t Product(const OnnxGraph::Dims& dims) {
  int64_t product = 1;
  for (const int64_t dim : dims) {
    product *= dim;
  }
  return product;
}

std::string ValueInfo(const std::string& name, const OnnxGraph::Dims& dims) {
  WireWriter shape;
  for (const int64_t dim : dims) {
    WireWriter one;
    one.Int(onnx::shape::kDimValue, dim);
    shape.Bytes(onnx::shape::kDim, one.bytes());
  }
  WireWriter tensor;
  tensor.Int(onnx::type::kElementType, onnx::kFloat);
  tensor.Bytes(onnx::type::kShape, shape.bytes());
  WireWriter type;
  type.Bytes(onnx::type::kTensor, tensor.bytes());
  WireWriter info;
  info.Bytes(onnx::value_info::kName, name);
  info.Bytes(onnx::value_info::kType, type.bytes());
  return info.bytes();
}

std::string AttributeBytes(const OnnxAttribute& attribute) {
  namespace field = onnx::attribute;
  WireWriter out;
  out.Bytes(field::kName, attribute.name);
  if (const auto* integer = std::get_if<int64_t>(&attribute.value)) {
    out.Int(field::kI, *integer);
    out.Int(field::kType, field::kTypeInt);
  } else if (const auto* number = std::get_if<float>(&attribute.value)) {
    out.Float(field::kF, *number);
    out.Int(field::kType, field::kTypeFloat);
  } else if (const auto* text = std::get_if<std::string>(&attribute.value)) {
    out.Bytes(field::kS, *text);
    out.Int(field::kType, field::kTypeString);
  } else {
    for (const int64_t one : std::get<std::vector<int64_t>>(attribute.value)) {
      out.Int(field::kInts, one);
    }
    out.Int(field::kType, field::kTypeInts);
  }
  return out.bytes();
}

}  // namespace

OnnxGraph::OnnxGraph(std::string name, uint64_t seed)
    : name_(std::move(name)), random_(seed) {
  graph_.Bytes(onnx::graph::kName, name_);
}

std::string OnnxGraph::NewName(const std::string& kind) {
  return kind + "_" + std::to_string(names_++);
}

OnnxGraph::Value OnnxGraph::Input(const std::string& name, const Dims& dims) {
  graph_.Bytes(onnx::graph::kInput, ValueInfo(name, dims));
  return name;
}

OnnxGraph::Value OnnxGraph::Initializer(int64_t data_type, const Dims& dims,
                                        std::string_view raw) {
  const Value name = NewName("constant");
  WireWriter tensor;
  for (const int64_t dim : dims) {
    tensor.Int(onnx::tensor::kDims, dim);
  }
  tensor.Int(onnx::tensor::kDataType, data_type);
  tensor.Bytes(onnx::tensor::kName, name);
  tensor.Bytes(onnx::tensor::kRawData, raw);
  graph_.Bytes(onnx::graph::kInitializer, tensor.bytes());
  return name;
}

OnnxGraph::Value OnnxGraph::Weights(const Dims& dims, int64_t fan_in,
                                    double gain) {
  const double bound = std::sqrt(3 * gain / static_cast<double>(fan_in));
  std::vector<float> values(static_cast<size_t>(Product(dims)));
  for (float& value : values) {
    value = static_cast<float>((2 * random_.Uniform() - 1) * bound);
  }
  return Constant(dims, values);
}

OnnxGraph::Value OnnxGraph::Constant(const Dims& dims,
                                     const std::vector<float>& values) {
  assert(static_cast<int64_t>(values.size()) == Product(dims));
  return Initializer(onnx::kFloat, dims, AsBytes(values));
}

OnnxGraph::Value OnnxGraph::Shape(const std::vector<int64_t>& values) {
  return Initializer(onnx::kInt64, {static_cast<int64_t>(values.size())},
                     AsBytes(values));
}

OnnxGraph::Value OnnxGraph::Node(const std::string& op,
                                 const std::vector<Value>& inputs,
                                 const std::vector<OnnxAttribute>& attributes) {
  const Value name = NewName(op);
  WireWriter node;
  for (const Value& input : inputs) {
    node.Bytes(onnx::node::kInput, input);
  }
  node.Bytes(onnx::node::kOutput, name);
  node.Bytes(onnx::node::kName, "node_" + name);
  node.Bytes(onnx::node::kOpType, op);
  for (const OnnxAttribute& attribute : attributes) {
    node.Bytes(onnx::node::kAttribute, AttributeBytes(attribute));
  }
  graph_.Bytes(onnx::graph::kNode, node.bytes());
  return name;
}

std::string OnnxGraph::Finish(const Value& output, const Dims& dims) {
  graph_.Bytes(onnx::graph::kOutput, ValueInfo(output, dims));
  WireWriter opset;
  opset.Bytes(onnx::opset::kDomain, "");
  opset.Int(onnx::opset::kVersion, kOpset);
  WireWriter model;
  model.Int(onnx::model::kIrVersion, onnx::kIrVersion);
  model.Bytes(onnx::model::kProducer, "edgewise");
  model.Bytes(onnx::model::kOpset, opset.bytes());
  model.Bytes(onnx::model::kGraph, graph_.bytes());
  return model.bytes();
}

}  // namespace edgewise::apps

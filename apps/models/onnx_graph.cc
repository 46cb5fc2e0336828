#include "models/onnx_graph.h"

#include <bit>
#include <cassert>
#include <cmath>
#include <string_view>

#include "onnx/element_type.h"
#include "onnx/fields.h"

namespace edgewise::apps {
namespace {

namespace field = onnx::field;
using onnx::WireWriter;

constexpr int64_t kIrVersion = 5;
constexpr auto kFloat = static_cast<int64_t>(onnx::ElementType::kFloat);
constexpr auto kInt64 = static_cast<int64_t>(onnx::ElementType::kInt64);

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
    one.Int(field::shape::kDimValue, dim);
    shape.Bytes(field::shape::kDim, one.bytes());
  }
  WireWriter tensor;
  tensor.Int(field::type::kElementType, kFloat);
  tensor.Bytes(field::type::kShape, shape.bytes());
  WireWriter type;
  type.Bytes(field::type::kTensor, tensor.bytes());
  WireWriter info;
  info.Bytes(field::value_info::kName, name);
  info.Bytes(field::value_info::kType, type.bytes());
  return info.bytes();
}

std::string AttributeBytes(const OnnxAttribute& attribute) {
  namespace keys = onnx::field::attribute;
  WireWriter out;
  out.Bytes(keys::kName, attribute.name);
  if (const auto* integer = std::get_if<int64_t>(&attribute.value)) {
    out.Int(keys::kI, *integer);
    out.Int(keys::kType, keys::kTypeInt);
  } else if (const auto* number = std::get_if<float>(&attribute.value)) {
    out.Float(keys::kF, *number);
    out.Int(keys::kType, keys::kTypeFloat);
  } else if (const auto* text = std::get_if<std::string>(&attribute.value)) {
    out.Bytes(keys::kS, *text);
    out.Int(keys::kType, keys::kTypeString);
  } else {
    for (const int64_t one : std::get<std::vector<int64_t>>(attribute.value)) {
      out.Int(keys::kInts, one);
    }
    out.Int(keys::kType, keys::kTypeInts);
  }
  return out.bytes();
}

}  // namespace

OnnxGraph::OnnxGraph(std::string name, uint64_t seed)
    : name_(std::move(name)), random_(seed) {
  graph_.Bytes(field::graph::kName, name_);
}

std::string OnnxGraph::NewName(const std::string& kind) {
  return kind + "_" + std::to_string(names_++);
}

OnnxGraph::Value OnnxGraph::Input(const std::string& name, const Dims& dims) {
  graph_.Bytes(field::graph::kInput, ValueInfo(name, dims));
  return name;
}

OnnxGraph::Value OnnxGraph::Initializer(int64_t data_type, const Dims& dims,
                                        std::string_view raw) {
  const Value name = NewName("constant");
  WireWriter tensor;
  for (const int64_t dim : dims) {
    tensor.Int(field::tensor::kDims, dim);
  }
  tensor.Int(field::tensor::kDataType, data_type);
  tensor.Bytes(field::tensor::kName, name);
  tensor.Bytes(field::tensor::kRawData, raw);
  graph_.Bytes(field::graph::kInitializer, tensor.bytes());
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
  return Initializer(kFloat, dims, AsBytes(values));
}

OnnxGraph::Value OnnxGraph::Shape(const std::vector<int64_t>& values) {
  return Initializer(kInt64, {static_cast<int64_t>(values.size())},
                     AsBytes(values));
}

OnnxGraph::Value OnnxGraph::Node(const std::string& op,
                                 const std::vector<Value>& inputs,
                                 const std::vector<OnnxAttribute>& attributes) {
  const Value name = NewName(op);
  WireWriter node;
  for (const Value& input : inputs) {
    node.Bytes(field::node::kInput, input);
  }
  node.Bytes(field::node::kOutput, name);
  node.Bytes(field::node::kName, "node_" + name);
  node.Bytes(field::node::kOpType, op);
  for (const OnnxAttribute& attribute : attributes) {
    node.Bytes(field::node::kAttribute, AttributeBytes(attribute));
  }
  graph_.Bytes(field::graph::kNode, node.bytes());
  return name;
}

std::string OnnxGraph::Finish(const Value& output, const Dims& dims) {
  graph_.Bytes(field::graph::kOutput, ValueInfo(output, dims));
  WireWriter opset;
  opset.Bytes(field::opset::kDomain, "");
  opset.Int(field::opset::kVersion, kOpset);
  WireWriter model;
  model.Int(field::model::kIrVersion, kIrVersion);
  model.Bytes(field::model::kProducer, "edgewise");
  model.Bytes(field::model::kOpset, opset.bytes());
  model.Bytes(field::model::kGraph, graph_.bytes());
  return model.bytes();
}

}  // namespace edgewise::apps

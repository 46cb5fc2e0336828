// Small ONNX files made node by node, for tests.
#ifndef EDGEWISE_TESTS_ONNX_ONNX_FILE_H_
#define EDGEWISE_TESTS_ONNX_ONNX_FILE_H_

#include <cstring>
#include <string>
#include <variant>
#include <vector>

#include "onnx/element_type.h"
#include "onnx/fields.h"
#include "onnx/model.h"
#include "onnx/wire_writer.h"

namespace edgewise::onnx {

class OnnxFile {
 public:
  using Value = std::variant<int64_t, float, std::vector<int64_t>, std::string>;
  using Attributes = std::vector<std::pair<std::string, Value>>;
  // A name for a dimension that is left open.
  using Dim = std::variant<int64_t, std::string>;

  explicit OnnxFile(int64_t opset = 13) : opset_(opset) {}

  OnnxFile& Input(const std::string& name, const std::vector<Dim>& dims,
                  ElementType type = ElementType::kFloat) {
    graph_.Bytes(field::graph::kInput, ValueInfoBytes(name, dims, type));
    return *this;
  }
  OnnxFile& Output(const std::string& name) {
    WireWriter info;
    info.Bytes(field::value_info::kName, name);
    graph_.Bytes(field::graph::kOutput, info.bytes());
    return *this;
  }
  // Zeros.
  OnnxFile& Weight(const std::string& name, const Dims& dims,
                   ElementType type = ElementType::kFloat) {
    double bytes = SizeOf(type);
    for (const int64_t dim : dims) {
      bytes *= static_cast<double>(dim);
    }
    return Raw(name, dims, type, std::string(static_cast<size_t>(bytes), '\0'));
  }
  OnnxFile& Ints(const std::string& name, const std::vector<int64_t>& values) {
    std::string raw(values.size() * sizeof(int64_t), '\0');
    std::memcpy(raw.data(), values.data(), raw.size());
    return Raw(name, {static_cast<int64_t>(values.size())}, ElementType::kInt64,
               raw);
  }
  OnnxFile& Floats(const std::string& name, const std::vector<float>& values) {
    std::string raw(values.size() * sizeof(float), '\0');
    std::memcpy(raw.data(), values.data(), raw.size());
    return Raw(name, {static_cast<int64_t>(values.size())}, ElementType::kFloat,
               raw);
  }
  OnnxFile& Raw(const std::string& name, const Dims& dims, ElementType type,
                const std::string& raw) {
    WireWriter tensor = TensorStart(name, dims, type);
    tensor.Bytes(field::tensor::kRawData, raw);
    graph_.Bytes(field::graph::kInitializer, tensor.bytes());
    return *this;
  }
  OnnxFile& External(const std::string& name, const Dims& dims,
                     const std::string& location) {
    WireWriter entry;
    entry.Bytes(field::entry::kKey, "location");
    entry.Bytes(field::entry::kValue, location);
    WireWriter tensor = TensorStart(name, dims, ElementType::kFloat);
    tensor.Bytes(field::tensor::kExternalData, entry.bytes());
    tensor.Int(field::tensor::kDataLocation, field::tensor::kExternal);
    graph_.Bytes(field::graph::kInitializer, tensor.bytes());
    return *this;
  }
  OnnxFile& Node(const std::string& op, const std::vector<std::string>& inputs,
                 const std::vector<std::string>& outputs,
                 const Attributes& attributes = {},
                 const std::string& domain = "") {
    WireWriter node;
    for (const std::string& input : inputs) {
      node.Bytes(field::node::kInput, input);
    }
    for (const std::string& output : outputs) {
      node.Bytes(field::node::kOutput, output);
    }
    node.Bytes(field::node::kOpType, op);
    node.Bytes(field::node::kDomain, domain);
    for (const auto& [name, value] : attributes) {
      node.Bytes(field::node::kAttribute, AttributeBytes(name, value));
    }
    graph_.Bytes(field::graph::kNode, node.bytes());
    return *this;
  }

  std::string Bytes() const {
    WireWriter opset;
    opset.Bytes(field::opset::kDomain, "");
    opset.Int(field::opset::kVersion, opset_);
    WireWriter model;
    model.Int(field::model::kIrVersion, 8);
    model.Bytes(field::model::kOpset, opset.bytes());
    model.Bytes(field::model::kGraph, graph_.bytes());
    return model.bytes();
  }

 private:
  static WireWriter TensorStart(const std::string& name, const Dims& dims,
                                ElementType type) {
    WireWriter tensor;
    for (const int64_t dim : dims) {
      tensor.Int(field::tensor::kDims, dim);
    }
    tensor.Int(field::tensor::kDataType, static_cast<int64_t>(type));
    tensor.Bytes(field::tensor::kName, name);
    return tensor;
  }

  static std::string ValueInfoBytes(const std::string& name,
                                    const std::vector<Dim>& dims,
                                    ElementType type) {
    WireWriter shape;
    for (const Dim& dim : dims) {
      WireWriter one;
      if (const auto* extent = std::get_if<int64_t>(&dim)) {
        one.Int(field::shape::kDimValue, *extent);
      } else {
        one.Bytes(field::shape::kDimName, std::get<std::string>(dim));
      }
      shape.Bytes(field::shape::kDim, one.bytes());
    }
    WireWriter tensor;
    tensor.Int(field::type::kElementType, static_cast<int64_t>(type));
    tensor.Bytes(field::type::kShape, shape.bytes());
    WireWriter kind;
    kind.Bytes(field::type::kTensor, tensor.bytes());
    WireWriter info;
    info.Bytes(field::value_info::kName, name);
    info.Bytes(field::value_info::kType, kind.bytes());
    return info.bytes();
  }

  static std::string AttributeBytes(const std::string& name,
                                    const Value& value) {
    WireWriter out;
    out.Bytes(field::attribute::kName, name);
    if (const auto* integer = std::get_if<int64_t>(&value)) {
      out.Int(field::attribute::kI, *integer);
    } else if (const auto* number = std::get_if<float>(&value)) {
      out.Float(field::attribute::kF, *number);
    } else if (const auto* text = std::get_if<std::string>(&value)) {
      // A graph is only looked at for being there.
      out.Bytes(name.ends_with("_branch") || name == "body"
                    ? field::attribute::kG
                    : field::attribute::kS,
                *text);
    } else {
      for (const int64_t one : std::get<std::vector<int64_t>>(value)) {
        out.Int(field::attribute::kInts, one);
      }
    }
    return out.bytes();
  }

  int64_t opset_;
  WireWriter graph_;
};

}  // namespace edgewise::onnx

#endif  // EDGEWISE_TESTS_ONNX_ONNX_FILE_H_

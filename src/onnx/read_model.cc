#include "onnx/read_model.h"

#include <fcntl.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <map>
#include <set>

#include "base/unique_fd.h"
#include "onnx/fields.h"
#include "onnx/read_tensor.h"

namespace edgewise::onnx {
namespace {

Attribute ReadAttribute(std::string_view message) {
  Attribute attribute;
  ForFields(message, [&](const WireField& field) {
    switch (field.number) {
      case field::attribute::kName:
        attribute.name = field.bytes;
        break;
      case field::attribute::kF:
        attribute.number =
            std::bit_cast<float>(static_cast<uint32_t>(field.integer));
        break;
      case field::attribute::kI:
        attribute.integer = static_cast<int64_t>(field.integer);
        break;
      case field::attribute::kS:
        attribute.text = field.bytes;
        break;
      case field::attribute::kT:
        attribute.tensor = ReadTensor(field.bytes);
        break;
      case field::attribute::kFloats:
        AppendFloats(field, attribute.numbers);
        break;
      case field::attribute::kInts:
        AppendInts(field, attribute.integers);
        break;
      case field::attribute::kG:
      case field::attribute::kGraphs:
        attribute.has_graph = true;
        break;
      default:
        break;
    }
  });
  return attribute;
}

Node ReadNode(std::string_view message) {
  Node node;
  ForFields(message, [&](const WireField& field) {
    switch (field.number) {
      case field::node::kInput:
        node.inputs.push_back(field.bytes);
        break;
      case field::node::kOutput:
        node.outputs.push_back(field.bytes);
        break;
      case field::node::kName:
        node.name = field.bytes;
        break;
      case field::node::kOpType:
        node.op = field.bytes;
        break;
      case field::node::kDomain:
        node.domain = field.bytes == "ai.onnx" ? "" : field.bytes;
        break;
      case field::node::kAttribute:
        node.attributes.push_back(ReadAttribute(field.bytes));
        break;
      default:
        break;
    }
  });
  return node;
}

void ReadDimension(std::string_view message, ValueInfo& info) {
  std::optional<int64_t> extent;
  std::string_view name;
  ForFields(message, [&](const WireField& field) {
    if (field.number == field::shape::kDimValue) {
      extent = static_cast<int64_t>(field.integer);
    } else if (field.number == field::shape::kDimName) {
      name = field.bytes;
    }
  });
  // Some exporters write an open dimension as 0 or -1.
  info.dims.push_back(extent.value_or(0) > 0 ? extent : std::nullopt);
  info.dim_names.push_back(name);
}

ValueInfo ReadValueInfo(std::string_view message) {
  ValueInfo info;
  const auto read_shape = [&info](const WireField& field) {
    if (field.number == field::shape::kDim) {
      ReadDimension(field.bytes, info);
    }
  };
  const auto read_tensor_type = [&](const WireField& field) {
    if (field.number == field::type::kElementType) {
      info.type = ElementTypeFrom(field.integer);
    } else if (field.number == field::type::kShape) {
      info.has_shape = true;
      ForFields(field.bytes, read_shape);
    }
  };
  ForFields(message, [&](const WireField& field) {
    if (field.number == field::value_info::kName) {
      info.name = field.bytes;
    } else if (field.number == field::value_info::kType) {
      ForFields(field.bytes, [&](const WireField& type) {
        if (type.number == field::type::kTensor) {
          ForFields(type.bytes, read_tensor_type);
        }
      });
    }
  });
  return info;
}

void ReadGraph(std::string_view message, Model& model) {
  ForFields(message, [&](const WireField& field) {
    switch (field.number) {
      case field::graph::kNode:
        model.nodes.push_back(ReadNode(field.bytes));
        break;
      case field::graph::kName:
        model.name = field.bytes;
        break;
      case field::graph::kInitializer:
        model.initializers.push_back(ReadTensor(field.bytes));
        break;
      case field::graph::kSparseInitializer:
        ++model.sparse_initializers;
        break;
      case field::graph::kInput:
        model.inputs.push_back(ReadValueInfo(field.bytes));
        break;
      case field::graph::kOutput:
        model.outputs.push_back(ReadValueInfo(field.bytes));
        break;
      case field::graph::kValueInfo:
        model.value_infos.push_back(ReadValueInfo(field.bytes));
        break;
      default:
        break;
    }
  });
}

void ReadOpset(std::string_view message, Model& model) {
  std::string_view domain;
  int64_t version = 0;
  ForFields(message, [&](const WireField& field) {
    if (field.number == field::opset::kDomain) {
      domain = field.bytes;
    } else if (field.number == field::opset::kVersion) {
      version = static_cast<int64_t>(field.integer);
    }
  });
  if (domain.empty() || domain == "ai.onnx") {
    model.opset = version;
  }
}

// Older files list constants among the inputs too.
void LeaveOutConstants(Model& model) {
  std::set<std::string_view> constants;
  for (const Tensor& tensor : model.initializers) {
    constants.insert(tensor.name);
  }
  std::erase_if(model.inputs, [&constants](const ValueInfo& input) {
    return constants.contains(input.name);
  });
}

}  // namespace

const Attribute* Node::Find(std::string_view attribute) const {
  const auto found = std::find_if(
      attributes.begin(), attributes.end(),
      [attribute](const Attribute& each) { return each.name == attribute; });
  return found == attributes.end() ? nullptr : &*found;
}

int64_t Node::Int(std::string_view attribute, int64_t otherwise) const {
  const Attribute* found = Find(attribute);
  return found != nullptr && found->integer ? *found->integer : otherwise;
}

const std::vector<int64_t>& Node::Ints(std::string_view attribute) const {
  static const std::vector<int64_t> kNone;
  const Attribute* found = Find(attribute);
  return found != nullptr ? found->integers : kNone;
}

std::string_view Node::Text(std::string_view attribute) const {
  const Attribute* found = Find(attribute);
  return found != nullptr ? found->text : std::string_view();
}

std::optional<Dims> ValueInfo::FixedDims() const {
  if (!has_shape) {
    return std::nullopt;
  }
  Dims fixed;
  for (const auto& extent : dims) {
    if (!extent) {
      return std::nullopt;
    }
    fixed.push_back(*extent);
  }
  return fixed;
}

Result<Model> ReadModel(std::string_view bytes, const std::string& name) {
  Model model;
  bool has_graph = false;
  try {
    ForFields(bytes, [&](const WireField& field) {
      switch (field.number) {
        case field::model::kIrVersion:
          model.ir_version = static_cast<int64_t>(field.integer);
          break;
        case field::model::kProducer:
          model.producer = field.bytes;
          break;
        case field::model::kOpset:
          ReadOpset(field.bytes, model);
          break;
        case field::model::kGraph:
          has_graph = true;
          ReadGraph(field.bytes, model);
          break;
        default:
          break;
      }
    });
  } catch (const NotOnnx& wrong) {
    return Error{ErrorCode::kInvalid, "cannot read " + name + ": " + wrong.why};
  }
  if (!has_graph || model.nodes.empty()) {
    return Error{ErrorCode::kInvalid,
                 name + " is not an ONNX file: it has no graph of operators"};
  }
  LeaveOutConstants(model);
  return model;
}

Result<ModelFile> ReadModelFile(const std::filesystem::path& path) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd.valid()) {
    return Error{ErrorCodeFromErrno(errno),
                 "cannot read " + path.string() + ": " + ErrnoText()};
  }
  auto bytes = FileBytes::Map(fd.get(), path.string());
  if (!bytes) {
    return bytes.error();
  }
  auto model = ReadModel(bytes->view(), path.string());
  if (!model) {
    return model.error();
  }
  return ModelFile{std::move(*bytes), std::move(*model)};
}

std::vector<std::string> MissingWeights(const Model& model,
                                        const std::filesystem::path& folder) {
  std::map<std::string_view, double> needed;
  for (const Tensor& tensor : model.initializers) {
    if (!tensor.external_file.empty()) {
      double& bytes = needed[tensor.external_file];
      bytes = std::max(
          bytes, static_cast<double>(tensor.external_offset) + tensor.bytes());
    }
  }
  std::vector<std::string> sentences;
  for (const auto& [file, bytes] : needed) {
    std::error_code error;
    const auto size =
        std::filesystem::file_size(folder / std::string(file), error);
    if (error) {
      sentences.push_back("its weights are in " + std::string(file) +
                          ", which is not beside it: copy that file too");
    } else if (static_cast<double>(size) < bytes) {
      sentences.push_back("its weights are in " + std::string(file) +
                          ", which is too short: copy that file again");
    }
  }
  return sentences;
}

}  // namespace edgewise::onnx

#include "models/onnx_summary.h"

#include "models/onnx_fields.h"
#include "models/wire.h"

namespace edgewise::apps {
namespace {

// Hands every field of a message to `take`, which answers whether it made
// sense of it. False if the message is no sequence of fields.
template <typename Take>
bool ForEachField(std::string_view message, const Take& take) {
  WireReader reader(message);
  while (const auto field = reader.Next()) {
    if (!take(*field)) {
      return false;
    }
  }
  return reader.ok();
}

std::string TextOf(std::string_view message, int number) {
  std::string text;
  WireReader reader(message);
  while (const auto field = reader.Next()) {
    if (field->number == number) {
      text = field->bytes;
    }
  }
  return text;
}

bool ReadShape(std::string_view message, OnnxInput& input) {
  return ForEachField(message, [&](const WireField& field) {
    if (field.number != onnx::shape::kDim) {
      return true;
    }
    std::optional<int64_t> value;
    const bool ok = ForEachField(field.bytes, [&](const WireField& dim) {
      if (dim.number == onnx::shape::kDimValue && dim.integer > 0) {
        value = static_cast<int64_t>(dim.integer);
      }
      return true;
    });
    input.dims.push_back(value);
    return ok;
  });
}

bool ReadInput(std::string_view message, OnnxInput& input) {
  const auto tensor = [&](const WireField& field) {
    if (field.number == onnx::type::kElementType && field.bytes.empty()) {
      input.element_type = static_cast<int64_t>(field.integer);
    }
    return field.number != onnx::type::kShape || ReadShape(field.bytes, input);
  };
  const auto type = [&](const WireField& field) {
    return field.number != onnx::type::kTensor ||
           ForEachField(field.bytes, tensor);
  };
  return ForEachField(message, [&](const WireField& field) {
    if (field.number == onnx::value_info::kName) {
      input.name = field.bytes;
    }
    return field.number != onnx::value_info::kType ||
           ForEachField(field.bytes, type);
  });
}

bool ReadGraph(std::string_view message, OnnxSummary& summary) {
  std::set<std::string> constants;
  const bool ok = ForEachField(message, [&](const WireField& field) {
    if (field.number == onnx::graph::kNode) {
      summary.operators.insert(TextOf(field.bytes, onnx::node::kOpType));
    } else if (field.number == onnx::graph::kInitializer) {
      constants.insert(TextOf(field.bytes, onnx::tensor::kName));
    } else if (field.number == onnx::graph::kInput) {
      return ReadInput(field.bytes, summary.inputs.emplace_back());
    }
    return true;
  });
  std::erase_if(summary.inputs, [&](const OnnxInput& input) {
    return constants.contains(input.name);
  });
  return ok;
}

void ReadOpset(std::string_view message, OnnxSummary& summary) {
  WireReader reader(message);
  bool own = true;
  int64_t version = 0;
  while (const auto field = reader.Next()) {
    if (field->number == onnx::opset::kDomain) {
      own = field->bytes.empty() || field->bytes == "ai.onnx";
    } else if (field->number == onnx::opset::kVersion) {
      version = static_cast<int64_t>(field->integer);
    }
  }
  if (own) {
    summary.opset = version;
  }
}

}  // namespace

Result<OnnxSummary> SummarizeOnnx(const std::string& name,
                                  std::string_view bytes) {
  OnnxSummary summary;
  const bool ok = ForEachField(bytes, [&](const WireField& field) {
    if (field.number == onnx::model::kOpset) {
      ReadOpset(field.bytes, summary);
    }
    return field.number != onnx::model::kGraph ||
           ReadGraph(field.bytes, summary);
  });
  if (!ok || summary.operators.empty() || summary.inputs.empty()) {
    return Error{ErrorCode::kInvalid,
                 "\"" + name +
                     "\" is not an ONNX file: it has no graph that can be "
                     "read; pass one made by an ONNX exporter"};
  }
  return summary;
}

}  // namespace edgewise::apps

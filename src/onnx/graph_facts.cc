#include "onnx/graph_facts.h"

#include <algorithm>
#include <set>

#include "base/nearest.h"
#include "base/text.h"
#include "onnx/fold_values.h"
#include "onnx/node_shapes.h"
#include "onnx/read_model.h"

namespace edgewise::onnx {
namespace {

Error Invalid(const std::string& message) {
  return Error{ErrorCode::kInvalid, message};
}

// Numbers that may be kept for all values of a graph together: far more than
// any network computes from shapes.
constexpr size_t kMostKeptValues = size_t{1} << 22;

// "batch x 3 x ? x ?".
std::string OpenDims(const ValueInfo& input) {
  std::vector<std::string> pieces;
  for (size_t i = 0; i < input.dims.size(); ++i) {
    if (input.dims[i]) {
      pieces.push_back(std::to_string(*input.dims[i]));
    } else {
      pieces.push_back(
          input.dim_names[i].empty() ? "?" : std::string(input.dim_names[i]));
    }
  }
  return Join(pieces, " x ");
}

// What a user might give for it.
std::string ExampleDims(const ValueInfo& input) {
  Dims example;
  for (size_t i = 0; i < input.dims.size(); ++i) {
    const bool picture = input.dims.size() == 4 && i >= 2;
    example.push_back(input.dims[i].value_or(i == 0 ? 1 : picture ? 224 : 128));
  }
  return input.has_shape ? DimsText(example) : "1x3x224x224";
}

Result<Dims> InputDims(const ValueInfo& input, const InputShapes& shapes) {
  const auto given = shapes.find(input.name);
  const std::string name(input.name);
  if (given == shapes.end()) {
    const auto fixed = input.FixedDims();
    if (fixed && IsPossible(*fixed)) {
      return *fixed;
    }
    return Invalid("the input \"" + name + "\" leaves its size open" +
                   (input.has_shape ? " (" + OpenDims(input) + ")" : "") +
                   ": give --input-shape " + name + "=" + ExampleDims(input));
  }
  if (input.has_shape && given->second.size() != input.dims.size()) {
    return Invalid("--input-shape: \"" + name + "\" has " +
                   std::to_string(input.dims.size()) + " dimensions (" +
                   OpenDims(input) + "), not " +
                   std::to_string(given->second.size()));
  }
  for (size_t i = 0; i < input.dims.size(); ++i) {
    if (input.dims[i] && *input.dims[i] != given->second[i]) {
      return Invalid("--input-shape: dimension " + std::to_string(i + 1) +
                     " of \"" + name + "\" is fixed to " +
                     std::to_string(*input.dims[i]) + " (" + OpenDims(input) +
                     ")");
    }
  }
  return given->second;
}

ValueFacts FactsOf(const Tensor& tensor) {
  ValueFacts facts;
  facts.type = tensor.type;
  if (IsPossible(tensor.dims)) {
    facts.dims = tensor.dims;
  }
  facts.constant = true;
  facts.parameters = static_cast<double>(tensor.elements);
  facts.stored_bytes = tensor.bytes();
  facts.stored_type = tensor.type;
  return facts;
}

// Walks the nodes and adds what is known of their outputs.
class Inference {
 public:
  Inference(const Model& model, GraphFacts& facts)
      : model_(model), facts_(facts) {
    for (const auto* infos : {&model.value_infos, &model.outputs}) {
      for (const ValueInfo& info : *infos) {
        stated_[info.name] = &info;
      }
    }
  }

  void Add(const Tensor& tensor) {
    ValueFacts facts = FactsOf(tensor);
    facts.values = ValuesOf(tensor);
    Keep(tensor.name, std::move(facts));
  }

  void Visit(const Node& node) {
    std::vector<const ValueFacts*> inputs;
    for (const std::string_view name : node.inputs) {
      const auto found = facts_.values.find(name);
      inputs.push_back(name.empty() || found == facts_.values.end()
                           ? nullptr
                           : &found->second);
    }
    const ShapeRule* rule = FindShapeRule(node);
    NodeShapes shapes(node, inputs, model_.opset);
    if (rule != nullptr) {
      rule->apply(shapes);
      FoldValues(shapes);
    }
    const bool followed =
        std::none_of(node.attributes.begin(), node.attributes.end(),
                     [](const Attribute& each) { return each.has_graph; });
    if (!followed) {
      ++facts_.not_followed[OperatorName(node)];
    } else if (rule == nullptr) {
      ++facts_.unknown_operators[OperatorName(node)];
    }
    MarkConstants(node, inputs, rule != nullptr, shapes.outputs());
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      if (!node.outputs[i].empty()) {
        FillFromFile(node.outputs[i], shapes.outputs()[i]);
        Keep(node.outputs[i], std::move(shapes.outputs()[i]));
      }
    }
  }

 private:
  void Keep(std::string_view name, ValueFacts facts) {
    if (facts.values) {
      kept_values_ += facts.values->size();
      if (kept_values_ > kMostKeptValues) {
        facts.values.reset();
      }
    }
    facts_.values.insert_or_assign(name, std::move(facts));
  }

  // What follows from constants and shapes alone is a constant too.
  static void MarkConstants(const Node& node,
                            const std::vector<const ValueFacts*>& inputs,
                            bool known, std::vector<ValueFacts>& outputs) {
    ValueFacts made_of;
    bool constant = known;
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i] == nullptr) {
        constant = constant && node.inputs[i].empty();
        continue;
      }
      constant = constant && inputs[i]->constant;
      made_of.parameters += inputs[i]->parameters;
      made_of.stored_bytes += inputs[i]->stored_bytes;
      if (made_of.stored_type == ElementType::kUndefined) {
        made_of.stored_type = inputs[i]->stored_type;
      }
    }
    if (node.op == "Constant" && node.domain.empty()) {
      if (const Attribute* value = node.Find("value"); value && value->tensor) {
        made_of.parameters = static_cast<double>(value->tensor->elements);
        made_of.stored_bytes = value->tensor->bytes();
        made_of.stored_type = value->tensor->type;
      }
    }
    for (ValueFacts& output : outputs) {
      output.constant = constant || output.values.has_value();
      if (constant) {
        output.parameters = made_of.parameters;
        output.stored_bytes = made_of.stored_bytes;
        output.stored_type = made_of.stored_type;
      }
    }
  }

  // Where we do not know, the file may.
  void FillFromFile(std::string_view name, ValueFacts& facts) const {
    const auto stated = stated_.find(name);
    if (stated == stated_.end()) {
      return;
    }
    if (facts.type == ElementType::kUndefined) {
      facts.type = stated->second->type;
    }
    if (!facts.dims) {
      const auto dims = stated->second->FixedDims();
      if (dims && IsPossible(*dims)) {
        facts.dims = *dims;
      }
    }
  }

  const Model& model_;
  GraphFacts& facts_;
  std::unordered_map<std::string_view, const ValueInfo*> stated_;
  size_t kept_values_ = 0;
};

}  // namespace

Result<std::pair<std::string, Dims>> ParseInputShape(std::string_view text) {
  const size_t equals = text.rfind('=');
  const auto wrong = [text] {
    return Invalid("--input-shape: \"" + std::string(text) +
                   "\" is not NAME=1x3x224x224");
  };
  if (equals == std::string_view::npos || equals == 0) {
    return wrong();
  }
  Dims dims;
  for (const std::string_view piece : Split(text.substr(equals + 1), 'x')) {
    const auto extent = ParseInt(piece);
    if (!extent || *extent < 1 || *extent > kMostExtent) {
      return wrong();
    }
    dims.push_back(*extent);
  }
  return std::pair(std::string(text.substr(0, equals)), std::move(dims));
}

Result<GraphFacts> InferShapes(const Model& model, const InputShapes& shapes) {
  GraphFacts facts;
  std::vector<std::string> names;
  for (const ValueInfo& input : model.inputs) {
    names.emplace_back(input.name);
    auto dims = InputDims(input, shapes);
    if (!dims) {
      return dims.error();
    }
    ValueFacts known;
    known.type = input.type;
    known.dims = std::move(*dims);
    facts.values.insert_or_assign(input.name, std::move(known));
  }
  for (const auto& [name, dims] : shapes) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      const auto near = Nearest(name, names);
      return Invalid("--input-shape: the model has no input \"" + name + "\"" +
                     (near ? ": did you mean " + *near + "?"
                           : "; it has " + Join(names, ", ")));
    }
  }
  Inference inference(model, facts);
  for (const Tensor& tensor : model.initializers) {
    inference.Add(tensor);
  }
  for (const Node& node : model.nodes) {
    inference.Visit(node);
  }
  return facts;
}

}  // namespace edgewise::onnx

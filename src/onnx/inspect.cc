#include "onnx/inspect.h"

#include <algorithm>

#include "base/units.h"
#include "onnx/graph_links.h"
#include "onnx/node_shapes.h"
#include "onnx/peak_memory.h"

namespace edgewise::onnx {
namespace {

std::vector<InspectedValue> Describe(const std::vector<ValueInfo>& values,
                                     const GraphFacts& facts) {
  std::vector<InspectedValue> described;
  for (const ValueInfo& value : values) {
    InspectedValue one{std::string(value.name), value.type, std::nullopt};
    if (const ValueFacts* known = FactsFor(facts, value.name)) {
      one.type = known->type;
      one.dims = known->dims;
    }
    described.push_back(std::move(one));
  }
  return described;
}

std::optional<Dims> DimsFor(const GraphFacts& facts,
                            const std::vector<std::string_view>& names) {
  const ValueFacts* value =
      names.empty() ? nullptr : FactsFor(facts, names.front());
  return value != nullptr ? value->dims : std::nullopt;
}

std::vector<int64_t> KernelOf(const Node& node, const GraphFacts& facts) {
  if (!node.Ints("kernel_shape").empty()) {
    return node.Ints("kernel_shape");
  }
  const ValueFacts* weight = InputFacts(facts, node, WeightInput(node));
  if ((IsConvolution(node) || node.op == "ConvTranspose") &&
      weight != nullptr && weight->dims && weight->dims->size() > 2) {
    return {weight->dims->begin() + 2, weight->dims->end()};
  }
  return {};
}

// "fp32" and its kin, from what products compute with.
std::string PrecisionOf(const Inspection& inspection) {
  const auto bytes = [&](const char* type) {
    const auto found = inspection.weight_bytes_by_type.find(type);
    return found == inspection.weight_bytes_by_type.end() ? 0 : found->second;
  };
  constexpr double kMost = 0.95;
  const double int8 = inspection.int8_share.value_or(0);
  const double fp16 = bytes("float16") + bytes("bfloat16");
  const double floats = fp16 + bytes("float32") + bytes("float64");
  if (int8 >= kMost) {
    return "int8";
  }
  if (int8 > 1 - kMost) {
    return "mixed";
  }
  if (floats <= 0) {
    return inspection.inputs.empty() ||
                   inspection.inputs[0].type != ElementType::kFloat
               ? "unknown"
               : "fp32";
  }
  return fp16 >= kMost * floats         ? "fp16"
         : fp16 <= (1 - kMost) * floats ? "fp32"
                                        : "mixed";
}

// Adds nodes one by one.
class Totals {
 public:
  explicit Totals(Inspection& inspection) : inspection_(inspection) {}

  void Add(const InspectedNode& node) {
    const NodeCost& cost = node.cost;
    if (cost.folded) {
      ++inspection_.folded_nodes;
      return;
    }
    if (!cost.macs || !cost.in_bytes || !cost.out_bytes) {
      ++inspection_.unknown_nodes;
    }
    const double macs = cost.macs.value_or(0);
    OperatorTotals& op = operators_[node.op];
    op.op = node.op;
    ++op.nodes;
    op.macs += macs;
    op.parameters += cost.parameters;
    op.weight_bytes += cost.weight_bytes;
    op.in_bytes += cost.in_bytes.value_or(0);
    op.out_bytes += cost.out_bytes.value_or(0);
    inspection_.macs += macs;
    inspection_.activation_bytes +=
        cost.in_bytes.value_or(0) + cost.out_bytes.value_or(0);
    read_weight_bytes_ += cost.weight_bytes;
    depthwise_ += cost.depthwise ? macs : 0;
    attention_ += node.attention ? macs : 0;
    int8_ += cost.int8 ? macs : 0;
  }

  void Finish() {
    for (auto& [name, totals] : operators_) {
      inspection_.operators.push_back(std::move(totals));
    }
    std::stable_sort(inspection_.operators.begin(), inspection_.operators.end(),
                     [](const OperatorTotals& a, const OperatorTotals& b) {
                       return a.macs != b.macs ? a.macs > b.macs
                                               : a.in_bytes + a.out_bytes >
                                                     b.in_bytes + b.out_bytes;
                     });
    if (inspection_.macs > 0) {
      inspection_.depthwise_share = depthwise_ / inspection_.macs;
      inspection_.attention_share = attention_ / inspection_.macs;
      inspection_.int8_share = int8_ / inspection_.macs;
    }
    const double moved = inspection_.activation_bytes + read_weight_bytes_;
    if (moved > 0) {
      inspection_.macs_per_byte = inspection_.macs / moved;
    }
  }

 private:
  Inspection& inspection_;
  std::map<std::string, OperatorTotals> operators_;
  double read_weight_bytes_ = 0;
  double depthwise_ = 0;
  double attention_ = 0;
  double int8_ = 0;
};

std::string NamesOf(const std::map<std::string, int64_t>& counted) {
  std::string text;
  for (const auto& [name, count] : counted) {
    text += (text.empty() ? "" : ", ") + name +
            (count > 1 ? " (" + FormatCount(count) + " times)" : "");
  }
  return text;
}

void AddNotes(const Model& model, Inspection& inspection) {
  auto& notes = inspection.notes;
  if (!inspection.unknown_operators.empty()) {
    notes.push_back("operators that edgewise does not know, counted as free: " +
                    NamesOf(inspection.unknown_operators));
  }
  if (!inspection.not_followed.empty()) {
    notes.push_back("operators whose inner graphs are not followed: " +
                    NamesOf(inspection.not_followed));
  }
  if (inspection.unknown_nodes > 0) {
    notes.push_back(
        "the cost of " + FormatCount(inspection.unknown_nodes, "node") +
        " is not known, because shapes depend on data or operators are not "
        "known: totals are lower bounds");
  }
  if (model.sparse_initializers > 0) {
    notes.push_back(FormatCount(model.sparse_initializers, "sparse tensor") +
                    " not counted among the parameters");
  }
}

}  // namespace

Inspection Inspect(const Model& model, const GraphFacts& facts) {
  Inspection inspection;
  inspection.producer = model.producer;
  inspection.opset = model.opset;
  inspection.inputs = Describe(model.inputs, facts);
  inspection.outputs = Describe(model.outputs, facts);
  inspection.unknown_operators = facts.unknown_operators;
  inspection.not_followed = facts.not_followed;
  const GraphLinks links(model);
  inspection.counts = CountLayers(model, facts, links);
  const auto attention = AttentionNodes(model, facts, links);
  Totals totals(inspection);
  for (const Node& node : model.nodes) {
    InspectedNode inspected;
    inspected.name = !node.name.empty()      ? std::string(node.name)
                     : !node.outputs.empty() ? std::string(node.outputs[0])
                                             : "";
    inspected.op = OperatorName(node);
    inspected.in_dims = DimsFor(facts, node.inputs);
    inspected.out_dims = DimsFor(facts, node.outputs);
    inspected.kernel = KernelOf(node, facts);
    inspected.cost = CostOf(node, facts);
    inspected.attention = attention.contains(&node);
    totals.Add(inspected);
    inspection.nodes.push_back(std::move(inspected));
  }
  totals.Finish();
  for (const Tensor& tensor : model.initializers) {
    inspection.weight_bytes += tensor.bytes();
    inspection
        .weight_bytes_by_type[std::string(ElementTypeName(tensor.type))] +=
        tensor.bytes();
  }
  inspection.peak_activation_bytes = PeakActivationBytes(model, facts);
  inspection.precision = PrecisionOf(inspection);
  AddNotes(model, inspection);
  return inspection;
}

}  // namespace edgewise::onnx

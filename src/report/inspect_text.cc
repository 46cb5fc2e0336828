#include "report/inspect_text.h"

#include <fmt/format.h>

#include "base/units.h"
#include "report/figures.h"
#include "report/paragraphs.h"
#include "report/utf8.h"

namespace edgewise {
namespace {

using onnx::Inspection;

std::string ShapeText(const std::optional<onnx::Dims>& dims) {
  return dims ? onnx::DimsText(*dims) : std::string(kUnknown);
}

std::string Bytes(std::optional<double> bytes) {
  return bytes ? FormatBytes(*bytes) : std::string(kUnknown);
}

std::string Share(std::optional<double> share) {
  return share ? PercentText(100 * *share) : std::string(kUnknown);
}

std::vector<std::string> ValueTexts(
    const std::vector<onnx::InspectedValue>& values) {
  std::vector<std::string> texts;
  for (const onnx::InspectedValue& value : values) {
    texts.push_back(Printable(value.name) + " " + ShapeText(value.dims) + " " +
                    std::string(onnx::ElementTypeName(value.type)));
  }
  return texts;
}

std::vector<Fact> FactsOf(const OnnxModel& model) {
  const Inspection& said = model.inspection;
  const std::string bound = said.unknown_nodes > 0 ? "at least " : "";
  const auto& fields = model.characteristics;
  const auto& counts = said.counts;
  const auto count = [](double value) { return fmt::format("{:.0f}", value); };
  const auto size = [&](std::optional<double> bytes) {
    return bytes ? count(*bytes) : std::string(kUnknown);
  };
  return {
      {"inputs", ValueTexts(said.inputs), {}},
      {"outputs", ValueTexts(said.outputs), {}},
      {"work",
       {bound + ScaledText(said.macs) + " MACs",
        "depthwise " + Share(said.depthwise_share),
        "attention " + Share(said.attention_share),
        "int8 " + Share(said.int8_share)},
       {}},
      {"weights",
       {ScaledText(counts.total_parameters) + " parameters",
        Bytes(said.weight_bytes), said.precision},
       {}},
      {"activations",
       {bound + Bytes(said.activation_bytes) + " read and written",
        bound + Bytes(said.peak_activation_bytes) + " at once"},
       {}},
      {"intensity",
       {(said.macs_per_byte ? Figure(*said.macs_per_byte)
                            : std::string(kUnknown)) +
        " MACs for each byte moved"},
       {}},
      {"SOPRANO",
       {"conv_layers " + count(fields.conv_layers),
        "pool_layers " + count(fields.pool_layers),
        "fc_layers " + count(fields.fc_layers),
        "filter_details " + count(fields.filter_details),
        "total_parameters " + count(fields.total_parameters),
        "model_input_size " + size(counts.model_input_bytes),
        "model_output_size " + size(counts.model_output_bytes)},
       {}},
  };
}

Table OperatorTable(const Inspection& said) {
  Table table;
  table.columns = {{"operator", false, true},
                   {"nodes"},
                   {"MACs"},
                   {"of all"},
                   {"parameters"},
                   {"weights"},
                   {"read"},
                   {"written"}};
  for (const onnx::OperatorTotals& op : said.operators) {
    table.rows.push_back(
        {{Printable(op.op)},
         {FormatCount(op.nodes)},
         {ScaledText(op.macs)},
         {said.macs > 0 ? Share(op.macs / said.macs) : std::string(kUnknown)},
         {ScaledText(op.parameters)},
         {Bytes(op.weight_bytes)},
         {Bytes(op.in_bytes)},
         {Bytes(op.out_bytes)}});
  }
  return table;
}

Table LayerTable(const Inspection& said) {
  Table table;
  table.columns = {{"layer", false, true},
                   {"operator", false},
                   {"kernel"},
                   {"in", false},
                   {"out", false},
                   {"MACs"},
                   {"parameters"},
                   {"weights"},
                   {"read"},
                   {"written"}};
  for (const onnx::InspectedNode& node : said.nodes) {
    if (node.cost.folded) {
      continue;
    }
    table.rows.push_back(
        {{Printable(node.name)},
         {Printable(node.op)},
         {node.kernel.empty() ? "" : onnx::DimsText(node.kernel)},
         {ShapeText(node.in_dims)},
         {ShapeText(node.out_dims)},
         {ScaledText(node.cost.macs)},
         {ScaledText(node.cost.parameters)},
         {Bytes(node.cost.weight_bytes)},
         {Bytes(node.cost.in_bytes)},
         {Bytes(node.cost.out_bytes)}});
  }
  return table;
}

}  // namespace

std::string InspectText(const OnnxModel& model, bool layers,
                        const TextStyle& style) {
  const Inspection& said = model.inspection;
  std::vector<std::string> about{
      FormatCount(static_cast<int64_t>(said.nodes.size()), "node")};
  if (said.folded_nodes > 0) {
    about.push_back(FormatCount(said.folded_nodes) +
                    " of them worked out beforehand");
  }
  about.push_back("opset " + (said.opset > 0 ? std::to_string(said.opset)
                                             : std::string(kUnknown)));
  if (!said.producer.empty()) {
    about.push_back("by " + Printable(said.producer));
  }
  std::string text = WrappedPieces(
      Tint(Printable(model.name), Tone::kStrong, style) + "  ", about, style);
  AppendBlock(&text, FactLines(FactsOf(model), style));
  AppendBlock(&text, TextTable(OperatorTable(said), style, 2));
  if (layers) {
    AppendBlock(&text, TextTable(LayerTable(said), style, 2));
  }
  std::vector<std::string> notes;
  for (const std::string& note : said.notes) {
    notes.push_back(Printable(note));
  }
  AppendBlock(&text, ItemLines("notes", notes, Tone::kWarning, style));
  return text;
}

}  // namespace edgewise

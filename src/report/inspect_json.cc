#include <algorithm>

#include "report/inspect_text.h"
#include "report/json_writer.h"

namespace edgewise {
namespace {

using onnx::Inspection;

// Counts are whole; beyond 64 bits they stay at the end.
int64_t Whole(double count) {
  constexpr double kEnd = 9.2e18;
  return static_cast<int64_t>(std::clamp(count, 0.0, kEnd));
}

JsonObject& AddCount(JsonObject& json, std::string_view name,
                     std::optional<double> count) {
  return count ? json.AddInt(name, Whole(*count)) : json.Add(name, "null");
}

std::string DimsJson(const std::optional<onnx::Dims>& dims) {
  if (!dims) {
    return "null";
  }
  JsonArray array;
  for (const int64_t extent : *dims) {
    array.AddInt(extent);
  }
  return array.text();
}

std::string ValuesJson(const std::vector<onnx::InspectedValue>& values) {
  JsonArray array;
  for (const onnx::InspectedValue& value : values) {
    array.Add(JsonObject()
                  .AddString("name", value.name)
                  .AddString("type", onnx::ElementTypeName(value.type))
                  .Add("shape", DimsJson(value.dims))
                  .text());
  }
  return array.text();
}

std::string CountsJson(const std::map<std::string, int64_t>& counts) {
  JsonArray array;
  for (const auto& [name, count] : counts) {
    array.Add(
        JsonObject().AddString("operator", name).AddInt("nodes", count).text());
  }
  return array.text();
}

std::string OperatorsJson(const Inspection& said) {
  JsonArray array;
  for (const onnx::OperatorTotals& op : said.operators) {
    JsonObject json;
    json.AddString("operator", op.op).AddInt("nodes", op.nodes);
    AddCount(json, "macs", op.macs);
    AddCount(json, "parameters", op.parameters);
    AddCount(json, "weight_bytes", op.weight_bytes);
    AddCount(json, "in_bytes", op.in_bytes);
    AddCount(json, "out_bytes", op.out_bytes);
    array.Add(json.text());
  }
  return array.text();
}

std::string LayersJson(const Inspection& said) {
  JsonArray array;
  for (const onnx::InspectedNode& node : said.nodes) {
    const onnx::NodeCost& cost = node.cost;
    JsonObject json;
    json.AddString("name", node.name)
        .AddString("operator", node.op)
        .Add("kernel", node.kernel.empty() ? "null" : DimsJson(node.kernel))
        .Add("in_shape", DimsJson(node.in_dims))
        .Add("out_shape", DimsJson(node.out_dims));
    AddCount(json, "macs", cost.macs);
    AddCount(json, "parameters", cost.parameters);
    AddCount(json, "weight_bytes", cost.weight_bytes);
    AddCount(json, "in_bytes", cost.in_bytes);
    AddCount(json, "out_bytes", cost.out_bytes);
    json.Add("folded", cost.folded ? "true" : "false")
        .Add("depthwise", cost.depthwise ? "true" : "false")
        .Add("attention", node.attention ? "true" : "false")
        .Add("int8", cost.int8 ? "true" : "false");
    array.Add(json.text());
  }
  return array.text();
}

}  // namespace

std::string CharacteristicsJson(const Characteristics& fields) {
  JsonObject json;
  json.AddString("model", fields.model);
  AddCount(json, "conv_layers", fields.conv_layers);
  AddCount(json, "pool_layers", fields.pool_layers);
  AddCount(json, "fc_layers", fields.fc_layers);
  AddCount(json, "filter_details", fields.filter_details);
  AddCount(json, "total_parameters", fields.total_parameters);
  AddCount(json, "model_input_size", fields.model_input_bytes);
  AddCount(json, "model_output_size", fields.model_output_bytes);
  return json.text();
}

std::string InspectJson(const OnnxModel& model, bool layers) {
  const Inspection& said = model.inspection;
  JsonObject json;
  json.AddString("model", model.name)
      .AddString("producer", said.producer)
      .AddInt("opset", said.opset)
      .AddInt("nodes", static_cast<int64_t>(said.nodes.size()))
      .AddInt("folded_nodes", said.folded_nodes)
      .AddInt("unknown_nodes", said.unknown_nodes)
      .Add("inputs", ValuesJson(said.inputs))
      .Add("outputs", ValuesJson(said.outputs))
      .Add("characteristics", CharacteristicsJson(model.characteristics));
  AddCount(json, "macs", said.macs);
  AddCount(json, "parameters", said.counts.total_parameters);
  AddCount(json, "weight_bytes", said.weight_bytes);
  AddCount(json, "activation_bytes", said.activation_bytes);
  AddCount(json, "peak_activation_bytes", said.peak_activation_bytes);
  JsonObject types;
  for (const auto& [type, bytes] : said.weight_bytes_by_type) {
    AddCount(types, type, bytes);
  }
  json.AddNumber("macs_per_byte", said.macs_per_byte)
      .AddNumber("depthwise_share", said.depthwise_share)
      .AddNumber("attention_share", said.attention_share)
      .AddNumber("int8_share", said.int8_share)
      .AddString("precision", said.precision)
      .Add("weight_bytes_by_type", types.text())
      .Add("operators", OperatorsJson(said))
      .Add("unknown_operators", CountsJson(said.unknown_operators))
      .Add("not_followed", CountsJson(said.not_followed))
      .AddStrings("notes", said.notes);
  if (layers) {
    json.Add("layers", LayersJson(said));
  }
  return json.text() + "\n";
}

}  // namespace edgewise

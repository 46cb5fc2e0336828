#include "prediction/onnx_network.h"

#include <algorithm>
#include <map>

#include "onnx/graph_links.h"
#include "onnx/read_model.h"
#include "prediction/fused_nodes.h"

namespace edgewise {
namespace {

using onnx::Dims;
using onnx::Node;

// What the tables of layers call an operator that is no product.
std::string TypeOf(const Node& node) {
  static const std::map<std::string_view, std::string_view> kTypes = {
      {"Add", "BinaryOp"},
      {"ArgMax", "Reduction"},
      {"AveragePool", "Pooling"},
      {"BatchNormalization", "BatchNorm"},
      {"Clip", "ReLU"},
      {"Div", "BinaryOp"},
      {"Erf", "GELU"},
      {"Gelu", "GELU"},
      {"FastGelu", "GELU"},
      {"GlobalAveragePool", "Pooling"},
      {"GlobalMaxPool", "Pooling"},
      {"LayerNormalization", "LayerNorm"},
      {"LeakyRelu", "ReLU"},
      {"MaxPool", "Pooling"},
      {"Mul", "BinaryOp"},
      {"PRelu", "ReLU"},
      {"Pad", "Padding"},
      {"Pow", "BinaryOp"},
      {"ReduceMean", "Reduction"},
      {"Relu", "ReLU"},
      {"Resize", "Interp"},
      {"Slice", "Crop"},
      {"Split", "Slice"},
      {"Sub", "BinaryOp"},
      {"Sum", "Eltwise"},
      {"Transpose", "Permute"},
      {"Upsample", "Interp"},
  };
  const auto found = kTypes.find(node.op);
  return std::string(found == kTypes.end() ? node.op : found->second);
}

// Where a product of extents might leave 64 bits: shapes with a 0 elsewhere.
constexpr int64_t kMostHeight = int64_t{1} << 32;

// Channels, height, width. What belongs to no channel is put into the height.
Dims PictureOf(const Dims& dims) {
  if (dims.size() < 3) {
    return dims;
  }
  int64_t height = dims[0];
  for (size_t i = 2; i + 1 < dims.size(); ++i) {
    height = std::min(height, kMostHeight) * dims[i];
  }
  return {dims[1], height, dims.back()};
}

// Rows of `columns`; a single row is a list.
Dims RowsOf(const Dims& dims, int64_t columns) {
  const double rows = onnx::ElementsOf(dims) /
                      static_cast<double>(std::max<int64_t>(columns, 1));
  return rows <= 1 ? Dims{columns} : Dims{static_cast<int64_t>(rows), columns};
}

Dims WithoutBatch(const Dims& dims) {
  return dims.size() > 1 && dims[0] == 1 ? Dims{dims.begin() + 1, dims.end()}
                                         : dims;
}

class LayerMaker {
 public:
  explicit LayerMaker(const onnx::GraphFacts& facts) : facts_(facts) {}

  Layer Make(const Node& node, const onnx::NodeCost& cost) const {
    Layer layer;
    layer.macs = cost.macs.value_or(0);
    layer.parameters = cost.parameters;
    layer.int8 = cost.int8;
    const onnx::ValueFacts* in = onnx::InputFacts(facts_, node, 0);
    const onnx::ValueFacts* out = onnx::FactsFor(facts_, node.outputs[0]);
    if (in == nullptr || !in->dims || out == nullptr || !out->dims) {
      layer.type = TypeOf(node);
      return layer;
    }
    const Dims& from = *in->dims;
    const Dims& to = *out->dims;
    const bool transposed = node.op == "ConvTranspose";
    if (onnx::IsConvolution(node) || transposed) {
      layer.groups = std::max<int64_t>(node.Int("group", 1), 1);
      layer.type = transposed ? "Deconvolution" : "Convolution";
      layer.type += layer.groups > 1 ? "DepthWise" : "";
      layer.in_shape = PictureOf(from);
      layer.out_shape = PictureOf(to);
      SetWindow(node, layer);
    } else if (node.op == "Gemm" || onnx::IsMatrixProduct(node)) {
      layer.type = "InnerProduct";
      layer.in_shape = RowsOf(from, from.empty() ? 1 : from.back());
      layer.out_shape = RowsOf(to, to.empty() ? 1 : to.back());
    } else if (node.op == "LSTM" || node.op == "GRU" || node.op == "RNN") {
      SetRecurrent(node, from, layer);
    } else {
      layer.type = node.op == "Attention" ? "MultiHeadAttention" : TypeOf(node);
      layer.in_shape = WithoutBatch(from);
      layer.out_shape = WithoutBatch(to);
      if (layer.type == "Pooling") {
        SetWindow(node, layer);
      }
    }
    return layer;
  }

 private:
  void SetWindow(const Node& node, Layer& layer) const {
    if (!node.Ints("kernel_shape").empty()) {
      layer.kernel = node.Ints("kernel_shape").back();
    } else if (const auto* weight =
                   onnx::InputFacts(facts_, node, onnx::WeightInput(node));
               weight != nullptr && weight->dims && weight->dims->size() > 2) {
      layer.kernel = weight->dims->back();
    }
    if (!node.Ints("strides").empty()) {
      layer.stride = node.Ints("strides").back();
    }
    layer.kernel = std::max<int64_t>(layer.kernel, 1);
    layer.stride = std::max<int64_t>(layer.stride, 1);
  }

  // W is directions x gates*hidden x input, R the same x hidden.
  void SetRecurrent(const Node& node, const Dims& from, Layer& layer) const {
    layer.type = "InnerProduct";
    const onnx::ValueFacts* w = onnx::InputFacts(facts_, node, 1);
    const onnx::ValueFacts* r = onnx::InputFacts(facts_, node, 2);
    if (w == nullptr || !w->dims || w->dims->size() != 3 || r == nullptr ||
        !r->dims || r->dims->size() != 3 || from.size() != 3) {
      return;
    }
    const int64_t rows = from[0] * from[1];
    layer.in_shape = {rows, (*w->dims)[2] + (*r->dims)[2]};
    layer.out_shape = {rows, (*w->dims)[0] * (*w->dims)[1]};
  }

  const onnx::GraphFacts& facts_;
};

Result<OnnxModel> Describe(const onnx::Model& model, const std::string& file,
                           const onnx::InputShapes& shapes) {
  const auto facts = onnx::InferShapes(model, shapes);
  if (!facts) {
    return Error{facts.error().code, file + ": " + facts.error().message};
  }
  const std::filesystem::path path(file);
  OnnxModel described;
  described.name = path.extension() == ".onnx" ? path.stem().string()
                                               : path.filename().string();
  described.inspection = onnx::Inspect(model, *facts);
  described.network = NetworkOf(model, *facts, described.name);
  described.characteristics =
      CharacteristicsOf(described.inspection.counts, described.name);
  return described;
}

}  // namespace

Network NetworkOf(const onnx::Model& model, const onnx::GraphFacts& facts,
                  const std::string& name) {
  const onnx::GraphLinks links(model);
  const FusedNodes fused = FindFusedNodes(model, facts, links);
  const LayerMaker maker(facts);
  Network network{name, {}};
  for (const Node& node : model.nodes) {
    const onnx::NodeCost cost = onnx::CostOf(node, facts);
    const bool requantises =
        node.op == "QuantizeLinear" || node.op == "DequantizeLinear";
    if (cost.folded || cost.view || requantises || node.outputs.empty() ||
        fused.absorbed.contains(&node)) {
      continue;
    }
    Layer layer = maker.Make(node, cost);
    const auto together = fused.stands_for.find(&node);
    if (together != fused.stands_for.end()) {
      layer.type = together->second;
    }
    if (layer.type == "LayerNorm" && together != fused.stands_for.end()) {
      // The root is of one number a row; its quotient is of all.
      const Node* user = links.OnlyUserOf(node.outputs[0]);
      const auto* out =
          user != nullptr ? onnx::FactsFor(facts, user->outputs[0]) : nullptr;
      if (out != nullptr && out->dims) {
        layer.in_shape = layer.out_shape = WithoutBatch(*out->dims);
      }
    }
    network.layers.push_back(std::move(layer));
  }
  return network;
}

Characteristics CharacteristicsOf(const onnx::LayerCounts& counts,
                                  const std::string& name) {
  Characteristics fields;
  fields.model = name;
  fields.conv_layers = static_cast<double>(counts.conv_layers);
  fields.pool_layers = static_cast<double>(counts.pool_layers);
  fields.fc_layers = static_cast<double>(counts.fc_layers);
  fields.filter_details = static_cast<double>(counts.filter_details);
  fields.total_parameters = counts.total_parameters;
  fields.model_input_bytes = counts.model_input_bytes.value_or(0);
  fields.model_output_bytes = counts.model_output_bytes.value_or(0);
  return fields;
}

Result<OnnxModel> ReadOnnxModel(std::string_view bytes, const std::string& file,
                                const onnx::InputShapes& shapes) {
  const auto model = onnx::ReadModel(bytes, file);
  if (!model) {
    return model.error();
  }
  return Describe(*model, file, shapes);
}

Result<OnnxModel> ReadOnnxFile(const std::filesystem::path& path,
                               const onnx::InputShapes& shapes) {
  const auto file = onnx::ReadModelFile(path);
  if (!file) {
    return file.error();
  }
  auto described = Describe(file->model, path.string(), shapes);
  if (described) {
    for (std::string& missing :
         onnx::MissingWeights(file->model, path.parent_path())) {
      described->inspection.notes.push_back(std::move(missing));
    }
  }
  return described;
}

}  // namespace edgewise

#include "cli/verbs/network_query.h"

#include <filesystem>
#include <utility>

#include "base/text.h"
#include "placement/memory_need.h"
#include "prediction/csv_table.h"
#include "prediction/data_tables.h"
#include "prediction/onnx_network.h"

namespace edgewise::cli {
namespace {

NetworkQuery ByFields(Characteristics fields, const std::string& file) {
  const auto memory_bytes = MemoryNeedBytes(fields);
  std::string name = fields.model.empty() ? file : fields.model;
  return {{std::move(name), std::move(fields)}, memory_bytes};
}

// The one network of a table of layers or of characteristics.
Result<NetworkQuery> QueryFromTable(const std::string& text,
                                    const std::string& file) {
  const auto table = ParseCsv(text, file);
  if (!table) {
    return table.error();
  }
  const auto one = [&](size_t count) {
    return count == 1 ? Result<void>()
                      : Error{ErrorCode::kInvalid,
                              file + " describes " + std::to_string(count) +
                                  " models: keep the rows of one"};
  };
  if (table->Find("conv_layers")) {
    auto models = ReadCharacteristicsTable(*table, file);
    if (!models) {
      return models.error();
    }
    if (auto checked = one(models->size()); !checked) {
      return checked.error();
    }
    return ByFields(std::move(models->front()), file);
  }
  const auto networks = ReadLayersTable(*table, file);
  if (!networks) {
    return networks.error();
  }
  if (auto checked = one(networks->size()); !checked) {
    return checked.error();
  }
  const CostVector costs = CostsOf(networks->front());
  if (costs == CostVector{}) {
    return Error{ErrorCode::kInvalid,
                 file + " has no layer that does anything"};
  }
  return NetworkQuery{{networks->front().name, costs}, std::nullopt};
}

Result<NetworkQuery> QueryFromOnnx(const std::string& file,
                                   const OnnxOptions& onnx) {
  const auto shapes = InputShapesFrom(onnx);
  if (!shapes) {
    return shapes.error();
  }
  const auto model = ReadOnnxFile(file, *shapes);
  if (!model) {
    return model.error();
  }
  const CostVector costs = CostsOf(model->network);
  if (costs == CostVector{}) {
    return Error{ErrorCode::kInvalid,
                 file + " has no layer that does anything"};
  }
  return NetworkQuery{{model->name, costs},
                      MemoryNeedBytes(model->characteristics)};
}

}  // namespace

Result<NetworkQuery> QueryFrom(const LatencyModel& model,
                               const std::string& words,
                               const OnnxOptions& onnx) {
  if (words.ends_with(".onnx")) {
    return QueryFromOnnx(words, onnx);
  }
  std::error_code error;
  if (!std::filesystem::is_regular_file(words, error)) {
    auto known = QueryKnownNetwork(model, words);
    if (!known) {
      return known.error();
    }
    return NetworkQuery{std::move(*known), std::nullopt};
  }
  const auto text = ReadFile(words);
  if (!text) {
    return text.error();
  }
  if (Trim(*text).starts_with("{")) {
    auto fields = ReadCharacteristicsJson(*text, words);
    if (!fields) {
      return fields.error();
    }
    return ByFields(std::move(*fields), words);
  }
  return QueryFromTable(*text, words);
}

}  // namespace edgewise::cli

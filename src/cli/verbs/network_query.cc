#include "cli/verbs/network_query.h"

#include <filesystem>

#include "base/text.h"
#include "prediction/csv_table.h"
#include "prediction/data_tables.h"
#include "prediction/onnx_network.h"

namespace edgewise::cli {
namespace {

// The one network of a table of layers or of characteristics.
Result<Query> QueryFromTable(const std::string& text, const std::string& file) {
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
    const std::string name = models->front().model;
    return Query{name.empty() ? file : name, std::move(models->front())};
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
  return Query{networks->front().name, costs};
}

Result<Query> QueryFromOnnx(const std::string& file, const OnnxOptions& onnx) {
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
  return Query{model->name, costs};
}

}  // namespace

Result<Query> QueryFrom(const LatencyModel& model, const std::string& words,
                        const OnnxOptions& onnx) {
  if (words.ends_with(".onnx")) {
    return QueryFromOnnx(words, onnx);
  }
  std::error_code error;
  if (!std::filesystem::is_regular_file(words, error)) {
    return QueryKnownNetwork(model, words);
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
    const std::string name = fields->model;
    return Query{name, std::move(*fields)};
  }
  return QueryFromTable(*text, words);
}

}  // namespace edgewise::cli

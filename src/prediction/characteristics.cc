#include "prediction/characteristics.h"

#include <cmath>

namespace edgewise {
namespace {

constexpr double kFloatBytes = 4;

std::optional<double> InputBytes(const CsvRow& row) {
  if (const auto bytes = row.Number("model_input_size")) {
    return bytes;
  }
  const auto width = row.Number("input_w");
  const auto height = row.Number("input_h");
  const auto channels = row.Number("input_c");
  if (!width || !height || !channels) {
    return std::nullopt;
  }
  return kFloatBytes * *width * *height * *channels;
}

}  // namespace

CoarseVector CoarseTermsOf(const Characteristics& model) {
  return {
      std::log1p(model.conv_layers),      std::log1p(model.pool_layers),
      std::log1p(model.fc_layers),        std::log1p(model.filter_details),
      std::log1p(model.total_parameters), std::log1p(model.model_input_bytes)};
}

Result<std::vector<Characteristics>> ReadCharacteristicsTable(
    const CsvTable& table, const std::string& name) {
  std::vector<Characteristics> models;
  for (size_t i = 0; i < table.rows.size(); ++i) {
    const CsvRow row(table, i);
    Characteristics model;
    model.model = row.Text("model");
    const auto take = [&](std::string_view column, double& field) {
      const auto number = row.Number(column);
      field = number.value_or(0);
      return number.has_value();
    };
    const auto input = InputBytes(row);
    model.model_input_bytes = input.value_or(0);
    (void)take("model_output_size", model.model_output_bytes);
    if (!take("conv_layers", model.conv_layers) ||
        !take("pool_layers", model.pool_layers) ||
        !take("fc_layers", model.fc_layers) ||
        !take("filter_details", model.filter_details) ||
        !take("total_parameters", model.total_parameters) || !input) {
      return Error{
          ErrorCode::kInvalid,
          name + ", row " + std::to_string(i + 1) +
              ": give conv_layers, pool_layers, fc_layers, filter_details, "
              "total_parameters and model_input_size as numbers from 0"};
    }
    models.push_back(std::move(model));
  }
  return models;
}

}  // namespace edgewise

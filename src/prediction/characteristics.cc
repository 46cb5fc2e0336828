#include "prediction/characteristics.h"

#include <cmath>

#include "base/text.h"

namespace edgewise {
namespace {

constexpr double kFloatBytes = 4;

// The number in a column of a row; nullopt if there is no such column, or no
// number that is at least 0.
std::optional<double> NumberAt(const CsvTable& table, size_t row,
                               std::string_view column) {
  const auto at = table.Find(column);
  if (!at) {
    return std::nullopt;
  }
  const auto number = ParseDouble(table.rows[row][*at]);
  if (!number || !std::isfinite(*number) || *number < 0) {
    return std::nullopt;
  }
  return number;
}

std::optional<double> InputBytes(const CsvTable& table, size_t row) {
  if (const auto bytes = NumberAt(table, row, "model_input_size")) {
    return bytes;
  }
  const auto width = NumberAt(table, row, "input_w");
  const auto height = NumberAt(table, row, "input_h");
  const auto channels = NumberAt(table, row, "input_c");
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
  const auto model_at = table.Find("model");
  for (size_t row = 0; row < table.rows.size(); ++row) {
    Characteristics model;
    if (model_at) {
      model.model = table.rows[row][*model_at];
    }
    const auto take = [&](std::string_view column, double& field) {
      const auto number = NumberAt(table, row, column);
      field = number.value_or(0);
      return number.has_value();
    };
    const auto input = InputBytes(table, row);
    model.model_input_bytes = input.value_or(0);
    (void)take("model_output_size", model.model_output_bytes);
    if (!take("conv_layers", model.conv_layers) ||
        !take("pool_layers", model.pool_layers) ||
        !take("fc_layers", model.fc_layers) ||
        !take("filter_details", model.filter_details) ||
        !take("total_parameters", model.total_parameters) || !input) {
      return Error{
          ErrorCode::kInvalid,
          name + ", row " + std::to_string(row + 1) +
              ": give conv_layers, pool_layers, fc_layers, filter_details, "
              "total_parameters and model_input_size as numbers from 0"};
    }
    models.push_back(std::move(model));
  }
  return models;
}

}  // namespace edgewise

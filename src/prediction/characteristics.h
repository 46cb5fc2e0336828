// The eight fields that callers of a SOPRANO profiler send about a model: all
// that is known where its layers are not.
#ifndef EDGEWISE_PREDICTION_CHARACTERISTICS_H_
#define EDGEWISE_PREDICTION_CHARACTERISTICS_H_

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "prediction/csv_table.h"

namespace edgewise {

// Counts as numbers that may be absurdly large; never negative. The output's
// size is read and not used: the tables to learn from have none.
struct Characteristics {
  std::string model;
  double conv_layers = 0;
  double pool_layers = 0;
  double fc_layers = 0;
  double filter_details = 0;
  double total_parameters = 0;
  double model_input_bytes = 0;
  double model_output_bytes = 0;
};

inline constexpr size_t kCoarseTerms = 6;
// The logarithms that the coarse model weighs; all grow with the field.
using CoarseVector = std::array<double, kCoarseTerms>;
CoarseVector CoarseTermsOf(const Characteristics& model);

// From a table with one row a model: `conv_layers` and its kin, and the input
// as `model_input_size` or as `input_w`, `input_h`, `input_c`.
Result<std::vector<Characteristics>> ReadCharacteristicsTable(
    const CsvTable& table, const std::string& name);

// The eight fields as a JSON object; numbers of any size from 0.
Result<Characteristics> ReadCharacteristicsJson(std::string_view text,
                                                const std::string& name);

}  // namespace edgewise

#endif  // EDGEWISE_PREDICTION_CHARACTERISTICS_H_

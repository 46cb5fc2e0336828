// The model that comes with edgewise.
#ifndef EDGEWISE_TESTS_PLACEMENT_SHIPPED_MODEL_H_
#define EDGEWISE_TESTS_PLACEMENT_SHIPPED_MODEL_H_

#include <gtest/gtest.h>

#include "base/text.h"
#include "prediction/model_file.h"

namespace edgewise {

inline const LatencyModel& ShippedModel() {
  static const LatencyModel model = [] {
    const auto text = ReadFile(EDGEWISE_DEFAULT_MODEL);
    EXPECT_TRUE(text.ok());
    auto read = ReadModel(*text, "the shipped model");
    EXPECT_TRUE(read.ok()) << (read ? "" : read.error().message);
    return std::move(*read);
  }();
  return model;
}

inline Query SomeModel(double parameters = 3.5e6) {
  Characteristics fields;
  fields.model = "m";
  fields.conv_layers = 52;
  fields.pool_layers = 1;
  fields.fc_layers = 1;
  fields.filter_details = 17000;
  fields.total_parameters = parameters;
  fields.model_input_bytes = 602112;
  fields.model_output_bytes = 4000;
  return {"m", fields};
}

}  // namespace edgewise

#endif  // EDGEWISE_TESTS_PLACEMENT_SHIPPED_MODEL_H_

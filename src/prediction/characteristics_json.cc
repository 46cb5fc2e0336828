#include "prediction/characteristics.h"
#include "prediction/json_fields.h"

namespace edgewise {

Result<Characteristics> ReadCharacteristicsJson(std::string_view text,
                                                const std::string& name) {
  return fields::ReadJsonAs<Characteristics>(
      text, name, "a set of model characteristics",
      [](const fields::Json& json) {
        const auto field = [&](const char* key) {
          const double value =
              fields::Number(fields::Member(json, key), key, 1e300);
          if (value < 0) {
            throw fields::WrongField{key};
          }
          return value;
        };
        Characteristics model;
        model.model =
            json.contains("model") ? fields::Text(json, "model") : "model";
        model.conv_layers = field("conv_layers");
        model.pool_layers = field("pool_layers");
        model.fc_layers = field("fc_layers");
        model.filter_details = field("filter_details");
        model.total_parameters = field("total_parameters");
        model.model_input_bytes = field("model_input_size");
        model.model_output_bytes = field("model_output_size");
        return model;
      });
}

}  // namespace edgewise

#include "report/estimate_json.h"

#include "report/json_writer.h"

namespace edgewise {

std::string EstimateJson(const std::optional<stats::Estimate>& estimate) {
  if (!estimate) {
    return "null";
  }
  return JsonObject()
      .AddNumber("value", estimate->value)
      .AddNumber("low", estimate->low)
      .AddNumber("high", estimate->high)
      .text();
}

}  // namespace edgewise

// Functions and stacks as parts of a Run's or a comparison's JSON. Private to
// this room.
#ifndef EDGEWISE_REPORT_STACKS_JSON_H_
#define EDGEWISE_REPORT_STACKS_JSON_H_

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

#include "store/analysis.h"

namespace edgewise {

// An array; empty without stacks.
nlohmann::ordered_json FunctionsJson(
    const std::optional<StackAnalysis>& stacks);
// How the stacks were had; null without.
nlohmann::ordered_json StacksJson(const std::optional<StackAnalysis>& stacks);
nlohmann::ordered_json FunctionChangesJson(
    const std::vector<stacks::FunctionChange>& changes);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_STACKS_JSON_H_

// Runs, groups and comparisons for machines: one JSON object each.
//
// docs/formats/run.md documents the schema, docs/formats/run.schema.json says
// the same for validators. Unknown is null. Text that is no UTF-8 has U+FFFD
// in place of the bytes that are not.
#ifndef EDGEWISE_REPORT_RUN_JSON_H_
#define EDGEWISE_REPORT_RUN_JSON_H_

#include <span>
#include <string>

#include "store/analysis.h"
#include "store/gate.h"
#include "store/run.h"

namespace edgewise {

// Raised when a key changes its meaning or goes away; new keys do not raise it.
inline constexpr int kJsonSchema = 1;

// `run --json`, `show --json`, `export --format json`.
std::string RunJson(const Run& run, const RunAnalysis& analysis);

// {"runs": […], "summary": {…}}; `runs` as they were analysed.
std::string GroupJson(std::span<const Run> runs, const GroupAnalysis& analysis);

// {"runs": […]}: as RunJson, less what takes an analysis of the records.
std::string ListJson(std::span<const Run> runs);

// `compare --json`, `ab --json`. `gates` is what --fail-if found.
std::string CompareJson(const RunComparison& comparison,
                        std::span<const GateFinding> gates = {});

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_RUN_JSON_H_

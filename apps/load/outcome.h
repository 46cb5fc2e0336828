// What an app says at its end.
#ifndef EDGEWISE_APPS_LOAD_OUTCOME_H_
#define EDGEWISE_APPS_LOAD_OUTCOME_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "load/options.h"

namespace edgewise::apps {

using Fact = std::variant<int64_t, double, bool, std::string>;

struct Outcome {
  int64_t items = 0;
  // Pictures, chunks, ... in each item; more than 1 with batches.
  int64_t units_per_item = 1;
  double elapsed_s = 0;  // from the start of the first item to the last end
  uint32_t checksum = 0;
  // nullopt: there were no deadlines.
  std::optional<int64_t> deadline_misses;
  // What only this app knows; keys of the JSON.
  std::vector<std::pair<std::string, Fact>> facts;
  // The same for people, one sentence each.
  std::vector<std::string> notes;
};

// One line of JSON.
std::string OutcomeJson(const std::string& app, const LoadOptions& options,
                        const Outcome& outcome);
// The notes, then one line.
std::string OutcomeText(const std::string& app, const LoadOptions& options,
                        const Outcome& outcome);

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_LOAD_OUTCOME_H_

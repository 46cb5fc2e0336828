// DecisionLog: what a controller has decided, one JSON object a line, in a
// bounded pair of files.
#ifndef EDGEWISE_LIVE_DECISION_LOG_H_
#define EDGEWISE_LIVE_DECISION_LOG_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "control/decision.h"

namespace edgewise::live {

// {"utc": …, "kind": …, "app": …, "what": …, "why": …, "carried_out": …,
// "goal": …, "measured": …, …}; docs/control.md says what.
std::string DecisionJson(const control::Decision& decision);

// HOME/agent/decisions.jsonl. Beyond `most_bytes` it becomes
// decisions-before.jsonl, and what that had is gone. Not thread-safe.
class DecisionLog {
 public:
  explicit DecisionLog(const std::filesystem::path& home,
                       int64_t most_bytes = int64_t{4} << 20);
  // What cannot be written is lost: a full disk must not stop the controller.
  void Add(const control::Decision& decision);

 private:
  std::filesystem::path path_;
  int64_t most_bytes_;
};

// The last lines of the log, oldest first; kNotFound if there is none.
Result<std::vector<std::string>> ReadDecisionLog(
    const std::filesystem::path& home, size_t most_lines);

}  // namespace edgewise::live

#endif  // EDGEWISE_LIVE_DECISION_LOG_H_

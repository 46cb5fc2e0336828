// DecisionLog: what a controller has decided, a line each, in a bounded pair of
// files. A line is a text for people, a tab, and all of it as JSON.
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

// HOME/agent/decisions. Beyond `most_bytes` it becomes decisions.before, and
// what that had is gone. Not thread-safe.
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

struct LoggedDecision {
  std::string text;
  std::string json;
};
// The last ones, oldest first; kNotFound if there is no log.
Result<std::vector<LoggedDecision>> ReadDecisionLog(
    const std::filesystem::path& home, size_t most);

}  // namespace edgewise::live

#endif  // EDGEWISE_LIVE_DECISION_LOG_H_

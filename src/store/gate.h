// Gate: a limit that B must not pass, such as "p95 > 1.10x", judged by what the
// Runs show beyond the doubt of an interval.
#ifndef EDGEWISE_STORE_GATE_H_
#define EDGEWISE_STORE_GATE_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/analysis.h"

namespace edgewise {

// A figure of the spans (all of them, or those of one name) or of the totals
// against a limit, which is a ratio of B over A or an amount of B itself.
struct Gate {
  std::string text;                // as it was given
  std::string span;                // empty: every span that both sides have
  std::optional<double> quantile;  // of spans: 0 is the mean; unset: a total
  std::string total;               // a name of TotalFigures()
  std::string word;                // how the figure was called
  bool above = true;               // fails above the limit, else below it
  bool relative = true;            // the limit is a ratio
  double limit = 0;                // ratio; ns, bytes, s or J
};

// "[SPAN] FIGURE > LIMIT" or "<": FIGURE is mean, p50, p90, p95, p99, wall,
// cpu, memory, rss, energy or a name of the totals; LIMIT is "1.10x", "+10%" or
// an amount with its unit ("40ms", "512MiB", "3J").
Result<Gate> ParseGate(std::string_view text);

enum class GateOutcome {
  kHolds,         // the whole interval lies beyond the limit: B fails
  kNot,           // no part of it does
  kUndecided,     // the limit lies within it
  kInsufficient,  // there is no interval
};

struct GateFinding {
  std::string what;  // "frame p95"
  GateOutcome outcome = GateOutcome::kInsufficient;
  std::optional<double> value;  // in the unit of the limit
  std::optional<double> low;
  std::optional<double> high;
  // "frame p95 is 1.18 times what it was (95% interval 1.12–1.25): more than
  // 1.10".
  std::string sentence;
};

// One finding a figure. kInvalid where neither side has what the gate names.
Result<std::vector<GateFinding>> JudgeGate(const Store& store,
                                           const RunComparison& comparison,
                                           const Gate& gate);

}  // namespace edgewise

#endif  // EDGEWISE_STORE_GATE_H_

// Which functions the samples were in: self, and with what they called.
#ifndef EDGEWISE_STACKS_FUNCTIONS_H_
#define EDGEWISE_STACKS_FUNCTIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stacks/profile.h"
#include "stats/proportion.h"

namespace edgewise::stacks {

// One function, whatever line of it ran. Functions of one name are one if they
// are of the same module and kind; those of Python if they are of the same
// file.
struct FunctionUse {
  std::string name;
  std::string module;  // empty if not known
  std::string file;    // likewise
  int first_line = 0;  // in `file`; 0: not known
  FrameKind kind = FrameKind::kNative;
  bool named = true;
  int64_t self = 0;   // counts with it innermost
  int64_t total = 0;  // counts with it anywhere; recursion counts once
  double self_percent = 0;
  double total_percent = 0;
  // 95%, in percent; nullopt where the number of samples is not known. They
  // hold the chance of sampling alone.
  std::optional<stats::Interval> self_interval;
  std::optional<stats::Interval> total_interval;
};

// Most self first, then most total, then by name. Marks such as "[truncated]"
// are not functions, but their samples count in the whole.
std::vector<FunctionUse> RankFunctions(const StackProfile& profile);

// The samples that a share of the profile rests on: unweighted, so that an
// event which counts nanoseconds does not look like millions of samples.
// nullopt where only weights are known.
std::optional<double> SamplesBehind(const StackProfile& profile);

struct LineUse {
  std::string function;
  std::string file;
  int line = 0;
  int64_t self = 0;
  double self_percent = 0;
};

// Source lines that ran innermost, most first; those without a line are left
// out.
std::vector<LineUse> HotLines(const StackProfile& profile);

}  // namespace edgewise::stacks

#endif  // EDGEWISE_STACKS_FUNCTIONS_H_

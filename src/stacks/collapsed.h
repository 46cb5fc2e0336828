// Collapsed stacks: one line a stack, "main;read;memcpy 42", as Brendan Gregg's
// FlameGraph tools write and read them.
#ifndef EDGEWISE_STACKS_COLLAPSED_H_
#define EDGEWISE_STACKS_COLLAPSED_H_

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "stacks/line_feed.h"
#include "stacks/profile.h"
#include "stacks/text_map.h"

namespace edgewise::stacks {

struct CollapsedWriteOptions {
  bool process_first = true;  // the command's name as outermost element
  // Mark frames by their kind, unless their names have the mark already:
  bool kernel_marks = false;   // "_[k]"
  bool jit_marks = false;      // "_[j]"
  bool inlined_marks = false;  // "_[i]"
};

// Stacks of equal names are one line; lines are in the order of bytes. In names
// ";" becomes ":" and line ends become blanks, which would end an element. A
// sample without frames and process is "[unknown]".
void WriteCollapsed(const StackProfile& profile,
                    const CollapsedWriteOptions& options,
                    const std::function<void(std::string_view)>& sink);

struct CollapsedReadOptions {
  // The first element is the command's name; else it is a frame like others.
  bool process_first = true;
  // What the numbers count.
  std::string unit = "samples";
};

// Reads collapsed stacks from pieces of text. Names are kept as they are;
// "_[k]",
// "_[j]" and "_[i]" at their end tell the frame's kind. Lines that do not end
// in a whole number are left out and counted.
class CollapsedReader {
 public:
  explicit CollapsedReader(CollapsedReadOptions options);

  void Feed(std::string_view piece);
  // kInvalid if no line was a stack.
  Result<StackProfile> Finish();
  int64_t skipped_lines() const {
    return skipped_lines_ + lines_.too_long_lines();
  }

 private:
  void TakeLine(std::string_view line);
  int32_t FrameOf(std::string_view name);

  CollapsedReadOptions options_;
  LineFeed lines_;
  ProfileBuilder builder_;
  TextMap<int32_t> frames_;
  TextMap<int32_t> threads_;
  std::vector<int32_t> stack_;
  int64_t total_ = 0;
  int64_t stacks_ = 0;
  int64_t skipped_lines_ = 0;
};

}  // namespace edgewise::stacks

#endif  // EDGEWISE_STACKS_COLLAPSED_H_

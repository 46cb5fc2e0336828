// The text of `perf script`, folded as FlameGraph's stackcollapse-perf.pl does.
//
// docs/formats/perf-script.md lists the rules.
#ifndef EDGEWISE_STACKS_PERF_SCRIPT_H_
#define EDGEWISE_STACKS_PERF_SCRIPT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "stacks/known_lines.h"
#include "stacks/line_feed.h"
#include "stacks/profile.h"
#include "stacks/text_map.h"

namespace edgewise::stacks {

struct PerfScriptOptions {
  // The command's name gets "-PID", or "-PID/TID"; "?" where the text has no
  // pid.
  bool pid = false;
  bool tid = false;
  bool kernel_marks = false;  // "_[k]" behind names of the kernel
  bool jit_marks = false;     // "_[j]" behind names from /tmp/perf-PID.map
  bool addresses = false;     // of frames without a symbol, beside the module
  // Only samples of this event; empty: of the first that occurs.
  std::string event = {};
};

// Reads the text in pieces. Any bytes are tolerated: what is no line of perf
// script is left out and counted.
class PerfScriptReader {
 public:
  explicit PerfScriptReader(PerfScriptOptions options);

  void Feed(std::string_view piece);
  // kInvalid if there was no sample. The profile's notes tell of samples of
  // other events, lines that were not understood, and an end within a sample.
  Result<StackProfile> Finish();

 private:
  void TakeLine(std::string_view line);
  // False if the line does not begin a sample.
  bool TakeEvent(std::string_view line);
  bool TakeFrame(std::string_view line);
  void EndSample();
  // Puts the frames of a line onto the stack.
  void Push(size_t first, size_t count);
  // The frames of a line, outermost first: more than one where names are
  // joined by "->". Appends nothing for a line that stands for none.
  void AddFrames(std::string_view address, std::string_view symbol,
                 std::string_view module);
  // The note on what was not counted, where something was not.
  void AddNotes();

  PerfScriptOptions options_;
  LineFeed lines_;
  ProfileBuilder builder_;
  // What lines of stacks stand for, in frames_of_lines_. Names of Java are
  // tidied in another way.
  KnownLines known_lines_;
  KnownLines known_java_lines_;
  std::vector<int32_t> frames_of_lines_;
  TextMap<int32_t> threads_;

  bool in_sample_ = false;
  bool is_java_ = false;
  int32_t thread_ = 0;
  int64_t period_ = 1;
  std::vector<int32_t> stack_;     // of this sample, outermost last
  std::vector<int32_t> reversed_;  // outermost first
  std::string event_;              // that is counted
  bool event_chosen_ = false;
  bool weighted_ = false;  // a period was not 1
  int64_t samples_ = 0;
  int64_t total_ = 0;
  int64_t other_events_ = 0;
  int64_t unknown_lines_ = 0;
};

}  // namespace edgewise::stacks

#endif  // EDGEWISE_STACKS_PERF_SCRIPT_H_

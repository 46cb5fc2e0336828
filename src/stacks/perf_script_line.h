// Single lines of `perf script`, and how their names are tidied. Private to
// this room.
#ifndef EDGEWISE_STACKS_PERF_SCRIPT_LINE_H_
#define EDGEWISE_STACKS_PERF_SCRIPT_LINE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "stacks/profile.h"

namespace edgewise::stacks {

// "java 24636/25607 [000] 4794564.109216: 101 cycles:". Views into the line.
struct PerfEventLine {
  std::string_view command;
  std::string_view pid;  // empty where the text has the tid only
  std::string_view tid;
  std::string_view event;  // empty where the line does not end in one
  int64_t period = 1;
};
// nullopt for a line that does not begin a sample.
std::optional<PerfEventLine> ParsePerfEventLine(std::string_view line);

// "        7f722d142778 memcpy+0x1a (/lib/libc.so.6)".
struct PerfFrameLine {
  std::string_view address;
  std::string_view symbol;  // without "+0x1a"; may be empty
  std::string_view module;  // may be empty
};
std::optional<PerfFrameLine> ParsePerfFrameLine(std::string_view line);

// The symbol without arguments and quotes, ";" as ":", and for Java without
// the "L" of a class. A Go method keeps its brackets.
std::string TidyPerfSymbol(std::string_view symbol, bool is_java);

struct PerfModule {
  FrameKind kind = FrameKind::kNative;
  bool marked_kernel = false;  // by stackcollapse-perf.pl: "[vdso]" too
  bool inlined = false;        // "(inlined)" stands in its place
  std::string name;            // for Frame::module
};
PerfModule ClassifyPerfModule(std::string_view module);

}  // namespace edgewise::stacks

#endif  // EDGEWISE_STACKS_PERF_SCRIPT_LINE_H_

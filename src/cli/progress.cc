#include "cli/progress.h"

#include <unistd.h>

#include <cmath>

#include "base/clock.h"
#include "base/units.h"
#include "cli/context.h"

namespace edgewise::cli {

ProgressLine::ProgressLine(bool wanted)
    : shown_(wanted && ::isatty(STDERR_FILENO) == 1 &&
             ::tcgetpgrp(STDERR_FILENO) == ::getpgrp()) {}

ProgressListener ProgressLine::Listener() {
  if (!shown_) {
    return nullptr;
  }
  return [this](const SessionProgress& at) {
    std::string line = "\r\033[K";
    if (at.unwinding) {
      PrintToStderr(line + "unwinding stacks");
      dirty_ = true;
      return;
    }
    line += "measuring";
    if (at.run_count > 1) {
      line += " run " + std::to_string(at.run_number) + " of " +
              std::to_string(at.run_count);
    }
    line += ": " + FormatDuration(static_cast<double>(at.elapsed_ns));
    if (at.planned_ns) {
      line += " of " + FormatDuration(static_cast<double>(*at.planned_ns));
    }
    if (at.cpu_percent) {
      line += ", CPU " + std::to_string(std::lround(*at.cpu_percent)) + "%";
    }
    if (at.rss_bytes) {
      line += ", memory " + FormatBytes(static_cast<double>(*at.rss_bytes));
    }
    PrintToStderr(line);
    dirty_ = true;
  };
}

void ProgressLine::Show(std::string_view text) {
  const int64_t now_ns = MonotonicNs();
  if (!shown_ || now_ns - shown_at_ns_ < 100 * kNsPerMs) {
    return;
  }
  shown_at_ns_ = now_ns;
  PrintToStderr("\r\033[K" + std::string(text));
  dirty_ = true;
}

void ProgressLine::Clear() {
  if (dirty_) {
    PrintToStderr("\r\033[K");
    dirty_ = false;
  }
}

}  // namespace edgewise::cli

// A line on the terminal that says how far a session is; nothing elsewhere.
#ifndef EDGEWISE_CLI_PROGRESS_H_
#define EDGEWISE_CLI_PROGRESS_H_

#include <string>

#include "sessions/session.h"

namespace edgewise::cli {

class ProgressLine {
 public:
  // Shown only if `wanted` and stderr is a terminal.
  explicit ProgressLine(bool wanted);
  ~ProgressLine() { Clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Empty (no cost) where nothing is shown. Valid as long as this lives.
  ProgressListener Listener();
  // Put before the figures, e.g. "run 3 of 10".
  void SetPrefix(std::string prefix) { prefix_ = std::move(prefix); }
  void Clear();

 private:
  bool shown_;
  bool dirty_ = false;
  std::string prefix_;
};

}  // namespace edgewise::cli

#endif  // EDGEWISE_CLI_PROGRESS_H_

// A line on the terminal that says how far a session is; nothing elsewhere.
#ifndef EDGEWISE_CLI_PROGRESS_H_
#define EDGEWISE_CLI_PROGRESS_H_

#include <cstdint>
#include <string_view>

#include "sessions/session.h"

namespace edgewise::cli {

class ProgressLine {
 public:
  // Shown only if `wanted` and stderr is a terminal that we have (a job in the
  // background has not).
  explicit ProgressLine(bool wanted);
  ~ProgressLine() { Clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Empty (no cost) where nothing is shown. Valid as long as this lives.
  ProgressListener Listener();
  // Shows a text on the line; of many, ten a second.
  void Show(std::string_view text);
  void Clear();

 private:
  bool shown_;
  bool dirty_ = false;
  int64_t shown_at_ns_ = 0;
};

}  // namespace edgewise::cli

#endif  // EDGEWISE_CLI_PROGRESS_H_

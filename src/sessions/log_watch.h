// LogWatch: when a text first came up in a program's output.
#ifndef EDGEWISE_SESSIONS_LOG_WATCH_H_
#define EDGEWISE_SESSIONS_LOG_WATCH_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace edgewise {

// One thread calls Look, any may call seen_ns.
class LogWatch {
 public:
  // An empty text is never seen.
  explicit LogWatch(std::string text) : text_(std::move(text)) {}

  // More of one stream (0: stdout, 1: stderr), which came at `now_ns`. The text
  // may be split among calls.
  void Look(int stream, std::string_view more, int64_t now_ns);
  // CLOCK_MONOTONIC; nullopt: not yet.
  std::optional<int64_t> seen_ns() const;

 private:
  const std::string text_;
  std::string rest_[2];  // of what came before, shorter than the text
  std::atomic<int64_t> seen_ns_{0};
};

}  // namespace edgewise

#endif  // EDGEWISE_SESSIONS_LOG_WATCH_H_

#include "sessions/log_watch.h"

#include <algorithm>

namespace edgewise {

void LogWatch::Look(int stream, std::string_view more, int64_t now_ns) {
  if (text_.empty() || seen_ns_.load(std::memory_order_relaxed) != 0) {
    return;
  }
  std::string& rest = rest_[stream];
  rest += more;
  if (rest.find(text_) != std::string::npos) {
    seen_ns_.store(now_ns, std::memory_order_release);
    rest.clear();
    return;
  }
  rest.erase(0, rest.size() - std::min(rest.size(), text_.size() - 1));
}

std::optional<int64_t> LogWatch::seen_ns() const {
  const int64_t seen_ns = seen_ns_.load(std::memory_order_acquire);
  return seen_ns != 0 ? std::optional(seen_ns) : std::nullopt;
}

}  // namespace edgewise

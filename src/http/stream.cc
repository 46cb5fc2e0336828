#include "http/stream.h"

#include <algorithm>
#include <cstring>

#include "base/clock.h"
#include "base/text.h"

namespace edgewise::http {

bool Stream::Write(std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  return WriteLocked(bytes);
}

bool Stream::WriteEvent(std::string_view event, std::string_view data,
                        std::string_view id) {
  std::string text;
  if (!id.empty()) {
    text.append("id: ").append(id).append("\n");
  }
  if (!event.empty()) {
    text.append("event: ").append(event).append("\n");
  }
  for (const std::string_view line : Split(data, '\n')) {
    text.append("data: ").append(line).append("\n");
  }
  text += '\n';
  return Write(text);
}

void Stream::End() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  WakeLocked();
}

bool Stream::open() const {
  const std::lock_guard lock(mutex_);
  return !ended_;
}

void Stream::Attach(std::function<void()> pause, std::function<void()> wake) {
  const std::lock_guard lock(mutex_);
  pause_ = std::move(pause);
  wake_ = std::move(wake);
  written_ns_ = MonotonicNs();
}

std::ptrdiff_t Stream::Take(char* into, size_t most) {
  const std::lock_guard lock(mutex_);
  if (kept_.empty()) {
    if (ended_) {
      return kEnded;
    }
    paused_ = true;
    if (pause_) {
      pause_();
    }
    return 0;
  }
  const size_t size = std::min(most, kept_.size());
  std::memcpy(into, kept_.data(), size);
  kept_.erase(0, size);
  return static_cast<std::ptrdiff_t>(size);
}

void Stream::Detach() {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  paused_ = false;
  pause_ = nullptr;
  wake_ = nullptr;
  kept_ = std::string();
}

void Stream::WriteIfQuietSince(int64_t since_ns, std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  if (written_ns_ < since_ns) {
    (void)WriteLocked(bytes);
  }
}

bool Stream::WriteLocked(std::string_view bytes) {
  if (ended_) {
    return false;
  }
  if (kept_.size() + bytes.size() > limit_bytes_) {
    ended_ = true;
    kept_ = std::string();
    WakeLocked();
    return false;
  }
  kept_ += bytes;
  written_ns_ = MonotonicNs();
  WakeLocked();
  return true;
}

void Stream::WakeLocked() {
  if (paused_) {
    paused_ = false;
    if (wake_) {
      wake_();
    }
  }
}

}  // namespace edgewise::http

// StopLadder: how a program is ended: SIGINT, then SIGTERM, then SIGKILL, each
// after a time of grace. Pure; the session asks it what to send and when.
#ifndef EDGEWISE_SESSIONS_STOP_LADDER_H_
#define EDGEWISE_SESSIONS_STOP_LADDER_H_

#include <csignal>
#include <cstdint>
#include <optional>

namespace edgewise {

class StopLadder {
 public:
  explicit StopLadder(int64_t grace_ns) : grace_ns_(grace_ns) {}

  // Begins at SIGINT; a second call (a second Ctrl-C) climbs one rung at once.
  void Start(int64_t now_ns) {
    if (rung_ < kRungs) {
      next_at_ns_ = now_ns;
    }
  }
  // When Due() will next have a signal; nullopt if never.
  std::optional<int64_t> next_at_ns() const { return next_at_ns_; }
  // The signal to send now, if one is due.
  std::optional<int> Due(int64_t now_ns) {
    static constexpr int kSignals[kRungs] = {SIGINT, SIGTERM, SIGKILL};
    if (!next_at_ns_ || now_ns < *next_at_ns_ || rung_ >= kRungs) {
      return std::nullopt;
    }
    const int signal = kSignals[rung_++];
    next_at_ns_ =
        rung_ < kRungs ? std::optional(now_ns + grace_ns_) : std::nullopt;
    return signal;
  }

 private:
  static constexpr int kRungs = 3;
  int64_t grace_ns_;
  std::optional<int64_t> next_at_ns_;
  int rung_ = 0;
};

}  // namespace edgewise

#endif  // EDGEWISE_SESSIONS_STOP_LADDER_H_

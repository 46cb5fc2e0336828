// RoleControl: how a role is told what to do: signals, and lines from whoever
// conducts it (conductor.h).
#ifndef EDGEWISE_MQTT_ROLE_CONTROL_H_
#define EDGEWISE_MQTT_ROLE_CONTROL_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "base/result.h"
#include "base/unique_fd.h"

namespace edgewise::mqtt {

// What is said, one line each. To a role:
inline constexpr std::string_view kSayProbe = "probe";  // try with warm-ups
inline constexpr std::string_view kSayGo = "go";
inline constexpr std::string_view kSaySent = "sent ";  // with how many
// By a role:
inline constexpr std::string_view kSayReady = "ready";
inline constexpr std::string_view kSayThrough = "through";  // one arrived
inline constexpr std::string_view kSayFact = "fact ";       // NAME VALUE
inline constexpr std::string_view kSayFailed = "failed ";   // CODE MESSAGE

// SIGINT, SIGTERM and SIGHUP stop it. Must be made before any other thread, so
// that no other takes the signals. A thread of its own listens.
class RoleControl {
 public:
  // `report_fd`: where lines go, -1 for nowhere; lines come from standard input
  // then.
  explicit RoleControl(int report_fd);
  ~RoleControl();
  RoleControl(const RoleControl&) = delete;
  RoleControl& operator=(const RoleControl&) = delete;

  bool conducted() const { return report_fd_ >= 0; }
  bool stopped() const { return stopped_; }
  void Stop();

  // Says a line to the conductor, if there is one.
  void Say(std::string_view line);
  // The next line that was said to this role, if there is one.
  std::optional<std::string> NextLine();

  // Sleeps until a time, or until it is stopped.
  void SleepUntil(int64_t monotonic_ns) const;
  // Waits until `ready`, Wake, a line or the stop, at most until a time. What
  // `ready` looks at must be guarded by mutex() or atomic. True if ready.
  bool WaitUntil(int64_t monotonic_ns, const std::function<bool()>& ready);
  void Wake();

 private:
  void Listen();

  const int report_fd_;
  UniqueFd signals_;
  UniqueFd leaving_;  // an eventfd
  std::atomic<bool> stopped_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> lines_;
  std::thread thread_;
};

}  // namespace edgewise::mqtt

#endif  // EDGEWISE_MQTT_ROLE_CONTROL_H_

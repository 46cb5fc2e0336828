// ClockWatch: what is known of the clocks of other hosts, from questions that
// are asked and answered over the broker.
//
// Thread-safe.
#ifndef EDGEWISE_MQTT_CLOCK_WATCH_H_
#define EDGEWISE_MQTT_CLOCK_WATCH_H_

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "clocks/exchange.h"
#include "clocks/offset.h"

namespace edgewise::mqtt {

class ClockWatch {
 public:
  // `own` is this host, whose answers are none.
  ClockWatch(std::string name, uint64_t own)
      : name_(std::move(name)), own_(own) {}

  // The text of the next question, which leaves at this time of our clock.
  std::string Ask(int64_t now_ns);
  // An answer that arrived at that time. Anything else is ignored.
  void Answered(std::string_view text, int64_t at_ns);
  // Makes estimates anew of what was answered.
  void Estimate();

  // Null: none yet. Stays valid.
  const clocks::ClockEstimate* Of(uint64_t host) const;
  // When the next question should be asked: soon at first and while hosts have
  // no estimate yet, seldom where nobody else answers.
  int64_t PauseNs() const;

 private:
  // The last ones; more would not tell more.
  static constexpr size_t kMostExchanges = 240;

  const std::string name_;
  const uint64_t own_;
  mutable std::mutex mutex_;
  uint32_t asked_ = 0;
  std::map<uint64_t, std::vector<clocks::Exchange>> exchanges_;
  std::map<uint64_t, std::shared_ptr<const clocks::ClockEstimate>> estimates_;
  // Older ones, which somebody may still look at.
  std::vector<std::shared_ptr<const clocks::ClockEstimate>> kept_;
};

}  // namespace edgewise::mqtt

#endif  // EDGEWISE_MQTT_CLOCK_WATCH_H_

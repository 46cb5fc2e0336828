// Acknowledgements: which message an answer of the broker is for.
//
// Paho numbers messages from 1 to 65535 and tells the number only when the
// publish call returns; the answer may be there before. Lock-free, because
// answers come while Paho holds its own lock.
#ifndef EDGEWISE_MQTT_PAHO_ACKNOWLEDGEMENTS_H_
#define EDGEWISE_MQTT_PAHO_ACKNOWLEDGEMENTS_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

namespace edgewise::mqtt {

struct Answer {
  uint64_t cookie = 0;
  int64_t at_ns = 0;
  int reason = 0;  // of MQTT 5; below 128 is success
};

class Acknowledgements {
 public:
  // The publish call has returned this number. An answer if there was one.
  std::optional<Answer> Sent(int number, uint64_t cookie) {
    Slot& slot = slots_[Index(number)];
    const uint64_t before =
        slot.state.exchange(cookie + kFirst, std::memory_order_acq_rel);
    if (before != kEarly) {
      return std::nullopt;
    }
    slot.state.store(kEmpty, std::memory_order_release);
    return Answer{cookie, slot.at_ns, slot.reason};
  }

  // The broker has answered. The message's cookie is known unless Sent comes
  // later.
  std::optional<Answer> Answered(int number, int64_t at_ns, int reason) {
    Slot& slot = slots_[Index(number)];
    const uint64_t state = slot.state.load(std::memory_order_acquire);
    if (state >= kFirst) {
      slot.state.store(kEmpty, std::memory_order_release);
      return Answer{state - kFirst, at_ns, reason};
    }
    slot.at_ns = at_ns;
    slot.reason = reason;
    uint64_t expected = kEmpty;
    if (slot.state.compare_exchange_strong(expected, kEarly,
                                           std::memory_order_acq_rel)) {
      return std::nullopt;
    }
    if (expected < kFirst) {
      return std::nullopt;  // answered twice
    }
    slot.state.store(kEmpty, std::memory_order_release);
    return Answer{expected - kFirst, at_ns, reason};
  }

 private:
  static constexpr uint64_t kEmpty = 0;
  static constexpr uint64_t kEarly = 1;  // answered, not yet Sent
  static constexpr uint64_t kFirst = 2;  // cookie + kFirst: Sent, not answered
  static constexpr size_t kNumbers = 65536;
  static size_t Index(int number) {
    return static_cast<size_t>(number) % kNumbers;
  }

  struct Slot {
    std::atomic<uint64_t> state{kEmpty};
    int64_t at_ns = 0;
    int reason = 0;
  };
  std::vector<Slot> slots_ = std::vector<Slot>(kNumbers);
};

}  // namespace edgewise::mqtt

#endif  // EDGEWISE_MQTT_PAHO_ACKNOWLEDGEMENTS_H_

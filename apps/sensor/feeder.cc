#include "sensor/feeder.h"

#include <algorithm>

#include "base/clock.h"
#include "load/message_number.h"
#include "load/schedule.h"
#include "load/stop.h"

namespace edgewise::apps {
namespace {

// How soon the thread notices that it should end.
constexpr int64_t kNapNs = 100 * kNsPerMs;

}  // namespace

Feeder::Feeder(std::unique_ptr<Broker> broker, std::string topic,
               const LoadOptions& options)
    : broker_(std::move(broker)),
      topic_(std::move(topic)),
      options_(options),
      thread_([this] { Feed(); }) {}

Feeder::~Feeder() {
  leave_ = true;
  thread_.join();
}

void Feeder::Feed() {
  Schedule schedule(options_);
  const int64_t first_ns = MonotonicNs();
  for (int64_t index = 0; index != options_.items; ++index) {
    const int64_t intended_ns = first_ns + schedule.NextOffsetNs();
    while (!leave_ && !StopRequested() && MonotonicNs() < intended_ns) {
      SleepUntil(std::min(intended_ns, MonotonicNs() + kNapNs));
    }
    if (leave_ || StopRequested()) {
      return;
    }
    const uint64_t number = options_.seed + static_cast<uint64_t>(index);
    {
      const std::lock_guard lock(mutex_);
      intended_ns_[number] = intended_ns;
    }
    const auto published = broker_->Publish(topic_, std::to_string(number));
    if (!published) {
      const std::lock_guard lock(mutex_);
      error_ = published.error();
      return;
    }
  }
}

std::optional<int64_t> Feeder::IntendedNs(std::string_view payload) {
  const auto number = MessageNumber(payload);
  const std::lock_guard lock(mutex_);
  const auto found = number ? intended_ns_.find(*number) : intended_ns_.end();
  if (found == intended_ns_.end()) {
    return std::nullopt;
  }
  const int64_t intended_ns = found->second;
  intended_ns_.erase(found);
  return intended_ns;
}

std::optional<Error> Feeder::error() {
  const std::lock_guard lock(mutex_);
  return error_;
}

}  // namespace edgewise::apps

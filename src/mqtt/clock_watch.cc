#include "mqtt/clock_watch.h"

#include "base/clock.h"
#include "base/text.h"
#include "clocks/exchange_message.h"

namespace edgewise::mqtt {
namespace {

constexpr uint32_t kSoon = 10;  // questions
constexpr size_t kEnough = 4;   // answers, for a first estimate
constexpr size_t kMostHosts = 64;

}  // namespace

std::string ClockWatch::Ask(int64_t now_ns) {
  const std::lock_guard lock(mutex_);
  return clocks::FormatQuestion({name_, asked_++, now_ns});
}

void ClockWatch::Answered(std::string_view text, int64_t at_ns) {
  const auto answer = clocks::ParseAnswer(text);
  if (!answer || answer->question.from != name_) {
    return;
  }
  const auto host = ParseUint(answer->by);
  if (!host || *host == own_) {
    return;
  }
  const std::lock_guard lock(mutex_);
  if (exchanges_.size() >= kMostHosts && !exchanges_.contains(*host)) {
    return;
  }
  auto& all = exchanges_[*host];
  if (all.size() >= kMostExchanges) {
    all.erase(all.begin());
  }
  all.push_back(answer->Received(at_ns));
}

void ClockWatch::Estimate() {
  std::map<uint64_t, std::vector<clocks::Exchange>> exchanges;
  {
    const std::lock_guard lock(mutex_);
    exchanges = exchanges_;
  }
  for (const auto& [host, all] : exchanges) {
    if (all.size() < kEnough) {
      continue;
    }
    const auto estimate = clocks::Estimate(all);
    if (!estimate) {
      continue;
    }
    const std::lock_guard lock(mutex_);
    auto& current = estimates_[host];
    if (current != nullptr) {
      kept_.push_back(current);
    }
    current = std::make_shared<const clocks::ClockEstimate>(*estimate);
  }
}

const clocks::ClockEstimate* ClockWatch::Of(uint64_t host) const {
  const std::lock_guard lock(mutex_);
  const auto found = estimates_.find(host);
  return found != estimates_.end() ? found->second.get() : nullptr;
}

int64_t ClockWatch::PauseNs() const {
  const std::lock_guard lock(mutex_);
  if (asked_ < kSoon) {
    return 50 * kNsPerMs;
  }
  return exchanges_.empty() ? 2 * kNsPerSecond : kNsPerSecond / 2;
}

}  // namespace edgewise::mqtt

#include "datasets/retry.h"

#include <algorithm>
#include <thread>

#include "base/text.h"

namespace edgewise {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLongestPause{30'000};
constexpr milliseconds kLook{50};  // at whether to go on

}  // namespace

bool MayRecover(const fetch::Response& response) {
  switch (response.status) {
    case 408:
    case 425:
    case 429:
    case 500:
    case 502:
    case 503:
    case 504:
      return true;
    default:
      return false;
  }
}

bool MayRecover(const Error& error) {
  return error.code == ErrorCode::kIo || error.code == ErrorCode::kBusy;
}

bool Retries::Again(const fetch::Response* answer,
                    const std::function<bool()>& go_on) {
  if (++failures_ >= tries_) {
    return false;
  }
  milliseconds wait = pause_;
  pause_ = std::min(2 * pause_, kLongestPause);
  if (answer != nullptr) {
    if (const auto after = answer->Header("retry-after")) {
      const milliseconds asked{1000 * ParseInt(*after).value_or(0)};
      wait = std::clamp(asked, wait, std::max(wait, kLongestPause));
    }
  }
  const auto until = std::chrono::steady_clock::now() + wait;
  while (std::chrono::steady_clock::now() < until) {
    if (!go_on()) {
      return false;
    }
    std::this_thread::sleep_for(std::min(wait, kLook));
  }
  return true;
}

void Retries::Progressed() {
  failures_ = 0;
  pause_ = first_pause_;
}

}  // namespace edgewise

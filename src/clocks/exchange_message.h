// How the question and the answer of an exchange travel: small JSON objects
// (docs/formats/clock-exchange.md).
//
// The asker keeps nothing: the answer carries the question's time back.
#ifndef EDGEWISE_CLOCKS_EXCHANGE_MESSAGE_H_
#define EDGEWISE_CLOCKS_EXCHANGE_MESSAGE_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "clocks/exchange.h"

namespace edgewise::clocks {

// Names of askers and answerers: at most this many bytes of UTF-8, not empty.
inline constexpr size_t kMaxClockName = 128;

struct ClockQuestion {
  std::string from;  // who asks
  uint32_t sequence = 0;
  int64_t t0_ns = 0;
  bool operator==(const ClockQuestion&) const = default;
};

struct ClockAnswer {
  ClockQuestion question;
  std::string by;  // who answers
  int64_t t1_ns = 0;
  int64_t t2_ns = 0;

  Exchange Received(int64_t t3_ns) const {
    return {question.t0_ns, t1_ns, t2_ns, t3_ns};
  }
  bool operator==(const ClockAnswer&) const = default;
};

std::string FormatQuestion(const ClockQuestion& question);
std::string FormatAnswer(const ClockAnswer& answer);
// kInvalid for anything else, in one sentence. Unknown fields are ignored.
Result<ClockQuestion> ParseQuestion(std::string_view text);
Result<ClockAnswer> ParseAnswer(std::string_view text);

}  // namespace edgewise::clocks

#endif  // EDGEWISE_CLOCKS_EXCHANGE_MESSAGE_H_

// A message that names synthetic input.
#ifndef EDGEWISE_APPS_LOAD_MESSAGE_NUMBER_H_
#define EDGEWISE_APPS_LOAD_MESSAGE_NUMBER_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/text.h"

namespace edgewise::apps {

// The whole number that a message consists of; nullopt if it is data.
inline std::optional<uint64_t> MessageNumber(std::string_view message) {
  constexpr size_t kMostDigits = 20;
  const std::string_view text = Trim(message);
  return text.size() <= kMostDigits ? ParseUint(text) : std::nullopt;
}

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_LOAD_MESSAGE_NUMBER_H_

#include "prediction/device_names.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "base/nearest.h"

namespace edgewise {
namespace {

constexpr size_t kMostSimilar = 3;

// Words of letters and digits in lower case; anything else parts them.
std::vector<std::string> Words(std::string_view name) {
  std::vector<std::string> words(1);
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '+' || c == '.') {
      words.back() += static_cast<char>(std::tolower(byte));
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) {
    words.pop_back();
  }
  return words;
}

bool IsFiller(const std::string& word) {
  static const std::set<std::string> fillers = {
      "model", "nvidia",   "developer", "kit", "board",
      "the",   "rockchip", "r",         "tm",  "computer"};
  return fillers.contains(word);
}

}  // namespace

std::string DeviceKey(std::string_view name) {
  std::string key;
  for (const std::string& word : Words(name)) {
    // What follows is the revision of one and the same board.
    if (word == "rev" || word == "revision") {
      break;
    }
    if (!IsFiller(word)) {
      key += word == "plus" ? "+" : word;
    }
  }
  return key;
}

std::optional<std::string> MatchDevice(std::string_view name,
                                       const std::vector<std::string>& known) {
  const std::string key = DeviceKey(name);
  if (key.empty()) {
    return std::nullopt;
  }
  std::optional<std::string> match;
  for (const std::string& device : known) {
    if (device == name) {
      return device;
    }
    if (DeviceKey(device) == key) {
      if (match && *match != device) {
        return std::nullopt;
      }
      match = device;
    }
  }
  return match;
}

std::vector<std::string> SimilarDevices(std::string_view name,
                                        const std::vector<std::string>& known) {
  std::vector<std::pair<size_t, std::string>> scored;
  const std::vector<std::string> words = Words(name);
  for (const std::string& device : known) {
    const std::vector<std::string> others = Words(device);
    const auto shared = static_cast<size_t>(
        std::count_if(words.begin(), words.end(), [&](const auto& word) {
          return std::find(others.begin(), others.end(), word) != others.end();
        }));
    if (shared > 0) {
      scored.emplace_back(shared, device);
    }
  }
  std::stable_sort(
      scored.begin(), scored.end(),
      [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> similar;
  if (const auto near = Nearest(name, known)) {
    similar.push_back(*near);
  }
  for (const auto& [shared, device] : scored) {
    if (similar.size() < kMostSimilar &&
        std::find(similar.begin(), similar.end(), device) == similar.end()) {
      similar.push_back(device);
    }
  }
  return similar;
}

}  // namespace edgewise

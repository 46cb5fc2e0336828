#include "cards/nearest.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace edgewise {
namespace {

constexpr size_t kMostEdits = 2;

// Levenshtein's distance, one row at a time.
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::optional<std::string_view> NearestWord(
    std::string_view word, std::span<const std::string_view> known) {
  std::optional<std::string_view> nearest;
  size_t least = kMostEdits + 1;
  for (const std::string_view candidate : known) {
    // A cheap bound first: words may be of any length.
    if (word.size() > candidate.size() + kMostEdits) {
      continue;
    }
    const size_t distance = EditDistance(word, candidate);
    if (distance < least && 2 * distance < candidate.size()) {
      least = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

}  // namespace edgewise

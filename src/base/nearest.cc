#include "base/nearest.h"

#include <algorithm>
#include <numeric>

namespace edgewise {
namespace {

// Edits between two words: a letter inserted, left out or replaced, or two
// neighbours swapped (optimal string alignment).
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> before_last(b.size() + 1);
  std::vector<size_t> last(b.size() + 1);
  std::vector<size_t> row(b.size() + 1);
  std::iota(last.begin(), last.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replace, last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
    before_last.swap(last);
    last.swap(row);
  }
  return last.back();
}

}  // namespace

std::optional<std::string> Nearest(std::string_view word,
                                   const std::vector<std::string>& candidates) {
  std::optional<std::string> best;
  size_t best_distance = 0;
  for (const std::string& candidate : candidates) {
    const size_t shorter = std::min(word.size(), candidate.size());
    const size_t longer = std::max(word.size(), candidate.size());
    if ((longer - shorter) * 3 > longer) {
      continue;  // too different in length alone; saves comparing long texts
    }
    const size_t distance = EditDistance(word, candidate);
    if (!best || distance < best_distance) {
      best = candidate;
      best_distance = distance;
    }
  }
  if (best && best_distance * 3 > std::max(word.size(), best->size())) {
    return std::nullopt;
  }
  return best;
}

}  // namespace edgewise

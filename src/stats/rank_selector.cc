#include "stats/rank_selector.h"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace edgewise::stats {

double RankSelector::At(int64_t rank) {
  assert(rank >= 1 && rank <= size());
  const auto index = static_cast<size_t>(rank - 1);
  const auto above = placed_.lower_bound(index);
  if (above != placed_.end() && *above == index) return values_[index];
  const size_t begin = above == placed_.begin() ? 0 : *std::prev(above) + 1;
  const size_t end = above == placed_.end() ? values_.size() : *above;
  const auto at = [&](size_t i) {
    return values_.begin() + static_cast<std::ptrdiff_t>(i);
  };
  std::nth_element(at(begin), at(index), at(end));
  placed_.insert(above, index);
  return values_[index];
}

}  // namespace edgewise::stats

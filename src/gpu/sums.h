// Adding up the records of traces.
#ifndef EDGEWISE_GPU_SUMS_H_
#define EDGEWISE_GPU_SUMS_H_

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace edgewise::gpu {

// Traces come from outside: sums of what they claim stop at this.
inline constexpr int64_t kMostSum = int64_t{1} << 60;

inline void Grow(int64_t& sum, uint64_t by) {
  sum = by > static_cast<uint64_t>(kMostSum - sum)
            ? kMostSum
            : sum + static_cast<int64_t>(by);
}

template <typename Record>
int64_t LengthNs(const Record& record) {
  return static_cast<int64_t>(record.end_ns - record.start_ns);
}

// The values of `uses` under their keys, the longest first, at most `most`.
template <typename Use>
std::vector<Use> Longest(std::map<std::string, Use>& uses,
                         std::string Use::*name, size_t most) {
  std::vector<Use> sorted;
  for (auto& [key, use] : uses) {
    use.*name = key;
    sorted.push_back(std::move(use));
  }
  std::stable_sort(
      sorted.begin(), sorted.end(),
      [](const Use& a, const Use& b) { return a.total_ns > b.total_ns; });
  sorted.resize(std::min(sorted.size(), most));
  return sorted;
}

}  // namespace edgewise::gpu

#endif  // EDGEWISE_GPU_SUMS_H_

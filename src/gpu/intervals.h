// Arithmetic of stretches of time: their union and what two unions share.
#ifndef EDGEWISE_GPU_INTERVALS_H_
#define EDGEWISE_GPU_INTERVALS_H_

#include <cstdint>
#include <vector>

namespace edgewise::gpu {

struct Interval {
  uint64_t start_ns = 0;
  uint64_t end_ns = 0;  // not before the start
};

// Disjoint, ascending; touching ones are one.
std::vector<Interval> Union(std::vector<Interval> intervals);

uint64_t TotalNs(const std::vector<Interval>& disjoint);

// How long both are under way. Both disjoint and ascending.
uint64_t SharedNs(const std::vector<Interval>& a,
                  const std::vector<Interval>& b);

}  // namespace edgewise::gpu

#endif  // EDGEWISE_GPU_INTERVALS_H_

// A small seeded generator whose sequence is the same on every machine and
// with every standard library, so that a stored verdict can be reproduced.
//
// Not for secrets. Not thread-safe; each computation owns its generator.
#ifndef EDGEWISE_STATS_RANDOM_H_
#define EDGEWISE_STATS_RANDOM_H_

#include <cmath>
#include <cstdint>
#include <numbers>

namespace edgewise::stats {

// SplitMix64 (Steele, Lea and Flood 2014): one 64-bit word of state.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    state_ += 0x9E3779B97F4A7C15u;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }

  // Uniform on {0, ..., bound - 1} for 1 <= bound <= 2^32; the bias of
  // multiply-and-shift is below bound / 2^32.
  uint32_t Below(uint64_t bound) {
    return static_cast<uint32_t>(((Next() >> 32) * bound) >> 32);
  }

  // Uniform on the open interval (0, 1).
  double Uniform() {
    return (static_cast<double>(Next() >> 12) + 0.5) * 0x1p-52;
  }

  // Standard normal, by the cosine half of Box and Muller's transform (1958).
  double Normal() {
    const double radius = std::sqrt(-2 * std::log(Uniform()));
    return radius * std::cos(2 * std::numbers::pi * Uniform());
  }

 private:
  uint64_t state_;
};

}  // namespace edgewise::stats

#endif  // EDGEWISE_STATS_RANDOM_H_

// Arithmetic in 64-bit nanoseconds that never overflows unnoticed, and a limit
// on how long an analysis may think.
#ifndef EDGEWISE_SCHEDULING_CHECKED_H_
#define EDGEWISE_SCHEDULING_CHECKED_H_

#include <cstdint>
#include <numeric>
#include <optional>

#include "base/result.h"

namespace edgewise::scheduling {

// Products of two 64-bit numbers; ISO C++ has no such type.
__extension__ using Int128 = __int128;
__extension__ using Uint128 = unsigned __int128;

// A sum of products that remembers whether it left 64 bits; its value means
// nothing from then on.
class CheckedSum {
 public:
  explicit CheckedSum(int64_t start = 0) : sum_(start) {}

  void Add(int64_t value) {
    overflowed_ |= __builtin_add_overflow(sum_, value, &sum_);
  }
  void AddProduct(int64_t a, int64_t b) {
    int64_t product = 0;
    overflowed_ |= __builtin_mul_overflow(a, b, &product);
    Add(product);
  }
  bool overflowed() const { return overflowed_; }
  int64_t sum() const { return sum_; }

 private:
  int64_t sum_;
  bool overflowed_ = false;
};

// Both for a >= 0 and b > 0.
inline int64_t CeilDiv(int64_t a, int64_t b) { return a / b + (a % b != 0); }
// The same, also for a < 0.
inline int64_t FloorDiv(int64_t a, int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

// The least common multiple of positive numbers; nullopt beyond 2^61.
inline std::optional<int64_t> LeastCommonMultiple(int64_t a, int64_t b) {
  int64_t product = 0;
  if (__builtin_mul_overflow(a / std::gcd(a, b), b, &product) ||
      product > (int64_t{1} << 61)) {
    return std::nullopt;
  }
  return product;
}

// Steps that an analysis may still take; a step is about one division.
class Effort {
 public:
  explicit Effort(int64_t steps = kMostSteps) : left_(steps) {}
  // False when it is spent.
  bool Spend(int64_t steps) {
    left_ -= steps;
    return left_ >= 0;
  }

  // About a second or two.
  static constexpr int64_t kMostSteps = 200'000'000;

 private:
  int64_t left_;
};

// What an analysis answers when numbers leave 64 bits,
Error TooLarge();
// or when its effort is spent without an answer.
Error TooLong();

}  // namespace edgewise::scheduling

#endif  // EDGEWISE_SCHEDULING_CHECKED_H_

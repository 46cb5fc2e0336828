#include "scheduling/fractions.h"

#include <cstddef>

namespace edgewise::scheduling {

// Long division of all fractions at once, 64 bits a step. What is left of the
// sum after each step lies between 0 and the number of fractions, so most
// comparisons end after a step or two. A sum that differs from a whole number
// does so by at least one over the product of all denominators; that shows
// within one step more than there are fractions.
std::strong_ordering CompareSum(std::span<const Fraction> fractions,
                                int64_t whole) {
  struct Remainder {
    Uint128 left;
    Uint128 denominator;
  };
  std::vector<Remainder> remainders;
  remainders.reserve(fractions.size());
  Int128 missing = whole;  // to reach it, in units of the last digit
  for (const Fraction& fraction : fractions) {
    const Uint128 denominator = static_cast<Uint128>(fraction.denominator);
    missing -= static_cast<Int128>(fraction.numerator / denominator);
    const Uint128 left = fraction.numerator % denominator;
    if (left != 0) remainders.push_back({left, denominator});
  }
  const size_t steps = remainders.size() + 1;
  for (size_t step = 0; step <= steps; ++step) {
    if (remainders.empty()) return Int128{0} <=> missing;
    if (missing <= 0) return std::strong_ordering::greater;
    if (missing >= static_cast<Int128>(remainders.size())) {
      return std::strong_ordering::less;
    }
    missing <<= 64;
    for (Remainder& r : remainders) {
      const Uint128 scaled = r.left << 64;
      missing -= static_cast<Int128>(scaled / r.denominator);
      r.left = scaled % r.denominator;
    }
    std::erase_if(remainders, [](const Remainder& r) { return r.left == 0; });
  }
  return std::strong_ordering::equal;
}

std::vector<Fraction> UtilisationOf(std::span<const Task> tasks) {
  std::vector<Fraction> fractions;
  fractions.reserve(tasks.size() + 1);
  for (const Task& task : tasks) {
    fractions.push_back({static_cast<Uint128>(task.wcet_ns), task.period_ns});
  }
  return fractions;
}

}  // namespace edgewise::scheduling

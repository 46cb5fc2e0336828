// Sums of fractions compared with a whole number, exactly: whether a core is
// loaded to 100% or by one nanosecond in a year more is no matter of rounding.
#ifndef EDGEWISE_SCHEDULING_FRACTIONS_H_
#define EDGEWISE_SCHEDULING_FRACTIONS_H_

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "scheduling/checked.h"
#include "scheduling/task.h"

namespace edgewise::scheduling {

struct Fraction {
  Uint128 numerator = 0;    // below 2^100
  int64_t denominator = 1;  // above 0
};

// The sum against `whole`. No fractions add up to 0.
std::strong_ordering CompareSum(std::span<const Fraction> fractions,
                                int64_t whole);

// Execution time over period of each task; all times above 0.
std::vector<Fraction> UtilisationOf(std::span<const Task> tasks);

}  // namespace edgewise::scheduling

#endif  // EDGEWISE_SCHEDULING_FRACTIONS_H_

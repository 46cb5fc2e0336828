#include "symbols/registers.h"

#include <bit>

#include "stacks/spool.h"

namespace edgewise::symbols {

std::optional<Registers> Registers::FromSample(
    std::span<const uint64_t> sampled) {
  if (sampled.size() !=
      static_cast<size_t>(std::popcount(stacks::kSampledRegisters))) {
    return std::nullopt;
  }
  Registers registers;
#if defined(__aarch64__)
  for (size_t i = 0; i < kRegisters; ++i) {
    registers.Set(i, sampled[i]);
  }
#else
  // The kernel's order: ax bx cx dx si di bp sp ip flags cs ss r8..r15.
  constexpr std::array<size_t, 9> kNumbers = {0, 3, 2, 1, 4, 5, 6, 7, 16};
  for (size_t i = 0; i < kNumbers.size(); ++i) {
    registers.Set(kNumbers[i], sampled[i]);
  }
  for (size_t i = 0; i < 8; ++i) {
    registers.Set(8 + i, sampled[12 + i]);
  }
#endif
  return registers;
}

}  // namespace edgewise::symbols

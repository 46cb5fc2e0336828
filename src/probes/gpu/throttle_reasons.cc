#include "probes/gpu/throttle_reasons.h"

#include <bit>

namespace edgewise {
namespace {

struct Reason {
  uint64_t bit;
  const char* words;  // nullptr: no throttling
};
constexpr Reason kReasons[] = {
    {0x001, nullptr},  // idle
    {0x002, nullptr},  // clocks that a user set
    {0x004, "its power limit"},
    {0x008, "a hardware slowdown"},
    {0x010, "clocks held equal to those of another GPU"},
    {0x020, "heat (software limit)"},
    {0x040, "heat (hardware limit)"},
    {0x080, "the power supply's brake"},
    {0x100, nullptr},  // clocks for a display
};

}  // namespace

std::vector<std::string> ThrottleReasons(uint64_t bits) {
  std::vector<std::string> words;
  for (const Reason& reason : kReasons) {
    if ((bits & reason.bit) != 0 && reason.words != nullptr) {
      words.emplace_back(reason.words);
    }
    bits &= ~reason.bit;
  }
  while (bits != 0) {
    words.push_back("reason " + std::to_string(std::countr_zero(bits)) +
                    " of NVML");
    bits &= bits - 1;
  }
  return words;
}

}  // namespace edgewise

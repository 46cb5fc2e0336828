// Registers of a sampled thread by their DWARF numbers.
#ifndef EDGEWISE_SYMBOLS_REGISTERS_H_
#define EDGEWISE_SYMBOLS_REGISTERS_H_

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace edgewise::symbols {

#if defined(__aarch64__)
// x0 to x30, sp, and the program counter, which DWARF does not number.
inline constexpr size_t kRegisters = 33;
inline constexpr size_t kFramePointer = 29;
inline constexpr size_t kLinkRegister = 30;
inline constexpr size_t kStackPointer = 31;
inline constexpr size_t kProgramCounter = 32;
#else
// rax rdx rcx rbx rsi rdi rbp rsp r8..r15, and the return address.
inline constexpr size_t kRegisters = 17;
inline constexpr size_t kFramePointer = 6;
inline constexpr size_t kStackPointer = 7;
inline constexpr size_t kProgramCounter = 16;
#endif

class Registers {
 public:
  // From a sample's registers, in the order of stacks::kSampledRegisters;
  // nullopt unless all are there.
  static std::optional<Registers> FromSample(std::span<const uint64_t> sampled);

  std::optional<uint64_t> Get(size_t number) const {
    if (number >= kRegisters || (known_ >> number & 1) == 0) {
      return std::nullopt;
    }
    return values_[number];
  }
  // Numbers that are none of ours are ignored.
  void Set(size_t number, uint64_t value) {
    if (number < kRegisters) {
      values_[number] = value;
      known_ |= uint64_t{1} << number;
    }
  }
  void Forget(size_t number) {
    if (number < kRegisters) {
      known_ &= ~(uint64_t{1} << number);
    }
  }
  uint64_t stack_pointer() const { return values_[kStackPointer]; }
  uint64_t program_counter() const { return values_[kProgramCounter]; }

 private:
  std::array<uint64_t, kRegisters> values_{};
  uint64_t known_ = 0;
};

// A code address without the signature that aarch64 may keep in its upper
// bits.
inline uint64_t WithoutSignature(uint64_t pointer) {
#if defined(__aarch64__)
  return pointer & ((uint64_t{1} << 48) - 1);
#else
  return pointer;
#endif
}

}  // namespace edgewise::symbols

#endif  // EDGEWISE_SYMBOLS_REGISTERS_H_

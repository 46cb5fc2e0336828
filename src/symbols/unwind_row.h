// UnwindRow: how to get from one instruction of a function to its caller.
#ifndef EDGEWISE_SYMBOLS_UNWIND_ROW_H_
#define EDGEWISE_SYMBOLS_UNWIND_ROW_H_

#include <compare>
#include <cstdint>
#include <string_view>
#include <vector>

namespace edgewise::symbols {

// Where the caller's value of a register is, in the terms of DWARF.
struct UnwindRule {
  enum class Kind : uint8_t {
    kSame,          // it was not touched
    kUndefined,     // it is lost; for the return address: there is no caller
    kAtCfa,         // in memory at CFA + `offset`
    kCfaPlus,       // it is CFA + `offset`
    kRegister,      // it is register `base` + `offset`
    kAtExpression,  // in memory where `expression` says
    kExpression,    // it is what `expression` gives
  };

  Kind kind = Kind::kSame;
  uint16_t base = 0;
  int64_t offset = 0;
  std::string_view expression;  // points into the file it was read from

  auto operator<=>(const UnwindRule&) const = default;
};

struct UnwindRow {
  struct Saved {
    uint16_t number = 0;
    UnwindRule rule;
    auto operator<=>(const Saved&) const = default;
  };

  // The canonical frame address: the stack pointer as it was in the caller.
  // kRegister or kExpression.
  UnwindRule cfa;
  // The register that holds the return address once all rules are applied.
  uint16_t return_register = 0;
  // The caller was interrupted at its address and did not call.
  bool signal_frame = false;
  std::vector<Saved> registers;  // all others are the same

  auto operator<=>(const UnwindRow&) const = default;
};

}  // namespace edgewise::symbols

#endif  // EDGEWISE_SYMBOLS_UNWIND_ROW_H_

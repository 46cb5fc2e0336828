// DWARF expressions as unwind rows use them: PLT stubs, signal frames.
#ifndef EDGEWISE_SYMBOLS_EXPRESSION_H_
#define EDGEWISE_SYMBOLS_EXPRESSION_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "symbols/registers.h"
#include "symbols/stack_copy.h"

namespace edgewise::symbols {

// The value of `code`, with `first` on the stack before it starts (the CFA for
// rules of registers). nullopt if it needs what is not known, or does not end
// in good time.
std::optional<uint64_t> Evaluate(std::string_view code,
                                 const Registers& registers, StackCopy& memory,
                                 std::optional<uint64_t> first);

}  // namespace edgewise::symbols

#endif  // EDGEWISE_SYMBOLS_EXPRESSION_H_

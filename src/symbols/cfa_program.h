// CfaProgram: the byte code in which DWARF tells a function's unwind rows.
#ifndef EDGEWISE_SYMBOLS_CFA_PROGRAM_H_
#define EDGEWISE_SYMBOLS_CFA_PROGRAM_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "symbols/unwind_row.h"

namespace edgewise::symbols {

struct CfaProgram {
  std::string_view initial;       // of the CIE
  std::string_view instructions;  // of the FDE
  uint64_t code_alignment = 1;
  int64_t data_alignment = 1;
  uint64_t start_va = 0;
  uint16_t return_register = 0;
  bool signal_frame = false;

  // The row at `va`; nullopt if the program is not understood.
  std::optional<UnwindRow> RowAt(uint64_t va) const;
};

}  // namespace edgewise::symbols

#endif  // EDGEWISE_SYMBOLS_CFA_PROGRAM_H_

// UnwindTable: the unwind rows of one ELF file, from .eh_frame, or from
// .debug_frame where there is no .eh_frame.
#ifndef EDGEWISE_SYMBOLS_UNWIND_TABLE_H_
#define EDGEWISE_SYMBOLS_UNWIND_TABLE_H_

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "symbols/cfa_program.h"
#include "symbols/elf_file.h"
#include "symbols/unwind_row.h"

namespace edgewise::symbols {

class UnwindTable {
 public:
  // Reads where functions begin and end; `elf` must outlive the table and its
  // rows.
  explicit UnwindTable(const ElfFile& elf);

  // nullopt where the file says nothing about `va`, or nothing that makes
  // sense.
  std::optional<UnwindRow> RowAt(uint64_t va) const;
  // Where the function begins that `va` is in, as far as the table tells: also
  // of functions that have no name.
  std::optional<uint64_t> FunctionStart(uint64_t va) const;
  size_t functions() const { return functions_.size(); }

 private:
  struct Function {
    uint64_t start = 0;
    uint64_t end = 0;
    uint64_t record = 0;  // offset of its FDE
  };
  struct Cie {
    CfaProgram program;
    uint8_t address_encoding = 0;
    bool has_augmentation_data = false;
  };
  // A CIE or FDE as it lies in the section.
  struct Record {
    size_t start = 0;
    size_t body = 0;  // after the length and the id
    size_t end = 0;
    std::optional<size_t> cie;  // offset of its CIE; nullopt: it is one
  };

  const Function* FunctionAt(uint64_t va) const;
  std::optional<Record> RecordAt(size_t offset) const;
  std::optional<Cie> CieAt(size_t offset) const;
  // Start and length of the function of an FDE; `at` moves behind them.
  std::optional<Function> FunctionOf(const Record& record, const Cie& cie,
                                     size_t* at) const;
  void Index();

  std::string_view bytes_;
  uint64_t va_ = 0;  // of the section
  bool debug_frame_ = false;
  std::vector<Function> functions_;  // by start
};

}  // namespace edgewise::symbols

#endif  // EDGEWISE_SYMBOLS_UNWIND_TABLE_H_

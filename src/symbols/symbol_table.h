// SymbolTable: the functions of one ELF file by address.
#ifndef EDGEWISE_SYMBOLS_SYMBOL_TABLE_H_
#define EDGEWISE_SYMBOLS_SYMBOL_TABLE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "symbols/elf_file.h"

namespace edgewise::symbols {

class SymbolTable {
 public:
  // From `elf`'s .symtab, else that of its separate debug file (nullptr: there
  // is none), else .dynsym; and the stubs through which it calls other files.
  // Both must outlive the table.
  SymbolTable(const ElfFile& elf, const ElfFile* debug);

  // The mangled name of the function at `va`, "name@plt" for a stub; nullopt
  // if no symbol covers it.
  std::optional<std::string> NameAt(uint64_t va) const;
  size_t size() const { return symbols_.size(); }

 private:
  struct Symbol {
    uint64_t va = 0;
    uint64_t end = 0;
    uint32_t name = 0;
    uint8_t rank = 0;  // of several at one address the highest is shown
    bool stub = false;
  };

  // False if the file has no such section.
  bool Read(const ElfFile& elf, std::string_view section_name);
  void ReadStubs(const ElfFile& elf);
  void Arrange(const ElfFile& elf);

  std::vector<Symbol> symbols_;  // by va
  std::string_view names_;
  std::string_view stub_names_;
};

}  // namespace edgewise::symbols

#endif  // EDGEWISE_SYMBOLS_SYMBOL_TABLE_H_

// A program file: sections, unwind tables, symbols, source lines.
#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "symbols/elf_file.h"
#include "symbols/expression.h"
#include "symbols/registers.h"
#include "symbols/source_lines.h"
#include "symbols/stack_copy.h"
#include "symbols/symbol_table.h"
#include "symbols/unwind_table.h"

namespace {

namespace symbols = edgewise::symbols;

void Check(bool holds) {
  if (!holds) {
    std::abort();
  }
}

// Evaluates whatever the file wants evaluated.
void Follow(const symbols::UnwindRow& row) {
  symbols::Registers registers;
  for (size_t i = 0; i < symbols::kRegisters; ++i) {
    registers.Set(i, 0x1000 + i);
  }
  constexpr std::string_view kStack = "0123456789abcdef0123456789abcdef";
  symbols::StackCopy memory(0x1000, kStack);
  (void)symbols::Evaluate(row.cfa.expression, registers, memory, {});
  for (const symbols::UnwindRow::Saved& saved : row.registers) {
    Check(saved.number < symbols::kRegisters);
    (void)symbols::Evaluate(saved.rule.expression, registers, memory, 0x1000);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  auto elf = symbols::ElfFile::Read(edgewise::FileBytes(bytes), "input");
  if (!elf) {
    Check(!elf.error().message.empty());
    return 0;
  }
  (void)elf->debug_link();
  std::vector<uint64_t> places;
  for (const symbols::ElfSection& section : elf->sections()) {
    if ((section.flags & SHF_EXECINSTR) != 0 && places.size() < 64) {
      for (const uint64_t at : {0, 1, 16, 33, 64}) {
        places.push_back(section.va + at);
      }
    }
  }
  const symbols::UnwindTable unwind(*elf);
  const symbols::SymbolTable table(*elf, nullptr);
  symbols::SourceLines lines(*elf, "/nonexistent");
  for (const uint64_t va : places) {
    (void)elf->CodeVa(va);
    (void)elf->BytesAt(va);
    if (const auto row = unwind.RowAt(va)) {
      Follow(*row);
    }
    (void)table.NameAt(va);
    Check(lines.At(va).size() <= 65);
  }
  return 0;
}

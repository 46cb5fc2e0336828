#include "symbols/symbol_table.h"

#include <elf.h>

#include <algorithm>
#include <tuple>

#include "symbols/byte_cursor.h"

namespace edgewise::symbols {
namespace {

// How many symbols before an address are asked whether they cover it: small
// ones may lie inside a large one.
constexpr int kMaxLookBack = 16;

#if defined(__aarch64__)
constexpr uint64_t kStubHeaderBytes = 32;
#else
constexpr uint64_t kStubHeaderBytes = 16;
#endif
constexpr uint64_t kStubBytes = 16;

// The name people call a function by has fewest underscores before it: of the C
// library's `__GI___clone3`, `__clone3` and `clone3` the last.
unsigned Plainness(std::string_view name) {
  constexpr size_t kMost = 3;
  const size_t underscores = std::min(name.find_first_not_of('_'), kMost);
  return static_cast<unsigned>(kMost - underscores);
}

uint8_t RankOf(const Elf64_Sym& symbol, std::string_view name) {
  const unsigned char bind = ELF64_ST_BIND(symbol.st_info);
  const unsigned rank =
      (symbol.st_size != 0 ? 32U : 0U) +
      (ELF64_ST_TYPE(symbol.st_info) != STT_NOTYPE ? 16U : 0U) +
      (bind == STB_GLOBAL ? 8U
       : bind == STB_WEAK ? 4U
                          : 0U) +
      Plainness(name);
  return static_cast<uint8_t>(rank);
}

bool IsCode(const Elf64_Sym& symbol) {
  const unsigned char type = ELF64_ST_TYPE(symbol.st_info);
  return symbol.st_shndx != SHN_UNDEF &&
         (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE);
}

// Marks in the code of ARM programs ("$x", "$d.12") and of assemblers.
bool IsMark(std::string_view name) {
  return name.empty() || name.front() == '$' || name.starts_with(".L");
}

}  // namespace

SymbolTable::SymbolTable(const ElfFile& elf, const ElfFile* debug) {
  if (!Read(elf, ".symtab") && (debug == nullptr || !Read(*debug, ".symtab"))) {
    Read(elf, ".dynsym");
  }
  ReadStubs(elf);
  Arrange(elf);
}

bool SymbolTable::Read(const ElfFile& elf, std::string_view section_name) {
  const ElfSection* section = elf.FindSection(section_name);
  const ElfSection* text =
      section == nullptr ? nullptr : elf.SectionAt(section->link);
  if (text == nullptr) {
    return false;
  }
  names_ = elf.BytesOf(*text);
  ByteCursor cursor(elf.BytesOf(*section));
  bool any = false;
  while (!cursor.done()) {
    const auto symbol = cursor.Get<Elf64_Sym>();
    if (!cursor.ok() || !IsCode(symbol)) {
      continue;
    }
    // Data without a type must not name code.
    const ElfSection* home = elf.SectionAt(symbol.st_shndx);
    if (home != nullptr && (home->flags & SHF_EXECINSTR) == 0) {
      continue;
    }
    const std::string_view name = ByteCursor(names_, symbol.st_name).Text();
    if (IsMark(name)) {
      continue;
    }
    const uint64_t end = symbol.st_value + symbol.st_size;
    symbols_.push_back({symbol.st_value,
                        end < symbol.st_value ? symbol.st_value : end,
                        symbol.st_name, RankOf(symbol, name), false});
    any = true;
  }
  return any;
}

void SymbolTable::ReadStubs(const ElfFile& elf) {
  const ElfSection* relocations = elf.FindSection(".rela.plt");
  const ElfSection* symbols =
      relocations == nullptr ? nullptr : elf.SectionAt(relocations->link);
  const ElfSection* names =
      symbols == nullptr ? nullptr : elf.SectionAt(symbols->link);
  if (names == nullptr || !elf.is_native()) {
    return;
  }
  stub_names_ = elf.BytesOf(*names);
  const std::string_view table = elf.BytesOf(*symbols);
  const auto add = [&](std::string_view section_name, uint64_t header_bytes) {
    const ElfSection* stubs = elf.FindSection(section_name);
    if (stubs == nullptr) {
      return;
    }
    ByteCursor cursor(elf.BytesOf(*relocations));
    for (uint64_t at = header_bytes; at + kStubBytes <= stubs->size;
         at += kStubBytes) {
      const auto relocation = cursor.Get<Elf64_Rela>();
      if (!cursor.ok()) {
        return;
      }
      const uint64_t index = ELF64_R_SYM(relocation.r_info);
      ByteCursor entry(table, index * sizeof(Elf64_Sym));
      const auto symbol = entry.Get<Elf64_Sym>();
      if (entry.ok() && index != 0) {
        symbols_.push_back({stubs->va + at, stubs->va + at + kStubBytes,
                            symbol.st_name, 0, true});
      }
    }
  };
  add(".plt", kStubHeaderBytes);
  add(".plt.sec", 0);
}

void SymbolTable::Arrange(const ElfFile& elf) {
  std::sort(
      symbols_.begin(), symbols_.end(), [](const Symbol& a, const Symbol& b) {
        return std::tie(a.va, b.rank, a.name) < std::tie(b.va, a.rank, b.name);
      });
  symbols_.erase(std::unique(symbols_.begin(), symbols_.end(),
                             [](const Symbol& a, const Symbol& b) {
                               return a.va == b.va;
                             }),
                 symbols_.end());
  symbols_.shrink_to_fit();
  // Functions in assembler often state no size: they go on to the next one, or
  // to the end of their section.
  for (size_t i = 0; i < symbols_.size(); ++i) {
    Symbol& symbol = symbols_[i];
    if (symbol.end != symbol.va) {
      continue;
    }
    symbol.end = i + 1 < symbols_.size() ? symbols_[i + 1].va : UINT64_MAX;
    for (const ElfSection& section : elf.sections()) {
      if ((section.flags & SHF_EXECINSTR) != 0 && symbol.va >= section.va &&
          symbol.va - section.va < section.size) {
        symbol.end = std::min(symbol.end, section.va + section.size);
      }
    }
  }
}

std::optional<std::string> SymbolTable::NameAt(uint64_t va) const {
  auto next = std::upper_bound(
      symbols_.begin(), symbols_.end(), va,
      [](uint64_t value, const Symbol& s) { return value < s.va; });
  for (int i = 0; i < kMaxLookBack && next != symbols_.begin(); ++i) {
    --next;
    if (va < next->end) {
      const std::string_view names = next->stub ? stub_names_ : names_;
      std::string name(ByteCursor(names, next->name).Text());
      return next->stub ? name + "@plt" : name;
    }
  }
  return std::nullopt;
}

}  // namespace edgewise::symbols

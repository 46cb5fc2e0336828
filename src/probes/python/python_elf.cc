#include "probes/python/python_elf.h"

#include <elf.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <string_view>

namespace edgewise::python {
namespace {

// More is taken for rubbish.
constexpr size_t kMaxSections = 1024;
constexpr size_t kMaxSegments = 256;
constexpr uint64_t kMaxSymbolBytes = uint64_t{32} << 20;
constexpr uint64_t kMaxStringBytes = uint64_t{32} << 20;
constexpr uint64_t kMaxPageBytes = 65536;

static_assert(std::endian::native == std::endian::little);

template <typename T>
bool ReadArray(const ReadAt& read, uint64_t offset, size_t count,
               std::vector<T>* into) {
  into->resize(count);
  return read(offset, std::span(reinterpret_cast<char*>(into->data()),
                                count * sizeof(T)));
}

bool ReadStrings(const ReadAt& read, const Elf64_Shdr& section,
                 std::string* into) {
  if (section.sh_size == 0 || section.sh_size > kMaxStringBytes) {
    return false;
  }
  into->resize(section.sh_size);
  return read(section.sh_offset, *into);
}

std::string_view StringAt(const std::string& strings, uint64_t offset) {
  if (offset >= strings.size()) {
    return {};
  }
  const std::string_view rest = std::string_view(strings).substr(offset);
  return rest.substr(0, rest.find('\0'));
}

// Fills in what the table has of the symbols; true once the runtime is known.
bool TakeSymbols(const ReadAt& read, const std::vector<Elf64_Shdr>& sections,
                 uint32_t type, PythonElf* elf) {
  const auto table =
      std::find_if(sections.begin(), sections.end(),
                   [type](const Elf64_Shdr& s) { return s.sh_type == type; });
  std::string names;
  std::vector<Elf64_Sym> symbols;
  if (table == sections.end() || table->sh_link >= sections.size() ||
      table->sh_size > kMaxSymbolBytes ||
      !ReadStrings(read, sections[table->sh_link], &names) ||
      !ReadArray(read, table->sh_offset, table->sh_size / sizeof(Elf64_Sym),
                 &symbols)) {
    return false;
  }
  bool found = false;
  for (const Elf64_Sym& symbol : symbols) {
    if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT ||
        symbol.st_shndx == SHN_UNDEF) {
      continue;
    }
    const std::string_view name = StringAt(names, symbol.st_name);
    if (name == "_PyRuntime") {
      elf->runtime = symbol.st_value;
      found = true;
    } else if (name == "PyCode_Type") {
      elf->code_type = symbol.st_value;
    } else if (name == "Py_Version") {
      elf->version = symbol.st_value;
    }
  }
  return found;
}

}  // namespace

std::optional<uint64_t> PythonElf::Bias(uint64_t mapped_at,
                                        uint64_t file_offset) const {
  for (const Load& load : loads) {
    // A mapping begins at the page that holds the segment's first byte.
    if (load.file_offset >= file_offset &&
        load.file_offset - file_offset < kMaxPageBytes) {
      return mapped_at + (load.file_offset - file_offset) - load.address;
    }
  }
  return std::nullopt;
}

ReadAt FileReader(int fd) {
  return [fd](uint64_t offset, std::span<char> into) {
    while (!into.empty()) {
      const ssize_t bytes =
          pread(fd, into.data(), into.size(), static_cast<off_t>(offset));
      if (bytes <= 0) {
        return false;
      }
      into = into.subspan(static_cast<size_t>(bytes));
      offset += static_cast<uint64_t>(bytes);
    }
    return true;
  };
}

std::optional<PythonElf> ReadPythonElf(const ReadAt& read, bool only_marked) {
  Elf64_Ehdr header{};
  if (!read(0, std::span(reinterpret_cast<char*>(&header), sizeof header)) ||
      std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB ||
      header.e_shentsize != sizeof(Elf64_Shdr) ||
      header.e_phentsize != sizeof(Elf64_Phdr) ||
      header.e_shnum > kMaxSections || header.e_phnum > kMaxSegments) {
    return std::nullopt;
  }
  std::vector<Elf64_Shdr> sections;
  std::vector<Elf64_Phdr> segments;
  std::string section_names;
  if (!ReadArray(read, header.e_shoff, header.e_shnum, &sections) ||
      !ReadArray(read, header.e_phoff, header.e_phnum, &segments) ||
      header.e_shstrndx >= sections.size() ||
      !ReadStrings(read, sections[header.e_shstrndx], &section_names)) {
    return std::nullopt;
  }
  const auto marked = std::find_if(
      sections.begin(), sections.end(), [&section_names](const Elf64_Shdr& s) {
        return StringAt(section_names, s.sh_name) == ".PyRuntime";
      });
  if (only_marked && marked == sections.end()) {
    return std::nullopt;
  }
  PythonElf elf;
  for (const Elf64_Phdr& segment : segments) {
    if (segment.p_type == PT_LOAD) {
      elf.loads.push_back({segment.p_offset, segment.p_vaddr});
    }
  }
  if (!TakeSymbols(read, sections, SHT_DYNSYM, &elf) &&
      !TakeSymbols(read, sections, SHT_SYMTAB, &elf)) {
    if (marked == sections.end()) {
      return std::nullopt;
    }
    elf.runtime = marked->sh_addr;
  }
  return elf;
}

}  // namespace edgewise::python

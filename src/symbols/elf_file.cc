#include "symbols/elf_file.h"

#include <elf.h>
#include <sys/auxv.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "base/text.h"
#include "symbols/byte_cursor.h"

namespace edgewise::symbols {
namespace {

// Segments are mapped in whole pages; the largest page in use on aarch64.
constexpr uint64_t kLargestPageBytes = 65536;

constexpr unsigned char kHostOrder =
    std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;

}  // namespace

Result<ElfFile> ElfFile::Read(FileBytes bytes, std::string_view name) {
  const Error not_elf{ErrorCode::kInvalid,
                      std::string(name) + " is not a 64-bit ELF file."};
  ElfFile elf(std::move(bytes));
  ByteCursor cursor(elf.bytes());
  const auto header = cursor.Get<Elf64_Ehdr>();
  if (!cursor.ok() || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != kHostOrder) {
    return not_elf;
  }
  elf.machine_ = header.e_machine;
  if (header.e_phentsize == sizeof(Elf64_Phdr)) {
    ByteCursor table(elf.bytes(), header.e_phoff);
    for (size_t i = 0; i < header.e_phnum; ++i) {
      const auto raw = table.Get<Elf64_Phdr>();
      if (!table.ok()) {
        break;
      }
      elf.segments_.push_back(
          {raw.p_type, raw.p_flags, raw.p_offset, raw.p_vaddr, raw.p_filesz});
    }
  }
  if (header.e_shentsize == sizeof(Elf64_Shdr) && header.e_shoff != 0) {
    size_t count = header.e_shnum;
    size_t names_index = header.e_shstrndx;
    // Files with very many sections state both in the first one.
    ByteCursor first(elf.bytes(), header.e_shoff);
    const auto zeroth = first.Get<Elf64_Shdr>();
    if (count == 0 && first.ok()) {
      count = zeroth.sh_size;
    }
    if (names_index == SHN_XINDEX && first.ok()) {
      names_index = zeroth.sh_link;
    }
    elf.ReadSections(header.e_shoff, count, names_index);
  }
  elf.FindBuildId();
  return elf;
}

void ElfFile::ReadSections(uint64_t offset, size_t count, size_t names_index) {
  ByteCursor table(bytes(), offset);
  std::vector<uint32_t> names;
  for (size_t i = 0; i < count; ++i) {
    const auto raw = table.Get<Elf64_Shdr>();
    if (!table.ok()) {
      break;
    }
    names.push_back(raw.sh_name);
    sections_.push_back({{},
                         raw.sh_type,
                         raw.sh_flags,
                         raw.sh_addr,
                         raw.sh_offset,
                         raw.sh_size,
                         raw.sh_link});
  }
  const ElfSection* name_section = SectionAt(names_index);
  if (name_section == nullptr) {
    return;
  }
  const std::string_view text = BytesOf(*name_section);
  for (size_t i = 0; i < names.size(); ++i) {
    sections_[i].name = ByteCursor(text, names[i]).Text();
  }
}

std::optional<ElfFile> ElfFile::OwnVdso() {
  const uint64_t start = ::getauxval(AT_SYSINFO_EHDR);
  const std::optional<std::string> maps = TryReadFile("/proc/self/maps");
  if (start == 0 || !maps) {
    return std::nullopt;
  }
  for (const std::string_view line : Split(*maps, '\n')) {
    if (!line.ends_with("[vdso]")) {
      continue;
    }
    const std::string range(line.substr(0, line.find(' ')));
    char* dash = nullptr;
    const uint64_t from = std::strtoull(range.c_str(), &dash, 16);
    const uint64_t to = *dash == '-' ? std::strtoull(dash + 1, nullptr, 16) : 0;
    if (from != start || to <= from) {
      return std::nullopt;
    }
    // NOLINTNEXTLINE(performance-no-int-to-ptr): it is an address.
    const auto* image = reinterpret_cast<const char*>(start);
    Result<ElfFile> elf =
        Read(FileBytes(std::string_view(image, to - from)), "[vdso]");
    if (!elf) {
      return std::nullopt;
    }
    return std::move(*elf);
  }
  return std::nullopt;
}

const ElfSection* ElfFile::FindSection(std::string_view name) const {
  const auto found =
      std::find_if(sections_.begin(), sections_.end(),
                   [&](const ElfSection& s) { return s.name == name; });
  return found == sections_.end() ? nullptr : &*found;
}

const ElfSection* ElfFile::SectionAt(size_t index) const {
  return index < sections_.size() ? &sections_[index] : nullptr;
}

std::string_view ElfFile::BytesOf(const ElfSection& section) const {
  if (section.type == SHT_NOBITS || (section.flags & SHF_COMPRESSED) != 0) {
    return {};
  }
  ByteCursor cursor(bytes(), section.offset);
  return cursor.Take(section.size);
}

std::string_view ElfFile::BytesAt(uint64_t va) const {
  for (const ElfSegment& segment : segments_) {
    if (segment.type == PT_LOAD && va >= segment.va &&
        va - segment.va < segment.file_bytes) {
      // The file may be shorter than it says.
      const uint64_t start = std::min(segment.offset, bytes().size());
      const std::string_view all = bytes().substr(start, segment.file_bytes);
      return all.substr(std::min(va - segment.va, all.size()));
    }
  }
  return {};
}

std::optional<uint64_t> ElfFile::CodeVa(uint64_t file_offset) const {
  const ElfSegment* nearest = nullptr;
  for (const ElfSegment& segment : segments_) {
    if (segment.type != PT_LOAD || (segment.flags & PF_X) == 0) {
      continue;
    }
    if (file_offset >= segment.offset &&
        file_offset - segment.offset < segment.file_bytes) {
      return file_offset - segment.offset + segment.va;
    }
    // Before or after it in the pages that it touches.
    const uint64_t distance =
        file_offset < segment.offset
            ? segment.offset - file_offset
            : file_offset - segment.offset - segment.file_bytes;
    if (distance < kLargestPageBytes) {
      nearest = &segment;
    }
  }
  if (nearest == nullptr) {
    return std::nullopt;
  }
  return file_offset - nearest->offset + nearest->va;
}

bool ElfFile::is_native() const {
#if defined(__aarch64__)
  return machine_ == EM_AARCH64;
#else
  return machine_ == EM_X86_64;
#endif
}

void ElfFile::FindBuildId() {
  const auto search = [&](std::string_view notes) {
    ByteCursor cursor(notes);
    while (!cursor.done()) {
      const auto note = cursor.Get<Elf64_Nhdr>();
      const auto padded = [](uint32_t size) {
        return (size_t{size} + 3) & ~size_t{3};
      };
      const std::string_view owner = cursor.Take(padded(note.n_namesz));
      const std::string_view content = cursor.Take(note.n_descsz);
      if (cursor.ok() && note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
          owner == std::string_view("GNU\0", 4)) {
        build_id_ = content;
        return;
      }
      (void)cursor.Take(std::min(padded(note.n_descsz) - note.n_descsz,
                                 cursor.ok() ? notes.size() - cursor.at() : 0));
    }
  };
  for (const ElfSection& section : sections_) {
    if (section.type == SHT_NOTE && build_id_.empty()) {
      search(BytesOf(section));
    }
  }
  for (const ElfSegment& segment : segments_) {
    if (segment.type == PT_NOTE && build_id_.empty()) {
      ByteCursor cursor(bytes(), segment.offset);
      search(cursor.Take(segment.file_bytes));
    }
  }
}

std::optional<ElfFile::DebugLink> ElfFile::debug_link() const {
  const ElfSection* section = FindSection(".gnu_debuglink");
  if (section == nullptr) {
    return std::nullopt;
  }
  const std::string_view content = BytesOf(*section);
  ByteCursor cursor(content);
  DebugLink link;
  link.name = cursor.Text();
  (void)cursor.Take((4 - cursor.at() % 4) % 4);
  link.crc = cursor.Get<uint32_t>();
  if (!cursor.ok() || link.name.empty() ||
      link.name.find('/') != std::string_view::npos) {
    return std::nullopt;
  }
  return link;
}

}  // namespace edgewise::symbols

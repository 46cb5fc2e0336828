// ElfFile: sections and segments of a 64-bit ELF file of this machine's byte
// order, read with every bound checked.
//
// "va" is an address as the file itself states it, before the loader moved it.
#ifndef EDGEWISE_SYMBOLS_ELF_FILE_H_
#define EDGEWISE_SYMBOLS_ELF_FILE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_bytes.h"
#include "base/result.h"

namespace edgewise::symbols {

struct ElfSection {
  std::string_view name;
  uint32_t type = 0;
  uint64_t flags = 0;
  uint64_t va = 0;
  uint64_t offset = 0;
  uint64_t size = 0;
  uint32_t link = 0;
};

struct ElfSegment {
  uint32_t type = 0;
  uint32_t flags = 0;
  uint64_t offset = 0;
  uint64_t va = 0;
  uint64_t file_bytes = 0;
};

class ElfFile {
 public:
  // `name` is for the error.
  static Result<ElfFile> Read(FileBytes bytes, std::string_view name);
  // The code that the kernel maps into every process; nullopt if it maps none.
  static std::optional<ElfFile> OwnVdso();

  // The first section of that name.
  const ElfSection* FindSection(std::string_view name) const;
  const ElfSection* SectionAt(size_t index) const;
  // What the file holds of it: nothing if it lies beyond the end, occupies no
  // space or is compressed.
  std::string_view BytesOf(const ElfSection& section) const;
  // From `va` to the end of what the file has of its segment.
  std::string_view BytesAt(uint64_t va) const;
  const std::vector<ElfSection>& sections() const { return sections_; }
  const std::vector<ElfSegment>& segments() const { return segments_; }

  // The va of a byte of the file that was mapped to be executed.
  std::optional<uint64_t> CodeVa(uint64_t file_offset) const;
  // Code of this machine's architecture.
  bool is_native() const;
  // Raw bytes of the build id; empty if it has none.
  std::string_view build_id() const { return build_id_; }
  // Name and CRC of the separate debug file that it asks for.
  struct DebugLink {
    std::string_view name;
    uint32_t crc = 0;
  };
  std::optional<DebugLink> debug_link() const;

  std::string_view bytes() const { return bytes_.view(); }

 private:
  explicit ElfFile(FileBytes bytes) : bytes_(std::move(bytes)) {}
  void ReadSections(uint64_t offset, size_t count, size_t names_index);
  void FindBuildId();

  FileBytes bytes_;
  uint16_t machine_ = 0;
  std::vector<ElfSection> sections_;
  std::vector<ElfSegment> segments_;
  std::string_view build_id_;
};

}  // namespace edgewise::symbols

#endif  // EDGEWISE_SYMBOLS_ELF_FILE_H_

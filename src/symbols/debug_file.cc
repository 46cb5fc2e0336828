#include "symbols/debug_file.h"

#include <fcntl.h>
#include <zlib.h>

#include <string>
#include <utility>

#include "base/unique_fd.h"

namespace edgewise::symbols {
namespace {

std::optional<ElfFile> Open(const std::filesystem::path& path) {
  const UniqueFd fd(
      ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!fd.valid()) {
    return std::nullopt;
  }
  Result<FileBytes> bytes = FileBytes::Map(fd.get(), path.string());
  if (!bytes) {
    return std::nullopt;
  }
  Result<ElfFile> elf = ElfFile::Read(std::move(*bytes), path.string());
  if (!elf) {
    return std::nullopt;
  }
  return std::move(*elf);
}

uint32_t Crc(std::string_view bytes) {
  return static_cast<uint32_t>(
      ::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace

std::optional<ElfFile> FindByBuildId(std::string_view build_id,
                                     const std::filesystem::path& debug_root) {
  if (build_id.size() < 2) {
    return std::nullopt;
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (const char c : build_id) {
    const auto byte = static_cast<unsigned char>(c);
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  std::optional<ElfFile> found = Open(
      debug_root / ".build-id" / hex.substr(0, 2) / (hex.substr(2) + ".debug"));
  if (found && found->build_id() != build_id) {
    return std::nullopt;
  }
  return found;
}

std::optional<ElfFile> FindDebugFile(const ElfFile& elf,
                                     const std::filesystem::path& path,
                                     const std::filesystem::path& debug_root) {
  if (auto found = FindByBuildId(elf.build_id(), debug_root)) {
    return found;
  }
  const std::optional<ElfFile::DebugLink> link = elf.debug_link();
  if (!link || !path.is_absolute()) {
    return std::nullopt;
  }
  const std::filesystem::path folder = path.parent_path();
  for (const std::filesystem::path& candidate :
       {folder / link->name, folder / ".debug" / link->name,
        debug_root / folder.relative_path() / link->name}) {
    std::optional<ElfFile> found = Open(candidate);
    if (found &&
        (elf.build_id().empty() ? Crc(found->bytes()) == link->crc
                                : found->build_id() == elf.build_id())) {
      return found;
    }
  }
  return std::nullopt;
}

}  // namespace edgewise::symbols

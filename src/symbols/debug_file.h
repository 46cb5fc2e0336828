// Finds the separate file that has an ELF file's debug information.
#ifndef EDGEWISE_SYMBOLS_DEBUG_FILE_H_
#define EDGEWISE_SYMBOLS_DEBUG_FILE_H_

#include <filesystem>
#include <optional>
#include <string_view>

#include "symbols/elf_file.h"

namespace edgewise::symbols {

// By build id under `debug_root` (/usr/lib/debug), else by the name the file
// asks for: beside it, in its .debug folder, or under `debug_root`. Only a file
// that has the same build id (the stated checksum if there is no build id) is
// taken.
std::optional<ElfFile> FindDebugFile(const ElfFile& elf,
                                     const std::filesystem::path& path,
                                     const std::filesystem::path& debug_root);

// The file with that build id under `debug_root`.
std::optional<ElfFile> FindByBuildId(std::string_view build_id,
                                     const std::filesystem::path& debug_root);

}  // namespace edgewise::symbols

#endif  // EDGEWISE_SYMBOLS_DEBUG_FILE_H_

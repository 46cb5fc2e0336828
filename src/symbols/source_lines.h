// SourceLines: source lines and inlined functions of one ELF file, from its
// DWARF (libdw).
#ifndef EDGEWISE_SYMBOLS_SOURCE_LINES_H_
#define EDGEWISE_SYMBOLS_SOURCE_LINES_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "symbols/elf_file.h"

namespace edgewise::symbols {

// A function that is at an address: the one whose code it is, or one that was
// inlined there.
struct SourceFrame {
  std::string function;  // demangled; empty if not known
  std::string file;      // empty if not known
  int line = 0;          // 0: not known
  int first_line = 0;    // 0: not known
};

// Not thread-safe. What a file costs in time and memory is bounded, however it
// was made; a file that exceeds the bounds has no lines from then on.
class SourceLines {
 public:
  // `elf` must outlive this. `debug_root` is where shared parts of debug files
  // are (.gnu_debugaltlink).
  SourceLines(const ElfFile& elf, const std::filesystem::path& debug_root);
  ~SourceLines();
  SourceLines(const SourceLines&) = delete;
  SourceLines& operator=(const SourceLines&) = delete;

  // Outermost first; the first is the function whose code is at `va`, the
  // others were inlined into each other. Empty if nothing is known.
  std::vector<SourceFrame> At(uint64_t va);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace edgewise::symbols

#endif  // EDGEWISE_SYMBOLS_SOURCE_LINES_H_

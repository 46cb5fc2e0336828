// CodeFile: what is known about one file that was mapped to be executed.
//
// Everything is read when it is first asked for, and kept: what an address
// means is worked out once, however many samples pass it.
#ifndef EDGEWISE_SYMBOLS_CODE_FILE_H_
#define EDGEWISE_SYMBOLS_CODE_FILE_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "stacks/spool.h"
#include "symbols/elf_file.h"
#include "symbols/source_lines.h"
#include "symbols/symbol_table.h"
#include "symbols/unwind_row.h"
#include "symbols/unwind_table.h"

namespace edgewise::symbols {

// An address of a CodeFile.
struct CodePlace {
  const UnwindRow* row = nullptr;  // nullptr: the file has no rule for it
  // The kernel's way back from signal handlers: what was interrupted is told
  // by what the kernel put on the stack.
  bool signal_return = false;
  // The frames shown for it, for FrameNamer; -1: not worked out.
  int32_t frames = -1;
};

class CodeFile {
 public:
  enum class Kind {
    kElf,
    kAnonymous,  // memory that a program filled with code itself
    kMissing,    // a file that could not be had; problem() says why
  };

  // `fd` is borrowed; nullopt: open it by its path.
  CodeFile(const stacks::SpooledFile& file, std::optional<int> fd,
           std::filesystem::path debug_root);

  Kind kind() const { return kind_; }
  const std::string& path() const { return path_; }
  // The last part of the path.
  std::string base_name() const;
  // A clause for people; empty unless kMissing.
  const std::string& problem() const { return problem_; }
  // It is the program that runs Python programs, or its library.
  bool is_python() const { return is_python_; }

  // The va of a byte of the file; nullopt if no code is there.
  std::optional<uint64_t> VaOf(uint64_t file_offset) const;
  // What is known at `va`; valid as long as this.
  CodePlace& PlaceAt(uint64_t va);

  // Where the function begins that `va` is in; `va` itself if that is not
  // known. Call PlaceAt first.
  uint64_t FunctionStart(uint64_t va) const;
  // Outermost first; the first is the function whose code is at `va`, the
  // others were inlined. Empty if it has no name.
  std::vector<SourceFrame> FramesAt(uint64_t va);

 private:
  bool IsSignalReturn(uint64_t va) const;
  void Open(const stacks::SpooledFile& file, std::optional<int> fd);
  void ReadNames();

  std::string path_;
  Kind kind_ = Kind::kMissing;
  std::string problem_;
  bool is_python_ = false;
  std::filesystem::path debug_root_;
  std::optional<ElfFile> elf_;
  std::optional<ElfFile> debug_;  // separate debug information
  std::unique_ptr<UnwindTable> unwind_;
  std::unique_ptr<SymbolTable> symbols_;
  std::unique_ptr<SourceLines> lines_;
  std::set<UnwindRow> rows_;  // few differ
  std::unordered_map<uint64_t, CodePlace> places_;
};

}  // namespace edgewise::symbols

#endif  // EDGEWISE_SYMBOLS_CODE_FILE_H_

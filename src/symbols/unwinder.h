// Unwinder: from a sample's registers and copied stack to the addresses it
// was called through.
#ifndef EDGEWISE_SYMBOLS_UNWINDER_H_
#define EDGEWISE_SYMBOLS_UNWINDER_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "symbols/code_file.h"
#include "symbols/code_files.h"
#include "symbols/process_table.h"
#include "symbols/registers.h"

namespace edgewise::symbols {

// One function call that was under way.
struct CodeAddress {
  // As it runs; for callers inside the call instruction, so that it belongs to
  // the line of the call.
  uint64_t address = 0;
  CodeFile* file = nullptr;  // nullptr: nothing is mapped there
  uint64_t va = 0;
  CodePlace* place = nullptr;  // nullptr where `file` has no code there
};

enum class UnwindEnd {
  kRoot,       // the outermost function was reached
  kTruncated,  // the stack goes on beyond what was copied
  kBroken,     // there is no rule for the last address, or it makes no sense
};

class Unwinder {
 public:
  // `files` must outlive this.
  Unwinder(CodeFiles& files, size_t max_frames)
      : files_(files), max_frames_(max_frames) {}

  // Addresses, innermost first, until the next call.
  const std::vector<CodeAddress>& addresses() const { return addresses_; }
  UnwindEnd Unwind(const AddressSpace& space, const Registers& registers,
                   std::string_view stack);

  // What is at `address`.
  CodeAddress Locate(const AddressSpace& space, uint64_t address);

 private:
  CodeFiles& files_;
  size_t max_frames_;
  std::vector<CodeAddress> addresses_;
};

}  // namespace edgewise::symbols

#endif  // EDGEWISE_SYMBOLS_UNWINDER_H_

// The room symbols: from raw samples to named call stacks.
//
// Knows ELF files, DWARF, perf maps and the kernel's symbols, and how to unwind
// a copied stack with them. Knows nothing of how samples were collected, and
// nothing of how profiles are stored or shown.
#ifndef EDGEWISE_SYMBOLS_FOLD_SPOOL_H_
#define EDGEWISE_SYMBOLS_FOLD_SPOOL_H_

#include <cstdint>
#include <filesystem>
#include <map>

#include "base/result.h"
#include "stacks/profile.h"
#include "stacks/spool.h"

namespace edgewise::symbols {

struct FoldOptions {
  // Descriptors by SpooledFile::id, borrowed; files that are not here are
  // opened by their paths.
  std::map<uint32_t, int> open_files;
  // Where kallsyms is.
  std::filesystem::path proc_root = "/proc";
  // Where separate debug files are.
  std::filesystem::path debug_root = "/usr/lib/debug";
  // Functions of one stack; the outermost beyond that are cut off.
  size_t max_frames = 512;
  // Only every so manieth sample, from which on: several processes can share
  // the work, and stacks::MergedProfile has it all.
  size_t parts = 1;
  size_t part = 0;
};

// Unwinds and names every sample of a spool. Fills of the Collection: samples,
// lost, truncated, broken, reached_root, python_missed, unwind_s and notes; the
// rest is the caller's.
//
// Files are read as they are, checked at every step, except for source lines,
// which libdw reads: for files of strangers use FoldSpoolInChild.
Result<stacks::StackProfile> FoldSpool(stacks::SpoolReader& spool,
                                       const FoldOptions& options);

}  // namespace edgewise::symbols

#endif  // EDGEWISE_SYMBOLS_FOLD_SPOOL_H_

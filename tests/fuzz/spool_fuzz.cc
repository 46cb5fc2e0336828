// A spool of raw samples: read, unwound, named.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "stacks/spool.h"
#include "symbols/fold_spool.h"

namespace {

void Check(bool holds) {
  if (!holds) {
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string bytes =
      edgewise::stacks::SpoolHeader() +
      std::string(reinterpret_cast<const char*>(data), size);
  edgewise::stacks::SpoolReader reader(bytes);
  edgewise::symbols::FoldOptions options;
  options.proc_root = "/nonexistent";
  options.debug_root = "/nonexistent";
  options.max_frames = 64;
  const auto profile = edgewise::symbols::FoldSpool(reader, options);
  Check(profile.ok() && profile->Valid());
  Check(profile->collection.notes.size() <= 20);
  return 0;
}

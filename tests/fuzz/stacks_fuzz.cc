// Stacks that others wrote: perf script text, collapsed stacks, and the stored
// form. Any bytes give a valid profile or an error; what is written reads back.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/byte_code.h"
#include "stacks/collapsed.h"
#include "stacks/compress.h"
#include "stacks/difference.h"
#include "stacks/encode.h"
#include "stacks/functions.h"
#include "stacks/perf_script.h"

namespace {

using namespace edgewise::stacks;  // NOLINT: a test program of one file

void Require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

std::string Written(const StackProfile& profile) {
  std::string text;
  WriteCollapsed(profile, {}, [&](std::string_view line) { text += line; });
  return text;
}

void Check(const edgewise::Result<StackProfile>& read) {
  if (!read) {
    return;
  }
  Require(read->Valid());
  for (const FunctionUse& use : RankFunctions(*read)) {
    Require(use.self <= use.total && use.total <= read->total());
  }
  (void)CompareFunctions(*read, *read);
  (void)MakeDiffTree(*read, *read, true);
  const auto decoded = Decode(Encode(*read));
  Require(decoded.ok() && Written(*decoded) == Written(*read));
}

// In two pieces, so that a line may lie across their border.
template <typename Reader>
edgewise::Result<StackProfile> ReadWith(Reader reader, std::string_view text) {
  reader.Feed(text.substr(0, text.size() / 2));
  reader.Feed(text.substr(text.size() / 2));
  return reader.Finish();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) {
    return 0;
  }
  const uint8_t choice = data[0];
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1,
                               size - 1);
  switch (choice % 3) {
    case 0: {
      PerfScriptOptions options;
      options.tid = (choice & 4) != 0;
      options.kernel_marks = (choice & 8) != 0;
      options.jit_marks = (choice & 16) != 0;
      options.addresses = (choice & 32) != 0;
      Check(ReadWith(PerfScriptReader(options), bytes));
      break;
    }
    case 1: {
      CollapsedReadOptions options;
      options.process_first = (choice & 4) != 0;
      Check(ReadWith(CollapsedReader(options), bytes));
      break;
    }
    default: {
      // Length, compression and checksum are made to fit, or nothing would
      // get past them.
      edgewise::ByteWriter writer;
      writer.Byte(1);
      writer.Varint(bytes.size());
      writer.Bytes(Deflated(bytes));
      Check(Decode(writer.Sealed()));
      (void)Decode(bytes);
      break;
    }
  }
  return 0;
}

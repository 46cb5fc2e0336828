// Blocks and digests of the store: any bytes give records that encode again,
// or an error. The checksum is made to fit, or nothing would get past it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/byte_code.h"
#include "store/block.h"
#include "store/digest.h"

namespace edgewise {
namespace {

template <typename Record>
void Check(const std::string& bytes) {
  std::vector<Record> records;
  if (!DecodeBlock(bytes, records)) {
    return;
  }
  std::vector<Record> again;
  const std::string encoded = EncodeBlock(std::span<const Record>(records));
  if (!DecodeBlock(encoded, again) || again.size() != records.size()) {
    std::abort();
  }
}

}  // namespace
}  // namespace edgewise

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace edgewise;
  ByteWriter sealed;
  sealed.Bytes({reinterpret_cast<const char*>(data), size});
  const std::string bytes = sealed.Sealed();
  Check<Span>(bytes);
  Check<Point>(bytes);
  Check<Job>(bytes);
  if (const auto digest = DecodeDigest(bytes)) {
    if (!DecodeDigest(EncodeDigest(*digest))) {
      std::abort();
    }
  }
  return 0;
}

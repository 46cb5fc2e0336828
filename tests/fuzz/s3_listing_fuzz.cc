// What an object store answers: listings and errors.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "datasets/s3_listing.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto page = edgewise::ParseS3Page(text);
  if (page) {
    for (const edgewise::S3Object& object : page->objects) {
      if (object.key.empty() || object.bytes < 0) {
        std::abort();
      }
    }
  }
  (void)edgewise::ParseS3Failure(text);
  return 0;
}

// Names of entries, links, addresses and credentials files.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "datasets/aws_settings.h"
#include "datasets/entry_name.h"
#include "datasets/url.h"

namespace {

// Whether the path stays inside, as the library of C++ sees it.
bool StaysInside(const std::string& path) {
  const std::filesystem::path normal =
      std::filesystem::path(path).lexically_normal();
  return normal.is_relative() && *normal.begin() != "..";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (const auto name = edgewise::EntryName(text);
      name && !name->empty() && !StaysInside(*name)) {
    std::abort();
  }
  if (edgewise::LinkStaysInside("a/b", text) && !StaysInside("a/" + text)) {
    std::abort();
  }
  if (edgewise::IsHttpUrl(text)) {
    (void)edgewise::ParseHttpUrl(text);
  }
  if (edgewise::IsS3Url(text)) {
    (void)edgewise::ParseS3Url(text);
  }
  if (edgewise::PercentDecode(edgewise::PercentEncode(text, false)) != text) {
    std::abort();
  }
  (void)edgewise::ParseAwsFile(text);
  return 0;
}

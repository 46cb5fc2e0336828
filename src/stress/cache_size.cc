#include "stress/cache_size.h"

#include <string>

#include "base/text.h"

namespace edgewise {

std::optional<int64_t> LastLevelCacheBytes(
    const std::filesystem::path& sys_root) {
  const std::filesystem::path caches =
      sys_root / "devices/system/cpu/cpu0/cache";
  std::optional<int64_t> bytes;
  int64_t highest = 0;
  constexpr int kMostCaches = 16;
  for (int i = 0; i < kMostCaches; ++i) {
    const std::filesystem::path cache = caches / ("index" + std::to_string(i));
    const auto level =
        ParseInt(Trim(TryReadFile(cache / "level").value_or("")));
    const std::string type = TryReadFile(cache / "type").value_or("");
    // "32768K"; the kernel writes no other unit.
    std::string size(Trim(TryReadFile(cache / "size").value_or("")));
    if (!level || size.empty() || size.back() != 'K' ||
        Trim(type) == "Instruction") {
      continue;
    }
    size.pop_back();
    const auto kib = ParseInt(size);
    if (kib && *kib > 0 && *level > highest) {
      highest = *level;
      bytes = *kib * 1024;
    }
  }
  return bytes;
}

}  // namespace edgewise

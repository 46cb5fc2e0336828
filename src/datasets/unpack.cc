#include "datasets/unpack.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "base/module.h"

namespace edgewise {

bool IsArchiveName(std::string_view name) {
  std::string lower(name);
  std::transform(
      lower.begin(), lower.end(), lower.begin(),
      [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const char* const end :
       {".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tbz",
        ".tar.xz", ".txz", ".tar.zst", ".tzst", ".tar.lz4"}) {
    if (lower.ends_with(end)) {
      return true;
    }
  }
  return false;
}

Result<Manifest> Unpack(const std::filesystem::path& archive,
                        std::string_view shown,
                        const std::filesystem::path& folder,
                        const UnpackLimits& limits,
                        const UnpackListener& listener) {
  const auto module = LoadModule("archive");
  if (!module) {
    return module.error();
  }
  const auto symbol = module->Symbol(kUnpackExport);
  if (!symbol) {
    return symbol.error();
  }
  const auto unpack = reinterpret_cast<UnpackExport>(*symbol)();
  return unpack({archive, shown, folder, limits, listener});
}

}  // namespace edgewise

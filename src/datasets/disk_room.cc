#include "datasets/disk_room.h"

#include <sys/statvfs.h>

#include <algorithm>
#include <limits>

#include "base/units.h"

namespace edgewise {
namespace {

// Names, folders and what else happens to be written meanwhile.
constexpr int64_t kSpareBytes = 1 << 20;

}  // namespace

int64_t FreeBytes(const std::filesystem::path& folder) {
  struct statvfs status {};
  if (::statvfs(folder.c_str(), &status) != 0) {
    return std::numeric_limits<int64_t>::max();
  }
  return static_cast<int64_t>(status.f_bavail) *
         static_cast<int64_t>(status.f_frsize);
}

Result<void> MakeRoom(const DatasetCache& cache, int64_t bytes,
                      std::string_view shown) {
  // Where others free and fill the same disk, a second look may differ.
  int64_t free = FreeBytes(cache.folder());
  if (free - kSpareBytes < bytes) {
    int64_t kept = cache.PartialBytes();
    for (const CachedDataset& dataset : cache.List()) {
      kept += dataset.bytes;
    }
    const int64_t missing = bytes - (free - kSpareBytes);
    cache.Prune(std::max<int64_t>(0, kept - missing), /*partial=*/false);
    free = FreeBytes(cache.folder());
  }
  if (free - kSpareBytes >= bytes) {
    return {};
  }
  return Error{ErrorCode::kIo,
               std::string(shown) + " needs " +
                   FormatBytes(static_cast<double>(bytes)) + " more in " +
                   cache.folder().string() + ", where " +
                   FormatBytes(static_cast<double>(free)) +
                   " are free: free some room, or set XDG_CACHE_HOME to a "
                   "folder that has it"};
}

Error DiskFull(const std::filesystem::path& folder, std::string_view shown) {
  return {ErrorCode::kIo, std::string(shown) + " does not fit on the disk of " +
                              folder.string() +
                              ": free some room, or set XDG_CACHE_HOME to a "
                              "folder that has it"};
}

}  // namespace edgewise

// Datasets that are archives on this machine: unpacked into the cache.
#include "datasets/keep.h"
#include "datasets/sources.h"
#include "datasets/tree.h"
#include "datasets/unpack.h"

namespace edgewise {

Result<Dataset> GetArchive(const std::filesystem::path& archive,
                           const DatasetRequest& request) {
  if (!IsArchiveName(archive.filename().string())) {
    return Error{ErrorCode::kInvalid,
                 archive.string() +
                     " is neither a folder nor a tar or zip archive: put the "
                     "file into a folder, and name that"};
  }
  const auto now = StatFile(archive);
  if (!now) {
    return now.error();
  }
  const auto cache = DatasetCache::Open(request.settings.cache_folder);
  if (!cache) {
    return cache.error();
  }
  const std::string key = "file:" + archive.string();
  if (const auto known = cache->Find(key);
      known && known->version == now->version) {
    if (auto dataset = FromCache(*cache, *known, request)) {
      return std::move(*dataset);
    }
  }
  return KeepFile(*cache, archive, /*may_move=*/false,
                  archive.filename().string(), key, now->version, request);
}

}  // namespace edgewise

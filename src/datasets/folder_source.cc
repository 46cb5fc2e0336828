// Datasets that are folders: used where they lie.
#include "base/clock.h"
#include "base/sha256.h"
#include "datasets/keep.h"
#include "datasets/sources.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;

// A file that changed this lately may change again without its time showing.
constexpr int64_t kSettledNs = 2 * kNsPerSecond;

// What the files are as far as the file system says without reading them;
// nullopt where it may not notice a change.
std::optional<std::string> VersionOf(const std::vector<TreeEntry>& entries) {
  Sha256 version;
  const int64_t now_ns = UtcNs();
  for (const TreeEntry& entry : entries) {
    if (entry.changed_ns > now_ns - kSettledNs) {
      return std::nullopt;
    }
    version.Update(entry.name + '\0' + entry.version + '\0' +
                   entry.link_target + '\0');
  }
  return version.HexDigest();
}

int64_t BytesOf(const std::vector<TreeEntry>& entries) {
  int64_t bytes = 0;
  for (const TreeEntry& entry : entries) {
    bytes += entry.bytes;
  }
  return bytes;
}

Result<Dataset> Checked(const DatasetRequest& request, Dataset dataset) {
  if (auto checked = CheckSha256(request, std::nullopt, dataset.digest);
      !checked) {
    return checked.error();
  }
  return dataset;
}

}  // namespace

Result<Dataset> GetFolder(const fs::path& folder,
                          const DatasetRequest& request) {
  const auto entries = ListTree(folder);
  if (!entries) {
    return entries.error();
  }
  if (entries->empty()) {
    return Error{ErrorCode::kInvalid,
                 "the folder " + folder.string() +
                     " is empty: put the dataset's files there"};
  }
  Dataset dataset;
  dataset.folder = folder;
  dataset.source = request.shown_source;
  dataset.bytes = BytesOf(*entries);
  dataset.files = static_cast<int64_t>(entries->size());
  // Reading is saved where a cache remembers; without one it is done.
  const auto version = VersionOf(*entries);
  const auto cache = DatasetCache::Open(request.settings.cache_folder);
  const std::string key = "folder:" + folder.string();
  if (cache && version) {
    if (const auto known = cache->Find(key);
        known && known->version == *version) {
      dataset.digest = known->digest;
      dataset.from_cache = true;
      return Checked(request, std::move(dataset));
    }
  }
  const auto manifest =
      HashTree(folder, *entries, request.Reading(dataset.bytes));
  if (!manifest) {
    return manifest.error();
  }
  dataset.digest = manifest->Digest();
  if (cache && version) {
    KnownSource known;
    known.version = *version;
    known.digest = dataset.digest;
    known.bytes = dataset.bytes;
    known.files = dataset.files;
    known.at_utc_ns = UtcNs();
    (void)cache->Remember(key, known);
  }
  return Checked(request, std::move(dataset));
}

}  // namespace edgewise

// What all sources that are copied into the cache have in common: finding a
// copy, and keeping a new one.
#ifndef EDGEWISE_DATASETS_KEEP_H_
#define EDGEWISE_DATASETS_KEEP_H_

#include <optional>
#include <string>

#include "base/result.h"
#include "datasets/cache.h"
#include "datasets/manifest.h"
#include "datasets/sources.h"

namespace edgewise {

// Whether the checksum that is asked for fits; the error says what it is.
Result<void> CheckSha256(const DatasetRequest& request,
                         const std::optional<std::string>& file_sha256,
                         const std::string& digest);

// The dataset that `known` led to, if it is still here and fits the checksum.
std::optional<Dataset> FromCache(const DatasetCache& cache,
                                 const KnownSource& known,
                                 const DatasetRequest& request);
// The dataset with the checksum that is asked for; nullopt without one. `file`
// is what a single file would be called: an archive is known by its content.
std::optional<Dataset> ByChecksum(const DatasetCache& cache,
                                  const std::string& file,
                                  const DatasetRequest& request);

// The folder in which `key` is fetched; waits while another process has it.
Result<HeldFolder> WaitForPartial(const DatasetCache& cache,
                                  const std::string& key,
                                  const DatasetRequest& request);

// Checks it, moves it into the cache, and removes from there what is too much.
struct Finished {
  HeldFolder work;    // with the files in `files`
  Manifest manifest;  // of them
  std::string key;    // of the source
  std::string version;
  std::optional<std::string> file_sha256;
  std::string file;  // see ByChecksum
};
Result<Dataset> Keep(const DatasetCache& cache, Finished finished,
                     const DatasetRequest& request);

// A file, as an archive or as it is, becomes a dataset under `file`. It is
// moved away from `path` if `may_move`, else it is an archive.
Result<Dataset> KeepFile(const DatasetCache& cache,
                         const std::filesystem::path& path, bool may_move,
                         const std::string& file, const std::string& key,
                         const std::string& version,
                         const DatasetRequest& request);

}  // namespace edgewise

#endif  // EDGEWISE_DATASETS_KEEP_H_

// Dataset: what an app reads, brought to this machine and named by its content.
//
// The room `datasets` knows where datasets come from (folders, archives, HTTP
// servers, object stores), how their content is named and how copies of them
// are kept. It must not know who reads them.
#ifndef EDGEWISE_DATASETS_DATASET_H_
#define EDGEWISE_DATASETS_DATASET_H_

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"

namespace edgewise {

// What an app file says under `data:`.
struct DatasetSource {
  // A folder, a tar or zip archive, http(s)://…, or s3://BUCKET/PREFIX.
  std::string source;
  // Of the file (an archive, what a URL leads to) or the dataset's digest, as
  // 64 hexadecimal digits; either fits. nullopt: whatever is there.
  std::optional<std::string> sha256;
};

struct DatasetProgress {
  enum class Stage {
    kReading,    // a folder or a file, for its digest
    kWaiting,    // for another edgewise that fetches the same
    kFetching,   // over the network
    kUnpacking,  // an archive
  };
  Stage stage = Stage::kReading;
  int64_t done_bytes = 0;
  std::optional<int64_t> total_bytes;  // where known
};

// "fetching the dataset: 12 MiB of 1.2 GiB".
std::string DatasetProgressText(const DatasetProgress& progress);

// Called on the caller's thread, a few times a second at least. Answers
// whether to go on: after a "no" GetDataset fails soon, with an error that
// needs not be shown, and what was fetched is kept for the next time.
using DatasetListener = std::function<bool(const DatasetProgress&)>;

struct DatasetSettings {
  // Relative sources are looked for from here: the folder of the app file.
  std::filesystem::path base_folder = ".";
  std::filesystem::path cache_folder;  // see DefaultDatasetCache
  // Beyond this, what was not used for longest is removed from the cache.
  int64_t max_cache_bytes = int64_t{20} << 30;
  // Between tries after a server failed; doubled each time.
  std::chrono::milliseconds retry_pause{500};
};

// $XDG_CACHE_HOME/edgewise/datasets, else that below ~/.cache.
std::filesystem::path DefaultDatasetCache();
// The cache above, with the limit of $EDGEWISE_DATA_LIMIT ("50GiB") if set.
Result<DatasetSettings> DefaultDatasetSettings();

// While one of its copies lives, the cache does not remove what it names.
struct Dataset {
  std::filesystem::path folder;  // absolute; to be mounted read-only
  // Of names and content, however it came here: what
  //   find . -type f -printf '%P\0' | LC_ALL=C sort -z | xargs -0 sha256sum |
  //     sha256sum
  // says in the folder (docs/datasets.md).
  std::string digest;
  int64_t bytes = 0;
  int64_t files = 0;
  bool from_cache = false;  // nothing was fetched, unpacked or read for it
  std::string source;       // for people: without passwords and queries
  std::optional<std::string> file_sha256;  // of the archive or file
  std::string note;  // a sentence that the user should see; often empty

  std::shared_ptr<const void> in_use;
};

// kInvalid: the source or checksum is no such thing; kNotFound: nothing is
// there; kCorrupt: other content than the checksum says, or an archive that
// would do harm; kPermission: credentials are missing, wrong or expired; kIo:
// the server fails or the disk is full. Nothing half is left behind, except
// what a later call continues.
Result<Dataset> GetDataset(const DatasetSource& source,
                           const DatasetSettings& settings,
                           const DatasetListener& listener = {});

}  // namespace edgewise

#endif  // EDGEWISE_DATASETS_DATASET_H_

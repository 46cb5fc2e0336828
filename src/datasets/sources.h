// One function a kind of source; dataset.cc chooses. Errors are as
// GetDataset's.
#ifndef EDGEWISE_DATASETS_SOURCES_H_
#define EDGEWISE_DATASETS_SOURCES_H_

#include <filesystem>
#include <optional>
#include <string>

#include "base/result.h"
#include "datasets/cache.h"
#include "datasets/dataset.h"
#include "datasets/manifest.h"
#include "datasets/tree.h"

namespace edgewise {

// What every kind of source is given; the caller's, and alive throughout.
struct DatasetRequest {
  std::string source;
  std::string shown_source;           // without passwords and queries
  std::optional<std::string> sha256;  // in lower case
  const DatasetSettings& settings;
  const DatasetListener& listener;

  bool GoOn(const DatasetProgress& progress) const {
    return !listener || listener(progress);
  }
  // Adds up what is read, and tells.
  ReadListener Reading(std::optional<int64_t> total_bytes) const;
};

// Local paths are canonical.
Result<Dataset> GetFolder(const std::filesystem::path& folder,
                          const DatasetRequest& request);
Result<Dataset> GetArchive(const std::filesystem::path& archive,
                           const DatasetRequest& request);
Result<Dataset> GetHttp(const DatasetRequest& request);
Result<Dataset> GetS3(const DatasetRequest& request);

}  // namespace edgewise

#endif  // EDGEWISE_DATASETS_SOURCES_H_

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

Result<Dataset> GetFolder(const std::filesystem::path& folder,
                          const DatasetRequest& request);

// Whether the checksum that is asked for fits; the error says what it is.
Result<void> CheckSha256(const DatasetRequest& request,
                         const std::optional<std::string>& file_sha256,
                         const std::string& digest);

}  // namespace edgewise

#endif  // EDGEWISE_DATASETS_SOURCES_H_

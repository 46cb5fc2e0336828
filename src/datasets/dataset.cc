#include "datasets/dataset.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "base/sha256.h"
#include "base/units.h"
#include "datasets/sources.h"
#include "datasets/url.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;

Result<Dataset> GetLocal(const DatasetRequest& request) {
  std::error_code error;
  const fs::path named = request.settings.base_folder / request.source;
  const fs::path path = fs::canonical(named, error);
  if (error) {
    return Error{ErrorCodeFromErrno(error.value()),
                 "there is no dataset at " + named.string() + " (" +
                     error.message() +
                     "): name a folder, a tar or zip archive, http(s)://… or "
                     "s3://BUCKET/PREFIX"};
  }
  return fs::is_directory(path, error) ? GetFolder(path, request)
                                       : GetArchive(path, request);
}

}  // namespace

std::string DatasetProgressText(const DatasetProgress& progress) {
  std::string text;
  switch (progress.stage) {
    case DatasetProgress::Stage::kReading:
      text = "reading the dataset";
      break;
    case DatasetProgress::Stage::kWaiting:
      return "waiting for another edgewise that fetches the same dataset";
    case DatasetProgress::Stage::kFetching:
      text = "fetching the dataset";
      break;
    case DatasetProgress::Stage::kUnpacking:
      text = "unpacking the dataset";
      break;
  }
  text += ": " + FormatBytes(static_cast<double>(progress.done_bytes));
  if (progress.total_bytes) {
    text += " of " + FormatBytes(static_cast<double>(*progress.total_bytes));
  }
  return text;
}

fs::path DefaultDatasetCache() {
  const auto variable = [](const char* name) -> fs::path {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  // The XDG specification has relative paths ignored.
  if (const fs::path cache = variable("XDG_CACHE_HOME"); cache.is_absolute()) {
    return cache / "edgewise/datasets";
  }
  return variable("HOME") / ".cache/edgewise/datasets";
}

Result<DatasetSettings> DefaultDatasetSettings() {
  DatasetSettings settings;
  settings.cache_folder = DefaultDatasetCache();
  if (const char* const limit = std::getenv("EDGEWISE_DATA_LIMIT");
      limit != nullptr && *limit != '\0') {
    const auto bytes = ParseBytes(limit);
    if (!bytes) {
      return Error{ErrorCode::kInvalid,
                   "EDGEWISE_DATA_LIMIT: " + bytes.error().message};
    }
    settings.max_cache_bytes = *bytes;
  }
  return settings;
}

ReadListener DatasetRequest::Reading(std::optional<int64_t> total_bytes) const {
  return [this, progress = DatasetProgress{DatasetProgress::Stage::kReading, 0,
                                           total_bytes}](int64_t more) mutable {
    progress.done_bytes += more;
    return GoOn(progress);
  };
}

Result<Dataset> GetDataset(const DatasetSource& source,
                           const DatasetSettings& settings,
                           const DatasetListener& listener) {
  const auto is_control = [](char c) {
    return std::iscntrl(static_cast<unsigned char>(c)) != 0;
  };
  if (source.source.empty() ||
      std::any_of(source.source.begin(), source.source.end(), is_control)) {
    return Error{ErrorCode::kInvalid,
                 "a dataset's source is a folder, a tar or zip archive, "
                 "http(s)://… or s3://BUCKET/PREFIX: name one"};
  }
  DatasetRequest request{source.source, source.source, source.sha256, settings,
                         listener};
  if (request.sha256) {
    if (!IsSha256(*request.sha256)) {
      return Error{ErrorCode::kInvalid,
                   "\"" + *request.sha256 +
                       "\" is no SHA-256 checksum: write the 64 digits that "
                       "`sha256sum` prints"};
    }
    std::transform(
        request.sha256->begin(), request.sha256->end(), request.sha256->begin(),
        [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  }
  if (IsHttpUrl(request.source)) {
    return GetHttp(request);
  }
  return IsS3Url(request.source) ? GetS3(request) : GetLocal(request);
}

}  // namespace edgewise

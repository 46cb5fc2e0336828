#include "datasets/keep.h"

#include <chrono>
#include <thread>

#include "base/clock.h"
#include "datasets/disk_room.h"
#include "datasets/tree.h"
#include "datasets/unpack.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;

// Under what a file's own checksum leads to its dataset.
std::string ChecksumKey(const std::string& sha256, const std::string& file) {
  return "sha256:" + sha256 + ":" + (IsArchiveName(file) ? "unpacked" : file);
}

Dataset DatasetOf(DatasetCache::Held held, const DatasetRequest& request) {
  Dataset dataset;
  dataset.folder = held.dataset.folder;
  dataset.digest = held.dataset.digest;
  dataset.bytes = held.dataset.bytes;
  dataset.files = held.dataset.files;
  dataset.source = request.shown_source;
  dataset.in_use = std::move(held.in_use);
  return dataset;
}

Result<Manifest> Fill(const DatasetCache& cache, const fs::path& path,
                      bool may_move, const std::string& file,
                      const std::string& sha256, const fs::path& files,
                      const DatasetRequest& request) {
  if (IsArchiveName(file)) {
    UnpackLimits limits;
    limits.room_bytes = FreeBytes(cache.folder());
    return Unpack(
        path, request.shown_source, files, limits, [&request](int64_t bytes) {
          return request.GoOn(
              {DatasetProgress::Stage::kUnpacking, bytes, std::nullopt});
        });
  }
  std::error_code error;
  Manifest manifest;
  manifest.AddFile(file, sha256,
                   static_cast<int64_t>(fs::file_size(path, error)));
  if (may_move) {
    fs::rename(path, files / file, error);
  }
  if (error) {
    return Error{ErrorCodeFromErrno(error.value()),
                 "cannot keep " + request.shown_source + " in " +
                     cache.folder().string() + ": " + error.message()};
  }
  return manifest;
}

}  // namespace

Result<void> CheckSha256(const DatasetRequest& request,
                         const std::optional<std::string>& file_sha256,
                         const std::string& digest) {
  if (!request.sha256 || request.sha256 == file_sha256 ||
      *request.sha256 == digest) {
    return {};
  }
  return Error{ErrorCode::kCorrupt,
               request.shown_source + " has the checksum " +
                   file_sha256.value_or(digest) + ", not " + *request.sha256 +
                   ": it is damaged or has changed; if what is there now is "
                   "right, put its checksum into `sha256`"};
}

std::optional<Dataset> FromCache(const DatasetCache& cache,
                                 const KnownSource& known,
                                 const DatasetRequest& request) {
  std::optional<std::string> file_sha256;
  if (!known.file_sha256.empty()) {
    file_sha256 = known.file_sha256;
  }
  if (!CheckSha256(request, file_sha256, known.digest)) {
    return std::nullopt;
  }
  auto held = cache.Hold(known.digest);
  if (!held) {
    return std::nullopt;
  }
  Dataset dataset = DatasetOf(std::move(*held), request);
  dataset.from_cache = true;
  dataset.file_sha256 = file_sha256;
  return dataset;
}

std::optional<Dataset> ByChecksum(const DatasetCache& cache,
                                  const std::string& file,
                                  const DatasetRequest& request) {
  if (!request.sha256) {
    return std::nullopt;
  }
  if (const auto known = cache.Find(ChecksumKey(*request.sha256, file))) {
    if (auto dataset = FromCache(cache, *known, request)) {
      return dataset;
    }
  }
  KnownSource itself;
  itself.digest = *request.sha256;
  return FromCache(cache, itself, request);
}

Result<HeldFolder> WaitForPartial(const DatasetCache& cache,
                                  const std::string& key,
                                  const DatasetRequest& request) {
  for (;;) {
    auto partial = cache.OpenPartial(key);
    if (!partial) {
      return partial.error();
    }
    if (*partial) {
      return std::move(**partial);
    }
    if (!request.GoOn({DatasetProgress::Stage::kWaiting, 0, std::nullopt})) {
      return Error{ErrorCode::kBusy, "waiting for the dataset was cancelled"};
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

Result<Dataset> Keep(const DatasetCache& cache, Finished finished,
                     const DatasetRequest& request) {
  KnownSource known;
  known.version = finished.version;
  known.file_sha256 = finished.file_sha256.value_or("");
  known.digest = finished.manifest.Digest();
  known.bytes = finished.manifest.bytes();
  known.files = finished.manifest.files();
  known.at_utc_ns = UtcNs();
  if (auto checked = CheckSha256(request, finished.file_sha256, known.digest);
      !checked) {
    return checked.error();
  }
  CachedDataset about;
  about.digest = known.digest;
  about.source = request.shown_source;
  about.bytes = known.bytes;
  about.files = known.files;
  auto held = cache.Add(finished.work, about);
  if (!held) {
    return held.error();
  }
  Dataset dataset = DatasetOf(std::move(*held), request);
  dataset.file_sha256 = finished.file_sha256;
  // Without these it would only be fetched again.
  (void)cache.Remember(finished.key, known);
  if (finished.file_sha256) {
    (void)cache.Remember(ChecksumKey(*finished.file_sha256, finished.file),
                         known);
  }
  cache.Prune(request.settings.max_cache_bytes, /*partial=*/false);
  return dataset;
}

Result<Dataset> KeepFile(const DatasetCache& cache, const fs::path& path,
                         bool may_move, const std::string& file,
                         const std::string& key, const std::string& version,
                         const DatasetRequest& request) {
  std::error_code error;
  const auto sha256 = HashFile(
      path, request.Reading(static_cast<int64_t>(fs::file_size(path, error))));
  if (!sha256) {
    return sha256.error();
  }
  auto work = cache.NewWork();
  if (!work) {
    return work.error();
  }
  auto manifest = Fill(cache, path, may_move, file, *sha256,
                       work->path() / "files", request);
  if (!manifest) {
    return manifest.error();
  }
  return Keep(
      cache,
      {std::move(*work), std::move(*manifest), key, version, *sha256, file},
      request);
}

}  // namespace edgewise

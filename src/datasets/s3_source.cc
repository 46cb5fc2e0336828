// Datasets in object stores: the objects below a prefix, or one object.
#include <algorithm>

#include "base/sha256.h"
#include "datasets/disk_room.h"
#include "datasets/entry_name.h"
#include "datasets/keep.h"
#include "datasets/remote_file.h"
#include "datasets/retry.h"
#include "datasets/s3_client.h"
#include "datasets/s3_objects.h"
#include "datasets/sources.h"
#include "datasets/unpack.h"
#include "datasets/url.h"

namespace edgewise {
namespace {

Result<std::vector<WantedObject>> Wanted(std::vector<S3Object> objects,
                                         const std::string& prefix) {
  std::vector<WantedObject> wanted;
  for (S3Object& object : objects) {
    if (object.key.ends_with('/') && object.bytes == 0) {
      continue;  // as web consoles make for folders
    }
    std::string name =
        object.key.substr(std::min(prefix.size(), object.key.size()));
    const auto safe = EntryName(name);
    if (!object.key.starts_with(prefix) || !safe || *safe != name) {
      return Error{ErrorCode::kCorrupt,
                   "the object \"" + object.key +
                       "\" has no name that a file can have: rename it, or "
                       "name a longer prefix"};
    }
    wanted.push_back({std::move(object), std::move(name)});
  }
  return wanted;
}

// Of all objects together, as the store names them.
std::string VersionOfAll(const std::vector<WantedObject>& objects) {
  Sha256 version;
  for (const WantedObject& wanted : objects) {
    version.Update(wanted.object.etag + " " +
                   std::to_string(wanted.object.bytes) + " " + wanted.name +
                   '\0');
  }
  return version.HexDigest();
}

Result<Dataset> KeepObjects(const DatasetCache& cache,
                            const HeldFolder& partial, const std::string& key,
                            const std::string& version, int64_t bytes,
                            const DatasetRequest& request) {
  const auto files = partial.path() / "files";
  const auto entries = ListTree(files);
  if (!entries) {
    return entries.error();
  }
  auto manifest = HashTree(files, *entries, request.Reading(bytes));
  if (!manifest) {
    return manifest.error();
  }
  auto work = cache.NewWork();
  if (!work) {
    return work.error();
  }
  std::error_code error;
  std::filesystem::rename(files, work->path() / "files", error);
  if (error) {
    return Error{
        ErrorCodeFromErrno(error.value()),
        "cannot write " + work->path().string() + ": " + error.message()};
  }
  return Keep(
      cache,
      {std::move(*work), std::move(*manifest), key, version, std::nullopt, ""},
      request);
}

Result<Dataset> GetObject(const S3Bucket& bucket, const std::string& key,
                          const DatasetRequest& request) {
  RemoteFile remote;
  remote.request = bucket.ObjectRequest(key);
  remote.file = key.substr(key.rfind('/') + 1);
  if (!EntryName(remote.file)) {
    return Error{ErrorCode::kInvalid,
                 request.shown_source + " names no object: check it"};
  }
  remote.key = "s3:" + request.source + "@" + remote.request.url;
  remote.explain = [&](const fetch::Response& response) {
    Error error = bucket.Explain(response);
    if (ParseS3Failure(response.body).code == "NoSuchKey") {
      error.message =
          "there is nothing under " + request.shown_source + ": check its name";
    }
    return std::optional<Error>(error);
  };
  return GetRemoteFile(remote, request);
}

// nullopt: there are none.
Result<std::optional<Dataset>> GetObjects(const S3Bucket& bucket,
                                          const std::string& key,
                                          const std::string& prefix,
                                          const DatasetRequest& request) {
  const auto cache = DatasetCache::Open(request.settings.cache_folder);
  if (!cache) {
    return cache.error();
  }
  auto partial = WaitForPartial(*cache, key, request);
  if (!partial) {
    return partial.error();
  }
  if (auto dataset = ByChecksum(*cache, prefix, request)) {
    return std::optional<Dataset>(std::move(dataset));
  }
  const auto known = cache->Find(key);
  auto copy = known ? FromCache(*cache, *known, request) : std::nullopt;
  auto client = fetch::MakeClient();
  if (!client) {
    return client.error();
  }
  bool cancelled = false;
  auto listed = bucket.List(
      **client, prefix,
      Retries(request.settings.retry_pause, copy ? kTriesWithCopy : kTries),
      [&] {
        cancelled =
            cancelled ||
            !request.GoOn({DatasetProgress::Stage::kFetching, 0, std::nullopt});
        return !cancelled;
      });
  if (!listed) {
    if (copy && !cancelled && MayRecover(listed.error())) {
      return std::optional<Dataset>(
          Stale(std::move(*copy), *known, listed.error()));
    }
    return listed.error();
  }
  const auto objects = Wanted(std::move(*listed), prefix);
  if (!objects) {
    return objects.error();
  }
  if (objects->empty()) {
    partial->Discard();
    return std::optional<Dataset>();
  }
  const std::string version = VersionOfAll(*objects);
  if (copy && known->version == version) {
    partial->Discard();
    return std::optional<Dataset>(std::move(copy));
  }
  int64_t bytes = 0;
  for (const WantedObject& wanted : *objects) {
    bytes += wanted.object.bytes;
  }
  if (auto room = MakeRoom(*cache, bytes, request.shown_source); !room) {
    return room.error();
  }
  if (auto fetched = FetchObjects(bucket, *objects, partial->path(), request);
      !fetched) {
    // On a full disk nothing half is left; a server that fails may recover.
    if (FreeBytes(cache->folder()) < bytes - cache->PartialBytes()) {
      partial->Discard();
    }
    return fetched.error();
  }
  auto dataset = KeepObjects(*cache, *partial, key, version, bytes, request);
  if (dataset || dataset.error().code != ErrorCode::kBusy) {
    partial->Discard();
  }
  if (!dataset) {
    return dataset.error();
  }
  return std::optional<Dataset>(std::move(*dataset));
}

}  // namespace

Result<Dataset> GetS3(const DatasetRequest& request) {
  const auto url = ParseS3Url(request.source);
  if (!url) {
    return url.error();
  }
  auto settings = ReadAwsSettings(ProcessVariable);
  if (!settings) {
    return settings.error();
  }
  const std::string prefix = url->key.empty() ? "" : url->key + "/";
  const std::string key =
      "s3:" + settings->endpoint + "/" + url->bucket + "/" + prefix;
  const S3Bucket bucket(std::move(*settings), url->bucket);
  if (IsArchiveName(url->key)) {
    return GetObject(bucket, url->key, request);
  }
  auto objects = GetObjects(bucket, key, prefix, request);
  if (!objects) {
    return objects.error();
  }
  if (*objects) {
    return std::move(**objects);
  }
  if (url->key.empty()) {
    return Error{ErrorCode::kNotFound,
                 "the bucket " + url->bucket + " is empty: check its name"};
  }
  return GetObject(bucket, url->key, request);
}

}  // namespace edgewise

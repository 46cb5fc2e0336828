#include "datasets/remote_file.h"

#include "base/clock.h"
#include "datasets/disk_room.h"
#include "datasets/download.h"
#include "datasets/keep.h"
#include "datasets/retry.h"

namespace edgewise {
namespace {

// Our own errors speak of addresses without secrets.
Error WithoutSecrets(Error error, const std::string& url,
                     const std::string& shown) {
  for (size_t at = error.message.find(url); at != std::string::npos;
       at = error.message.find(url, at + shown.size())) {
    error.message.replace(at, url.size(), shown);
  }
  return error;
}

}  // namespace

Dataset Stale(Dataset copy, const KnownSource& known, const Error& why) {
  copy.note = "what was fetched on " + FormatUtc(known.at_utc_ns) +
              " is used, because " + why.message;
  return copy;
}

Result<Dataset> GetRemoteFile(const RemoteFile& remote,
                              const DatasetRequest& request) {
  const auto cache = DatasetCache::Open(request.settings.cache_folder);
  if (!cache) {
    return cache.error();
  }
  auto partial = WaitForPartial(*cache, remote.key, request);
  if (!partial) {
    return partial.error();
  }
  if (auto dataset = ByChecksum(*cache, remote.file, request)) {
    return std::move(*dataset);
  }
  auto client = fetch::MakeClient();
  if (!client) {
    return client.error();
  }
  const auto known = cache->Find(remote.key);
  auto copy = known ? FromCache(*cache, *known, request) : std::nullopt;
  DownloadOrder order;
  order.request = remote.request;
  order.shown = request.shown_source;
  order.file = partial->path() / "body";
  order.known_version = copy ? known->version : "";
  order.retry_pause = request.settings.retry_pause;
  order.tries = copy ? kTriesWithCopy : kTries;
  order.explain = remote.explain;
  bool cancelled = false;
  order.go_on = [&](int64_t done, std::optional<int64_t> total) {
    cancelled = !request.GoOn({DatasetProgress::Stage::kFetching, done, total});
    return !cancelled;
  };
  order.make_room = [&](int64_t bytes) {
    return MakeRoom(*cache, bytes, request.shown_source);
  };
  const auto downloaded = Download(**client, order);
  if (!downloaded) {
    const Error error = WithoutSecrets(downloaded.error(), remote.request.url,
                                       request.shown_source);
    if (copy && !cancelled && MayRecover(error)) {
      return Stale(std::move(*copy), *known, error);
    }
    return error;
  }
  if (downloaded->unchanged) {
    partial->Discard();
    return std::move(*copy);
  }
  auto dataset = KeepFile(*cache, order.file, /*may_move=*/true, remote.file,
                          remote.key, downloaded->version, request);
  // Damaged or refused, it would be so again; cancelled, it is good.
  if (dataset || dataset.error().code != ErrorCode::kBusy) {
    partial->Discard();
  }
  return dataset;
}

}  // namespace edgewise

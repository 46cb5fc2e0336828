#include "datasets/cache.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "base/clock.h"
#include "base/sha256.h"
#include "datasets/cache_files.h"
#include "datasets/record_file.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kPartialLifeNs = int64_t{7} * 24 * 3600 * kNsPerSecond;
constexpr char kLock[] = ".lock";

std::string NewName() {
  uint64_t bits = 0;
  if (::getrandom(&bits, sizeof bits, 0) != sizeof bits) {
    bits = static_cast<uint64_t>(MonotonicNs());
  }
  return std::to_string(bits);
}

fs::path LockOf(const fs::path& path) { return path.string() + kLock; }

}  // namespace

HeldFolder::~HeldFolder() {
  const bool moved_away = path_.empty();
  if (!moved_away && !keep_) {
    RemoveAll(path_);
    lock_.Remove();
  }
}

void HeldFolder::Discard() {
  keep_ = false;
  RemoveAll(path_);
}

Result<DatasetCache> DatasetCache::Open(fs::path folder) {
  std::error_code error;
  folder = fs::absolute(folder, error);
  for (const char* const part : {"sets", "sources", "partial", "work"}) {
    if (!error) {
      fs::create_directories(folder / part, error);
    }
  }
  if (error) {
    return Error{ErrorCodeFromErrno(error.value()),
                 "cannot make the folder " + folder.string() +
                     " for datasets (" + error.message() +
                     "): set XDG_CACHE_HOME to a folder with room"};
  }
  // What a dataset may hold is its owner's matter.
  fs::permissions(folder, fs::perms::owner_all, error);
  DatasetCache cache(std::move(folder));
  cache.Sweep();
  return cache;
}

void DatasetCache::Sweep() const {
  for (const fs::path& path : Children(folder_ / "work")) {
    const bool is_lock = path.extension() == kLock;
    const fs::path work = is_lock ? fs::path(path).replace_extension() : path;
    auto lock = LockFile::Try(LockOf(work), LockFile::Kind::kExclusive);
    if (lock && *lock) {
      RemoveAll(work);
      (*lock)->Remove();
    }
  }
  // Records that were being replaced; that takes moments.
  for (const fs::path& path : Children(folder_ / "sources")) {
    if (path.extension() == ".new" &&
        UtcNs() - ChangedUtcNs(path) > 60 * kNsPerSecond) {
      RemoveAll(path);
    }
  }
  PrunePartial(/*all=*/false);
}

int64_t DatasetCache::PrunePartial(bool all) const {
  int64_t bytes = 0;
  for (const fs::path& path : Children(folder_ / "partial")) {
    if (path.extension() == kLock ||
        (!all && UtcNs() - ChangedUtcNs(path) < kPartialLifeNs)) {
      continue;
    }
    auto lock = LockFile::Try(LockOf(path), LockFile::Kind::kExclusive);
    if (lock && *lock) {
      bytes += BytesBelow(path);
      RemoveAll(path);
      (*lock)->Remove();
    }
  }
  return bytes;
}

std::optional<KnownSource> DatasetCache::Find(const std::string& source) const {
  const auto record = ReadRecord(folder_ / "sources" / Sha256Of(source));
  if (!record || !IsSha256(ValueOf(*record, "digest"))) {
    return std::nullopt;
  }
  return KnownSource{ValueOf(*record, "version"),
                     ValueOf(*record, "file_sha256"),
                     ValueOf(*record, "digest"),
                     NumberOf(*record, "bytes").value_or(0),
                     NumberOf(*record, "files").value_or(0),
                     NumberOf(*record, "at_utc_ns").value_or(0)};
}

Result<void> DatasetCache::Remember(const std::string& source,
                                    const KnownSource& known) const {
  return WriteRecord(folder_ / "sources" / Sha256Of(source),
                     {{"version", known.version},
                      {"file_sha256", known.file_sha256},
                      {"digest", known.digest},
                      {"bytes", std::to_string(known.bytes)},
                      {"files", std::to_string(known.files)},
                      {"at_utc_ns", std::to_string(known.at_utc_ns)}});
}

std::optional<DatasetCache::Held> DatasetCache::Hold(
    const std::string& digest) const {
  if (!IsSha256(digest)) {
    return std::nullopt;
  }
  const fs::path set = folder_ / "sets" / digest;
  std::error_code ignored;
  if (!fs::exists(set / "about", ignored)) {
    return std::nullopt;
  }
  auto lock = LockFile::Wait(LockOf(set), LockFile::Kind::kShared);
  // It may have been removed before we held it.
  if (!lock || !fs::exists(set / "about", ignored)) {
    return std::nullopt;
  }
  ::utimensat(AT_FDCWD, (set / "about").c_str(), nullptr, 0);
  Held held;
  held.dataset = ReadAbout(digest);
  held.in_use = std::make_shared<const LockFile>(std::move(*lock));
  return held;
}

CachedDataset DatasetCache::ReadAbout(const std::string& digest) const {
  const fs::path set = folder_ / "sets" / digest;
  const Record about = ReadRecord(set / "about").value_or(Record());
  CachedDataset dataset;
  dataset.digest = digest;
  dataset.folder = set / "files";
  dataset.source = ValueOf(about, "source");
  dataset.bytes = NumberOf(about, "bytes").value_or(0);
  dataset.files = NumberOf(about, "files").value_or(0);
  dataset.used_utc_ns = ChangedUtcNs(set / "about");
  return dataset;
}

Result<DatasetCache::Held> DatasetCache::Add(HeldFolder& work,
                                             const CachedDataset& about) const {
  MakeReadable(work.path() / "files");
  if (auto written = WriteRecord(work.path() / "about",
                                 {{"source", about.source},
                                  {"bytes", std::to_string(about.bytes)},
                                  {"files", std::to_string(about.files)}});
      !written) {
    return written.error();
  }
  const fs::path set = folder_ / "sets" / about.digest;
  for (int tries = 0; tries < 100; ++tries) {
    // Fails where it is there already, which is as good.
    const bool moved = ::rename(work.path().c_str(), set.c_str()) == 0;
    const int failed = moved ? 0 : errno;
    if (auto held = Hold(about.digest)) {
      return std::move(*held);
    }
    if (!moved && failed != ENOTEMPTY && failed != EEXIST) {
      return Error{ErrorCodeFromErrno(failed),
                   "cannot make " + set.string() + ": " + ErrnoText(failed)};
    }
    if (moved) {
      break;
    }
    // Half a dataset, or one that is being removed: out of the way with it.
    RemoveSet(about.digest);
  }
  return Error{ErrorCode::kBusy,
               "the dataset is removed from " + folder_.string() +
                   " while it is fetched: try again once nobody prunes it"};
}

Result<HeldFolder> DatasetCache::NewWork() const {
  for (;;) {
    const fs::path path = folder_ / "work" / NewName();
    auto lock = LockFile::Try(LockOf(path), LockFile::Kind::kExclusive);
    if (!lock) {
      return lock.error();
    }
    if (!*lock) {
      continue;
    }
    HeldFolder held(path, std::move(**lock), /*keep=*/false);
    if (::mkdir(path.c_str(), 0700) != 0 ||
        ::mkdir((path / "files").c_str(), 0755) != 0) {
      const int failed = errno;
      return Error{ErrorCodeFromErrno(failed),
                   "cannot make " + path.string() + ": " + ErrnoText(failed)};
    }
    return held;
  }
}

Result<std::optional<HeldFolder>> DatasetCache::OpenPartial(
    const std::string& source) const {
  const fs::path path = folder_ / "partial" / Sha256Of(source);
  auto lock = LockFile::Try(LockOf(path), LockFile::Kind::kExclusive);
  if (!lock) {
    return lock.error();
  }
  if (!*lock) {
    return std::optional<HeldFolder>();
  }
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) {
    const int failed = errno;
    return Error{ErrorCodeFromErrno(failed),
                 "cannot make " + path.string() + ": " + ErrnoText(failed)};
  }
  ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
  return std::optional<HeldFolder>(
      HeldFolder(path, std::move(**lock), /*keep=*/true));
}

std::vector<CachedDataset> DatasetCache::List() const {
  std::vector<CachedDataset> datasets;
  for (const fs::path& path : Children(folder_ / "sets")) {
    const std::string digest = path.filename().string();
    if (IsSha256(digest)) {
      datasets.push_back(ReadAbout(digest));
      datasets.back().in_use = LockFile::IsHeld(LockOf(path));
    }
  }
  std::sort(datasets.begin(), datasets.end(),
            [](const CachedDataset& a, const CachedDataset& b) {
              return a.used_utc_ns > b.used_utc_ns;
            });
  return datasets;
}

int64_t DatasetCache::PartialBytes() const {
  return BytesBelow(folder_ / "partial");
}

bool DatasetCache::RemoveSet(const std::string& digest) const {
  const fs::path set = folder_ / "sets" / digest;
  auto lock = LockFile::Try(LockOf(set), LockFile::Kind::kExclusive);
  if (!lock || !*lock) {
    return false;
  }
  // Out of sight at once: what is seen is whole.
  auto work = NewWork();
  const bool moved =
      work && ::rename(set.c_str(), (work->path() / "removed").c_str()) == 0;
  (*lock)->Remove();
  return moved;
}

DatasetCache::Pruned DatasetCache::Prune(int64_t keep_bytes,
                                         bool partial) const {
  Pruned pruned;
  if (partial) {
    pruned.bytes += PrunePartial(/*all=*/true);
  }
  std::vector<CachedDataset> datasets = List();
  pruned.left_bytes = PartialBytes();
  for (const CachedDataset& dataset : datasets) {
    pruned.left_bytes += dataset.bytes;
  }
  for (auto oldest = datasets.rbegin();
       oldest != datasets.rend() && pruned.left_bytes > keep_bytes; ++oldest) {
    if (!oldest->in_use && RemoveSet(oldest->digest)) {
      ++pruned.datasets;
      pruned.bytes += oldest->bytes;
      pruned.left_bytes -= oldest->bytes;
    }
  }
  return pruned;
}

}  // namespace edgewise

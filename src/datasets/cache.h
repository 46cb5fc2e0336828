// DatasetCache: copies of datasets in the user's cache folder, by content.
//
//   sets/DIGEST/files/…   a dataset, and about it: sets/DIGEST/about
//   sets/DIGEST.lock      held (shared) while somebody uses it
//   sources/KEY           what a source led to when it was last asked
//   partial/KEY/          what is being fetched, for whoever holds KEY.lock
//   work/NAME/            what is being made, while NAME.lock is held
//
// A dataset appears and goes by a rename, so it is always whole. What a killed
// edgewise left in work/ goes when the cache is next opened; partial/ is
// continued by the next fetch of that source, or goes after a week.
//
// Several processes may use one cache at once.
#ifndef EDGEWISE_DATASETS_CACHE_H_
#define EDGEWISE_DATASETS_CACHE_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "datasets/lock_file.h"

namespace edgewise {

// What a source led to.
struct KnownSource {
  std::string version;      // as the server or file system names it
  std::string file_sha256;  // empty: it is no single file
  std::string digest;       // of the dataset
  int64_t bytes = 0;
  int64_t files = 0;
  int64_t at_utc_ns = 0;
};

struct CachedDataset {
  std::string digest;
  std::filesystem::path folder;
  std::string source;  // that brought it first, for people
  int64_t bytes = 0;
  int64_t files = 0;
  int64_t used_utc_ns = 0;
  bool in_use = false;
};

// A folder that is worked in, and goes with this object unless it was moved to
// where it belongs. One owner; others cannot have it.
class HeldFolder {
 public:
  HeldFolder(std::filesystem::path path, LockFile lock, bool keep)
      : path_(std::move(path)), lock_(std::move(lock)), keep_(keep) {}
  HeldFolder(HeldFolder&&) = default;
  HeldFolder& operator=(HeldFolder&&) = delete;
  ~HeldFolder();

  const std::filesystem::path& path() const { return path_; }
  // What is in it is of no use to anybody.
  void Discard();

 private:
  std::filesystem::path path_;
  LockFile lock_;
  bool keep_;
};

class DatasetCache {
 public:
  // Makes the folder (for this user alone) and removes what was left behind.
  static Result<DatasetCache> Open(std::filesystem::path folder);

  std::optional<KnownSource> Find(const std::string& source) const;
  Result<void> Remember(const std::string& source,
                        const KnownSource& known) const;

  struct Held {
    CachedDataset dataset;
    std::shared_ptr<const void> in_use;
  };
  // The dataset, which stays while the answer lives; nullopt: it is not here.
  std::optional<Held> Hold(const std::string& digest) const;
  // Moves work/NAME (with `files` in it) to where it belongs; what is there
  // already is as good.
  Result<Held> Add(HeldFolder& work, const CachedDataset& about) const;

  Result<HeldFolder> NewWork() const;
  // Where `source` is fetched to, with what was fetched before. nullopt:
  // another process fetches it.
  Result<std::optional<HeldFolder>> OpenPartial(
      const std::string& source) const;

  // Last used first.
  std::vector<CachedDataset> List() const;
  // What is in partial/ takes.
  int64_t PartialBytes() const;
  struct Pruned {
    int64_t datasets = 0;
    int64_t bytes = 0;
    int64_t left_bytes = 0;
  };
  // Removes what was not used for longest until `keep_bytes` are left, but
  // never what is in use; with `partial` also what was fetched in part.
  Pruned Prune(int64_t keep_bytes, bool partial) const;

  const std::filesystem::path& folder() const { return folder_; }

 private:
  explicit DatasetCache(std::filesystem::path folder)
      : folder_(std::move(folder)) {}
  void Sweep() const;
  CachedDataset ReadAbout(const std::string& digest) const;
  bool RemoveSet(const std::string& digest) const;
  int64_t PrunePartial(bool all) const;

  std::filesystem::path folder_;
};

}  // namespace edgewise

#endif  // EDGEWISE_DATASETS_CACHE_H_

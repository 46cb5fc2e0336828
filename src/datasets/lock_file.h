// LockFile: the one owner of a lock that other processes see (flock). The
// kernel lets go of it when the process ends, however it ends.
#ifndef EDGEWISE_DATASETS_LOCK_FILE_H_
#define EDGEWISE_DATASETS_LOCK_FILE_H_

#include <filesystem>
#include <optional>

#include "base/result.h"
#include "base/unique_fd.h"

namespace edgewise {

class LockFile {
 public:
  enum class Kind { kShared, kExclusive };

  // The file is made if need be. nullopt: somebody else holds it.
  static Result<std::optional<LockFile>> Try(const std::filesystem::path& path,
                                             Kind kind);
  // Waits until it can be had; only for locks that are held for moments.
  static Result<LockFile> Wait(const std::filesystem::path& path, Kind kind);
  // Whether somebody holds it in a way that an exclusive lock excludes.
  static bool IsHeld(const std::filesystem::path& path);

  // Removes the file; only for the one who holds it exclusively. Others who
  // wait for it notice and make a new one.
  void Remove();

 private:
  static Result<std::optional<LockFile>> Take(const std::filesystem::path& path,
                                              int operation);
  LockFile(UniqueFd fd, std::filesystem::path path)
      : fd_(std::move(fd)), path_(std::move(path)) {}

  UniqueFd fd_;
  std::filesystem::path path_;
};

}  // namespace edgewise

#endif  // EDGEWISE_DATASETS_LOCK_FILE_H_

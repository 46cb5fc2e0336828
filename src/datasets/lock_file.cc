#include "datasets/lock_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>

namespace edgewise {
namespace {

namespace fs = std::filesystem;

// Whether the path still leads to the open file: whoever held it before may
// have removed it.
bool IsSameFile(int fd, const fs::path& path) {
  struct stat open {};
  struct stat named {};
  return ::fstat(fd, &open) == 0 && ::stat(path.c_str(), &named) == 0 &&
         open.st_ino == named.st_ino && open.st_dev == named.st_dev;
}

}  // namespace

Result<std::optional<LockFile>> LockFile::Take(const fs::path& path,
                                               int operation) {
  for (;;) {
    UniqueFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (!fd.valid()) {
      const int failed = errno;
      return Error{ErrorCodeFromErrno(failed),
                   "cannot make " + path.string() + ": " + ErrnoText(failed)};
    }
    if (::flock(fd.get(), operation) != 0) {
      const int failed = errno;
      if (failed == EWOULDBLOCK) {
        return std::optional<LockFile>();
      }
      if (failed == EINTR) {
        continue;
      }
      return Error{ErrorCodeFromErrno(failed),
                   "cannot lock " + path.string() + ": " + ErrnoText(failed)};
    }
    if (IsSameFile(fd.get(), path)) {
      return std::optional<LockFile>(LockFile(std::move(fd), path));
    }
  }
}

Result<std::optional<LockFile>> LockFile::Try(const fs::path& path, Kind kind) {
  return Take(path, (kind == Kind::kShared ? LOCK_SH : LOCK_EX) | LOCK_NB);
}

Result<LockFile> LockFile::Wait(const fs::path& path, Kind kind) {
  auto taken = Take(path, kind == Kind::kShared ? LOCK_SH : LOCK_EX);
  if (!taken) {
    return taken.error();
  }
  return std::move(**taken);
}

bool LockFile::IsHeld(const fs::path& path) {
  const UniqueFd fd(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  return fd.valid() && ::flock(fd.get(), LOCK_EX | LOCK_NB) != 0;
}

void LockFile::Remove() {
  std::error_code ignored;
  fs::remove(path_, ignored);
}

}  // namespace edgewise

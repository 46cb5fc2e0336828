#include "datasets/cache_files.h"

#include <sys/stat.h>

#include "base/clock.h"

namespace edgewise {

namespace fs = std::filesystem;

std::vector<fs::path> Children(const fs::path& folder) {
  std::vector<fs::path> children;
  std::error_code error;
  for (fs::directory_iterator at(folder, error);
       !error && at != fs::directory_iterator(); at.increment(error)) {
    children.push_back(at->path());
  }
  return children;
}

void RemoveAll(const fs::path& path) {
  std::error_code error;
  fs::remove_all(path, error);
  if (!error) {
    return;
  }
  for (fs::recursive_directory_iterator at(path, error);
       !error && at != fs::recursive_directory_iterator();
       at.increment(error)) {
    std::error_code ignored;
    if (at->symlink_status(ignored).type() == fs::file_type::directory) {
      fs::permissions(at->path(), fs::perms::owner_all, fs::perm_options::add,
                      ignored);
    }
  }
  fs::remove_all(path, error);
}

void MakeReadable(const fs::path& folder) {
  std::error_code ignored;
  fs::permissions(folder, fs::perms(0755), ignored);
  for (fs::recursive_directory_iterator at(folder, ignored);
       !ignored && at != fs::recursive_directory_iterator();
       at.increment(ignored)) {
    std::error_code refused;
    const fs::file_status status = at->symlink_status(refused);
    if (status.type() == fs::file_type::directory) {
      fs::permissions(at->path(), fs::perms(0755), refused);
    } else if (status.type() == fs::file_type::regular &&
               (status.permissions() & fs::perms(0444)) != fs::perms(0444)) {
      fs::permissions(at->path(), fs::perms(0444), fs::perm_options::add,
                      refused);
    }
  }
}

int64_t BytesBelow(const fs::path& folder) {
  int64_t bytes = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error);
       !error && at != fs::recursive_directory_iterator();
       at.increment(error)) {
    struct stat status {};
    if (::lstat(at->path().c_str(), &status) == 0 && S_ISREG(status.st_mode)) {
      bytes += status.st_size;
    }
  }
  return bytes;
}

int64_t ChangedUtcNs(const fs::path& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0
             ? status.st_mtim.tv_sec * kNsPerSecond + status.st_mtim.tv_nsec
             : 0;
}

}  // namespace edgewise

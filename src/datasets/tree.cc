#include "datasets/tree.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "base/clock.h"
#include "base/sha256.h"
#include "base/unique_fd.h"
#include "datasets/entry_name.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;

constexpr size_t kReadBytes = 256 << 10;

Error Unreadable(const fs::path& path, int errno_value) {
  return {ErrorCodeFromErrno(errno_value),
          "cannot read " + path.string() + ": " + ErrnoText(errno_value)};
}

int64_t Ns(const timespec& time) {
  return time.tv_sec * kNsPerSecond + time.tv_nsec;
}

TreeEntry EntryOf(const struct stat& status) {
  TreeEntry entry;
  entry.bytes = status.st_size;
  entry.changed_ns = std::max(Ns(status.st_mtim), Ns(status.st_ctim));
  entry.version = std::to_string(status.st_dev) + ":" +
                  std::to_string(status.st_ino) + ":" +
                  std::to_string(status.st_size) + ":" +
                  std::to_string(Ns(status.st_mtim)) + ":" +
                  std::to_string(Ns(status.st_ctim));
  return entry;
}

Result<TreeEntry> ReadLink(const fs::path& path, std::string name,
                           const struct stat& status) {
  std::error_code error;
  const std::string target = fs::read_symlink(path, error).string();
  if (error) {
    return Unreadable(path, error.value());
  }
  if (!LinkStaysInside(name, target)) {
    return Error{ErrorCode::kCorrupt,
                 path.string() + " is a link that leads out of the dataset (" +
                     target + "): put what it means in its place"};
  }
  TreeEntry entry = EntryOf(status);
  entry.bytes = 0;
  entry.name = std::move(name);
  entry.link_target = target;
  return entry;
}

Result<void> ListFolder(const fs::path& folder, const std::string& below,
                        std::vector<TreeEntry>& entries) {
  std::error_code error;
  fs::directory_iterator at(folder, error);
  for (; !error && at != fs::directory_iterator(); at.increment(error)) {
    const fs::path& path = at->path();
    std::string name = below + path.filename().string();
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0) {
      return Unreadable(path, errno);
    }
    if (S_ISDIR(status.st_mode)) {
      if (auto listed = ListFolder(path, name + "/", entries); !listed) {
        return listed;
      }
    } else if (S_ISLNK(status.st_mode)) {
      auto link = ReadLink(path, std::move(name), status);
      if (!link) {
        return link.error();
      }
      entries.push_back(std::move(*link));
    } else if (S_ISREG(status.st_mode)) {
      entries.push_back(EntryOf(status));
      entries.back().name = std::move(name);
    } else {
      return Error{ErrorCode::kCorrupt,
                   path.string() +
                       " is neither a file nor a folder: a dataset has "
                       "nothing else, so remove it"};
    }
  }
  if (error) {
    return Unreadable(folder, error.value());
  }
  return {};
}

}  // namespace

Result<std::vector<TreeEntry>> ListTree(const fs::path& folder) {
  std::vector<TreeEntry> entries;
  if (auto listed = ListFolder(folder, "", entries); !listed) {
    return listed.error();
  }
  std::sort(
      entries.begin(), entries.end(),
      [](const TreeEntry& a, const TreeEntry& b) { return a.name < b.name; });
  return entries;
}

Result<std::string> HashFile(const fs::path& path,
                             const ReadListener& listener) {
  const UniqueFd file(
      ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  if (!file.valid()) {
    return Unreadable(path, errno);
  }
  Sha256 digest;
  std::vector<char> bytes(kReadBytes);
  for (;;) {
    const ssize_t count = ::read(file.get(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      return Unreadable(path, errno);
    }
    if (count == 0) {
      return digest.HexDigest();
    }
    digest.Update({bytes.data(), static_cast<size_t>(count)});
    if (listener && !listener(count)) {
      return Error{ErrorCode::kBusy, "reading the dataset was cancelled"};
    }
  }
}

Result<Manifest> HashTree(const fs::path& folder,
                          const std::vector<TreeEntry>& entries,
                          const ReadListener& listener) {
  Manifest manifest;
  for (const TreeEntry& entry : entries) {
    if (!entry.link_target.empty()) {
      manifest.AddLink(entry.name, entry.link_target);
      continue;
    }
    const auto sha256 = HashFile(folder / entry.name, listener);
    if (!sha256) {
      return sha256.error();
    }
    manifest.AddFile(entry.name, *sha256, entry.bytes);
  }
  return manifest;
}

Result<TreeEntry> StatFile(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    return Unreadable(path, errno);
  }
  return EntryOf(status);
}

}  // namespace edgewise

#include "controls/restore.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "controls/small_file.h"

namespace edgewise {
namespace {

// One part of a path, between two slashes.
struct Part {
  const char* text;
  size_t size;

  bool Is(const char* name) const {
    return strlen(name) == size && strncmp(text, name, size) == 0;
  }
  // "policy" and a number.
  bool IsPolicy() const {
    constexpr char kStart[] = "policy";
    constexpr size_t kStartSize = sizeof(kStart) - 1;
    return size > kStartSize && strncmp(text, kStart, kStartSize) == 0 &&
           strspn(text + kStartSize, "0123456789") == size - kStartSize;
  }
};

}  // namespace

bool IsRestorable(const char* path) {
  if (path[0] != '/' || strlen(path) >= kMaxRestorePath) {
    return false;
  }
  Part last[3] = {};  // the newest at the end
  for (const char* start = path + 1;;) {
    const Part part{start, strcspn(start, "/")};
    if (part.size == 0 || part.Is(".") || part.Is("..") ||
        memchr(part.text, '\n', part.size) != nullptr) {
      return false;
    }
    last[0] = last[1];
    last[1] = last[2];
    last[2] = part;
    if (start[part.size] == 0) {
      break;
    }
    start += part.size + 1;
  }
  const bool known =
      last[2].Is("scaling_min_freq") || last[2].Is("scaling_max_freq");
  return known && (last[1].Is("cpufreq") ||
                   (last[0].Is("cpufreq") && last[1].IsPolicy()));
}

int WriteValue(const char* path, int64_t value) {
  // Cut first, for files that do not replace their content as sysfs does.
  const int fd =
      open(path, O_WRONLY | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) {
    return errno;
  }
  FixedPath digits;
  digits.Append(value);
  const ssize_t put = write(fd, digits.c_str(), digits.size());
  const int error = put < 0 ? errno : 0;
  close(fd);
  return error;
}

int64_t ReadValue(const char* path) {
  char text[32];
  if (!ReadSmallFile(path, text, sizeof(text))) {
    return -1;
  }
  const char* rest = text;
  const int64_t value = ReadNumber(rest);
  const bool whole = rest[strspn(rest, " \n")] == 0;
  return whole && value >= 1 && value <= kMaxRestoreValue ? value : -1;
}

int LockValue(const char* path) {
  const int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) {
    return -errno;
  }
  if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
    const int error = errno == EWOULDBLOCK ? EBUSY : errno;
    close(fd);
    return -error;
  }
  return fd;
}

int RestoreValue(const char* path, int64_t value) {
  const int lock = LockValue(path);
  if (lock < 0) {
    return IsGone(-lock) ? 0 : -lock;
  }
  const int error = WriteValue(path, value);
  close(lock);
  return IsGone(error) ? 0 : error;
}

bool IsGone(int error) { return error == ENOENT || error == ENODEV; }

}  // namespace edgewise

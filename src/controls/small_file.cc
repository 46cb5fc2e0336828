#include "controls/small_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace edgewise {
namespace {

// A folder that a program nests deeper than this is left to the next sweep.
constexpr int kMaxDepth = 128;

int RemoveAt(int folder, const char* name, int depth) {
  if (unlinkat(folder, name, 0) == 0 || errno == ENOENT) {
    return 0;
  }
  if (errno != EISDIR && errno != EPERM) {
    return errno;
  }
  if (unlinkat(folder, name, AT_REMOVEDIR) == 0 || errno == ENOENT) {
    return 0;
  }
  if (errno != ENOTEMPTY && errno != EEXIST) {
    return errno;
  }
  if (depth >= kMaxDepth) {
    return ELOOP;
  }
  const int fd =
      openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) {
    return errno;
  }
  DIR* entries = fdopendir(fd);
  if (entries == nullptr) {
    const int error = errno;
    close(fd);
    return error;
  }
  int first_error = 0;
  while (const dirent* entry = readdir(entries)) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
      continue;
    }
    const int error = RemoveAt(fd, entry->d_name, depth + 1);
    if (first_error == 0) {
      first_error = error;
    }
  }
  closedir(entries);
  if (first_error != 0) {
    return first_error;
  }
  return unlinkat(folder, name, AT_REMOVEDIR) == 0 || errno == ENOENT ? 0
                                                                      : errno;
}

}  // namespace

FixedPath& FixedPath::Append(const char* text) {
  const size_t length = strlen(text);
  if (overflowed_ || length >= sizeof(text_) - size_) {
    overflowed_ = true;
    Truncate(0);
    return *this;
  }
  memcpy(text_ + size_, text, length + 1);
  size_ += length;
  return *this;
}

FixedPath& FixedPath::Append(int64_t number) {
  char digits[24];
  char* start = digits + sizeof(digits) - 1;
  *start = 0;
  uint64_t rest = number < 0 ? 0 - static_cast<uint64_t>(number)
                             : static_cast<uint64_t>(number);
  do {
    *--start = static_cast<char>('0' + rest % 10);
    rest /= 10;
  } while (rest != 0);
  if (number < 0) {
    *--start = '-';
  }
  return Append(start);
}

void FixedPath::Truncate(size_t size) {
  if (size <= size_) {
    size_ = size;
    text_[size_] = 0;
  }
}

bool ReadSmallFile(const char* path, char* buffer, size_t size) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    return false;
  }
  size_t used = 0;
  ssize_t got = 0;
  while (used + 1 < size) {
    got = read(fd, buffer + used, size - 1 - used);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      break;
    }
    used += static_cast<size_t>(got);
  }
  close(fd);
  buffer[used] = 0;
  return got >= 0;
}

int WriteExisting(const char* path, const char* text) {
  const int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) {
    return errno;
  }
  const ssize_t put = write(fd, text, strlen(text));
  const int error = put < 0 ? errno : 0;
  close(fd);
  return error;
}

int64_t ReadNumber(const char*& text) {
  int64_t number = 0;
  while (*text >= '0' && *text <= '9') {
    if (number > (INT64_MAX - 9) / 10) {
      return 0;
    }
    number = number * 10 + (*text++ - '0');
  }
  return number;
}

int64_t NowNs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

void PauseMs(int milliseconds) { poll(nullptr, 0, milliseconds); }

int RemoveTree(const char* path) { return RemoveAt(AT_FDCWD, path, 0); }

}  // namespace edgewise

#include "client/csv_log.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "client/csv_columns.h"

namespace edgewise::client {
namespace {

constexpr int kMaxFiles = 99;

// "log.csv" and 2 make "log-2.csv"; a name without extension gets it at the
// end. False if the result is too long.
bool NumberedPath(const char* path, int number, char (&result)[PATH_MAX]) {
  const size_t length = strlen(path);
  if (length + 4 > sizeof(result)) {
    return false;
  }
  if (number == 1) {
    memcpy(result, path, length + 1);
    return true;
  }
  const char* slash = strrchr(path, '/');
  const char* base = slash != nullptr ? slash + 1 : path;
  const char* dot = strrchr(base, '.');
  const size_t stem =
      dot != nullptr && dot != base ? static_cast<size_t>(dot - path) : length;
  char suffix[4] = {'-'};
  size_t suffix_bytes = 1;
  if (number >= 10) {
    suffix[suffix_bytes++] = static_cast<char>('0' + number / 10);
  }
  suffix[suffix_bytes++] = static_cast<char>('0' + number % 10);
  memcpy(result, path, stem);
  memcpy(result + stem, suffix, suffix_bytes);
  memcpy(result + stem + suffix_bytes, path + stem, length - stem + 1);
  return true;
}

// Writes the parts with one system call.
int WriteWhole(int fd, const LineBuffer* header, const LineBuffer& line) {
  iovec parts[2];
  int count = 0;
  size_t total = line.size();
  if (header != nullptr) {
    parts[count++] = {const_cast<char*>(header->data()), header->size()};
    total += header->size();
  }
  parts[count++] = {const_cast<char*>(line.data()), line.size()};
  const ssize_t written = writev(fd, parts, count);
  if (written < 0) {
    return errno;
  }
  return static_cast<size_t>(written) == total ? 0 : ENOSPC;
}

// Creates the file with header and first row already in it, so that nobody
// ever sees it without a header. EEXIST if somebody else was faster.
int CreateWithRow(const char* path, const LineBuffer& header,
                  const LineBuffer& line) {
  char directory[PATH_MAX];
  const char* slash = strrchr(path, '/');
  const size_t length =
      slash == nullptr ? 0 : static_cast<size_t>(slash - path);
  if (length == 0) {
    strcpy(directory, slash == nullptr ? "." : "/");
  } else {
    memcpy(directory, path, length);
    directory[length] = '\0';
  }
  int fd = open(directory, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  const bool nameless = fd >= 0;
  if (!nameless) {
    // This file system has no unnamed files.
    fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
  }
  if (fd < 0) {
    return errno;
  }
  int error = WriteWhole(fd, &header, line);
  if (error == 0 && nameless) {
    char link_path[32] = "/proc/self/fd/";
    size_t end = strlen(link_path);
    for (int divisor = 1'000'000'000; divisor > 0; divisor /= 10) {
      if (fd >= divisor || divisor == 1) {
        link_path[end++] = static_cast<char>('0' + fd / divisor % 10);
      }
    }
    if (linkat(AT_FDCWD, link_path, AT_FDCWD, path, AT_SYMLINK_FOLLOW) != 0) {
      error = errno;
    }
  }
  close(fd);
  return error;
}

enum class HeaderMatch { kSame, kOther, kEmpty };

HeaderMatch CompareHeader(int fd, const LineBuffer& header) {
  char text[sizeof(LineBuffer)];
  const ssize_t bytes = pread(fd, text, header.size(), 0);
  if (bytes <= 0) {
    return HeaderMatch::kEmpty;
  }
  const size_t columns = header.size() - 2;  // without "\r\n"
  const auto got = static_cast<size_t>(bytes);
  const bool same =
      got > columns && memcmp(text, header.data(), columns) == 0 &&
      (text[columns] == '\n' || (got > columns + 1 && text[columns] == '\r' &&
                                 text[columns + 1] == '\n'));
  return same ? HeaderMatch::kSame : HeaderMatch::kOther;
}

// ESTALE: the file has another header, try the next one.
int AppendToFile(const char* path, const LineBuffer& header,
                 const LineBuffer& line) {
  for (;;) {
    const int fd = open(path, O_RDWR | O_APPEND | O_CLOEXEC);
    if (fd >= 0) {
      const HeaderMatch match = CompareHeader(fd, header);
      const int error =
          match == HeaderMatch::kOther
              ? ESTALE
              : WriteWhole(fd, match == HeaderMatch::kEmpty ? &header : nullptr,
                           line);
      close(fd);
      return error;
    }
    if (errno != ENOENT) {
      return errno;
    }
    const int error = CreateWithRow(path, header, line);
    if (error != EEXIST) {
      return error;
    }
  }
}

}  // namespace

int AppendCsvRow(const char* path, const CsvRow& row) {
  LineBuffer header;
  LineBuffer line;
  if (!FormatCsvRow(row, header, line)) {
    return E2BIG;
  }
  char numbered[PATH_MAX];
  for (int number = 1; number <= kMaxFiles; ++number) {
    if (!NumberedPath(path, number, numbered)) {
      return ENAMETOOLONG;
    }
    const int error = AppendToFile(numbered, header, line);
    if (error != ESTALE) {
      return error;
    }
  }
  return EMFILE;
}

}  // namespace edgewise::client

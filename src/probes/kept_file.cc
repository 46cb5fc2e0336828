#include "probes/kept_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace edgewise {

std::optional<std::string_view> ReadAgain(int fd, std::string* buffer,
                                          bool one_record) {
  constexpr size_t kLeastBytes = 4096;
  if (buffer->size() < kLeastBytes) {
    buffer->resize(kLeastBytes);
  }
  size_t used = 0;
  while (true) {
    if (used == buffer->size()) {
      buffer->resize(buffer->size() * 2);
    }
    const ssize_t got =
        ::pread(fd, buffer->data() + used, buffer->size() - used,
                static_cast<off_t>(used));
    if (got < 0) {
      if (errno == EINTR) {
        continue;
      }
      return std::nullopt;
    }
    used += static_cast<size_t>(got);
    // Lists (cgroup.procs, children, net/dev) come in portions of about a page
    // that hold as many whole entries as fit: a portion of less than half of
    // that is the last one.
    if (got == 0 || used < kLeastBytes / 2 ||
        (one_record && used < buffer->size())) {
      return std::string_view(buffer->data(), used);
    }
  }
}

KeptFile::KeptFile(const std::filesystem::path& path)
    : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  error_ = fd_.valid() ? 0 : errno;
}

std::optional<std::string_view> KeptFile::Read(std::string* buffer,
                                               bool one_record) {
  if (!fd_.valid()) {
    return std::nullopt;
  }
  const auto text = ReadAgain(fd_.get(), buffer, one_record);
  error_ = text ? 0 : errno;
  return text;
}

}  // namespace edgewise

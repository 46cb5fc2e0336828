#include "base/file_bytes.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <string>
#include <utility>

namespace edgewise {

Result<FileBytes> FileBytes::Map(int fd, std::string_view name) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) {
    return Error{ErrorCodeFromErrno(errno),
                 "cannot read " + std::string(name) + ": " + ErrnoText()};
  }
  if (!S_ISREG(status.st_mode) || status.st_size <= 0) {
    return Error{ErrorCode::kInvalid, std::string(name) +
                                          " is not a regular file with "
                                          "content."};
  }
  const auto size = static_cast<size_t>(status.st_size);
  // Writable, because libelf notes in the headers which sections it unpacked;
  // private, so that the file never changes.
  void* mapped = ::mmap(nullptr, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_NORESERVE, fd, 0);
  if (mapped == MAP_FAILED) {
    return Error{ErrorCodeFromErrno(errno),
                 "cannot read " + std::string(name) + ": " + ErrnoText()};
  }
  FileBytes bytes;
  bytes.mapped_ = mapped;
  bytes.view_ = std::string_view(static_cast<const char*>(mapped), size);
  return bytes;
}

FileBytes::FileBytes(std::string_view bytes)
    : copy_(bytes.begin(), bytes.end()) {
  view_ = std::string_view(copy_.data(), copy_.size());
}

// The copy's bytes stay where they are when a vector is moved.
FileBytes::FileBytes(FileBytes&& other) noexcept
    : view_(std::exchange(other.view_, {})),
      copy_(std::move(other.copy_)),
      mapped_(std::exchange(other.mapped_, nullptr)) {}

FileBytes& FileBytes::operator=(FileBytes&& other) noexcept {
  std::swap(view_, other.view_);
  std::swap(copy_, other.copy_);
  std::swap(mapped_, other.mapped_);
  return *this;
}

FileBytes::~FileBytes() {
  if (mapped_ != nullptr) {
    ::munmap(mapped_, view_.size());
  }
}

}  // namespace edgewise

// FileBytes: the one owner of a file's content in memory.
#ifndef EDGEWISE_BASE_FILE_BYTES_H_
#define EDGEWISE_BASE_FILE_BYTES_H_

#include <string_view>
#include <vector>

#include "base/result.h"

namespace edgewise {

// Mapped, so that only what is looked at takes memory. A file that somebody
// cuts short while it is read ends the reader with SIGBUS, as for every
// program that maps files: read files of strangers in a process of its own.
class FileBytes {
 public:
  // `fd` may be closed afterwards. `name` is for the error.
  static Result<FileBytes> Map(int fd, std::string_view name);
  // A copy.
  explicit FileBytes(std::string_view bytes);

  FileBytes(FileBytes&& other) noexcept;
  FileBytes& operator=(FileBytes&& other) noexcept;
  ~FileBytes();

  std::string_view view() const { return view_; }

 private:
  FileBytes() = default;

  std::string_view view_;
  std::vector<char> copy_;
  void* mapped_ = nullptr;
};

}  // namespace edgewise

#endif  // EDGEWISE_BASE_FILE_BYTES_H_

// KeptFile: a small /proc, /sys or cgroup file that is read again and again.
//
// The descriptor stays open between reads, which saves the path walk and, in
// /proc, makes a reused pid harmless: the descriptor of a dead process keeps
// answering ESRCH. Not thread-safe.
#ifndef EDGEWISE_PROBES_KEPT_FILE_H_
#define EDGEWISE_PROBES_KEPT_FILE_H_

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/unique_fd.h"

namespace edgewise {

// Reads the file behind `fd` from its start into `buffer` (which grows as
// needed and keeps its size). The view is valid until the buffer changes.
// nullopt if the file cannot be read; errno says why. For files of the kernel
// only, whose entries are lines of less than 2 KiB. With `one_record` a single
// system call is always enough, because the kernel writes the file in one
// piece (stat, schedstat, status, io of a process).
std::optional<std::string_view> ReadAgain(int fd, std::string* buffer,
                                          bool one_record = false);

class KeptFile {
 public:
  KeptFile() = default;
  // Opens at once; a file that is not there is simply never readable.
  explicit KeptFile(const std::filesystem::path& path);

  bool open() const { return fd_.valid(); }
  // errno of the failed open or read; 0 if the last one worked.
  int error() const { return error_; }
  std::optional<std::string_view> Read(std::string* buffer,
                                       bool one_record = false);

 private:
  UniqueFd fd_;
  int error_ = 0;
};

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_KEPT_FILE_H_

// JobLog: what a job printed, in a file up to a limit, and told to whoever
// follows it.
//
// Not thread-safe.
#ifndef EDGEWISE_JOBS_JOB_LOG_H_
#define EDGEWISE_JOBS_JOB_LOG_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/unique_fd.h"

namespace edgewise {

class JobLog {
 public:
  // Goes on behind what the file has already.
  static Result<JobLog> Open(const std::filesystem::path& file,
                             int64_t limit_bytes);

  // What of the text was kept: all of it, or its beginning and a line that says
  // that the rest is not; empty from then on.
  std::string Write(std::string_view text);

 private:
  JobLog(UniqueFd fd, int64_t size, int64_t limit_bytes)
      : fd_(std::move(fd)), size_(size), limit_bytes_(limit_bytes) {}

  UniqueFd fd_;
  int64_t size_;
  int64_t limit_bytes_;
  bool cut_ = false;
};

// From an offset on; empty if there is nothing (yet).
std::string ReadLogFile(const std::filesystem::path& file, int64_t from,
                        int64_t most);

}  // namespace edgewise

#endif  // EDGEWISE_JOBS_JOB_LOG_H_

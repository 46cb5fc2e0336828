#include "jobs/job_log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/units.h"
#include "base/write_all.h"

namespace edgewise {

Result<JobLog> JobLog::Open(const std::filesystem::path& file,
                            int64_t limit_bytes) {
  UniqueFd fd(
      ::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  struct stat status {};
  if (!fd.valid() || ::fstat(fd.get(), &status) != 0) {
    return Error{ErrorCodeFromErrno(errno),
                 "cannot write " + file.string() + " (" + ErrnoText() + ")"};
  }
  return JobLog(std::move(fd), status.st_size, limit_bytes);
}

std::string JobLog::Write(std::string_view text) {
  if (cut_) {
    return "";
  }
  const int64_t room = std::max<int64_t>(0, limit_bytes_ - size_);
  std::string kept(text.substr(0, static_cast<size_t>(room)));
  if (kept.size() < text.size()) {
    cut_ = true;
    kept += "\n[edgewise: the log ends here, it may have " +
            FormatBytes(static_cast<double>(limit_bytes_)) + "]\n";
  }
  // On a full disk the job goes on; those who follow it still see its words.
  (void)WriteAll(fd_.get(), kept);
  size_ += static_cast<int64_t>(kept.size());
  return kept;
}

std::string ReadLogFile(const std::filesystem::path& file, int64_t from,
                        int64_t most) {
  const UniqueFd fd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd.valid()) {
    return "";
  }
  std::string text(static_cast<size_t>(most), '\0');
  size_t have = 0;
  while (have < text.size()) {
    const ssize_t got =
        ::pread(fd.get(), text.data() + have, text.size() - have,
                static_cast<off_t>(from + static_cast<int64_t>(have)));
    if (got <= 0) {
      break;
    }
    have += static_cast<size_t>(got);
  }
  text.resize(have);
  return text;
}

}  // namespace edgewise

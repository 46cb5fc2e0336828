#include "probes/pss.h"

#include <algorithm>
#include <cerrno>

#include "base/result.h"
#include "probes/kept_file.h"
#include "probes/process_text.h"
#include "probes/small_files.h"

namespace edgewise {

PssProbe::PssProbe(PssOptions options) : options_(std::move(options)) {}

std::optional<int64_t> PssProbe::ReadBytes(const std::vector<pid_t>& pids) {
  const int64_t start_ns = options_.clock();
  int64_t sum_bytes = 0;
  why_not_.clear();
  for (const pid_t pid : pids) {
    const std::filesystem::path folder =
        options_.proc_root / std::to_string(pid);
    KeptFile file(folder / "smaps_rollup");
    const auto text = file.Read(&buffer_);
    if (const auto bytes = text ? ParsePssBytes(*text) : std::nullopt) {
      sum_bytes += *bytes;
      continue;
    }
    const int error = file.error();
    if (error == ESRCH || (error == ENOENT && !Exists(folder))) {
      continue;  // ended
    }
    if (text && text->empty()) {
      continue;  // a zombie or a kernel thread has no memory
    }
    if (error == EACCES || error == EPERM) {
      why_not_ = "reading smaps_rollup of process " + std::to_string(pid) +
                 " is not permitted; run edgewise as the same user, or with "
                 "CAP_SYS_PTRACE";
    } else if (error == ENOENT) {
      why_not_ =
          "this kernel has no /proc/PID/smaps_rollup (Linux 4.14 with "
          "CONFIG_PROC_PAGE_MONITOR)";
    } else {
      why_not_ = "smaps_rollup of process " + std::to_string(pid) +
                 " cannot be read" +
                 (error != 0 ? ": " + ErrnoText(error) : std::string());
    }
    break;
  }
  const int64_t end_ns = options_.clock();
  const double pause_ns =
      static_cast<double>(end_ns - start_ns) / options_.most_share_of_time;
  next_ns_ = end_ns + std::max(options_.least_interval_ns,
                               static_cast<int64_t>(pause_ns));
  return why_not_.empty() ? std::optional(sum_bytes) : std::nullopt;
}

}  // namespace edgewise

#include "live/app_probe.h"

#include <algorithm>
#include <vector>

#include "base/clock.h"
#include "base/text.h"
#include "probes/process_members.h"

namespace edgewise::live {
namespace {

// Threads and block I/O are looked at that often.
constexpr int64_t kDetailEveryNs = 5 * kNsPerSecond;
// Whether a cgroup has become, or ceased to be, the app's own.
constexpr int kReadsBetweenChecks = 10;
// A thousand apps must not use up this process's descriptors.
constexpr size_t kMostOpenFiles = 4;

ProcessTreeOptions TreeOptions(pid_t pid) {
  ProcessTreeOptions options;
  options.roots = {pid};
  options.from_now = true;
  options.slow_interval_ns = kDetailEveryNs;
  options.most_open_files = kMostOpenFiles;
  return options;
}

CgroupFolders FoldersOf(pid_t pid) {
  auto folders = CgroupFoldersOf(std::to_string(pid));
  return folders ? std::move(*folders) : CgroupFolders{};
}

}  // namespace

std::optional<int64_t> WorkingSetBytes(std::optional<int64_t> memory_bytes,
                                       std::string_view memory_stat) {
  auto inactive = FindKeyedInt(memory_stat, "total_inactive_file");
  if (!inactive) {
    inactive = FindKeyedInt(memory_stat, "inactive_file");
  }
  if (!memory_bytes || !inactive) {
    return std::nullopt;
  }
  return std::max<int64_t>(0, *memory_bytes - *inactive);
}

AppProbe::AppProbe(pid_t pid, bool in_container)
    : in_container_(in_container),
      found_cgroup_(FoldersOf(pid)),
      tree_(TreeOptions(pid)) {}

bool AppProbe::CgroupIsOwn() const {
  if (in_container_) {
    return !found_cgroup_.empty();
  }
  const std::filesystem::path& folder = !found_cgroup_.unified.empty()
                                            ? found_cgroup_.unified
                                            : found_cgroup_.memory;
  // The root of a tree is everybody's, and lists too many.
  if (folder.empty() ||
      !std::filesystem::exists(folder.parent_path() / "cgroup.procs")) {
    return false;
  }
  std::vector<pid_t> members;
  CgroupMembers(folder).Find(&members);
  const std::vector<pid_t> own = tree_.pids();
  return !members.empty() &&
         std::all_of(members.begin(), members.end(), [&](pid_t pid) {
           return std::find(own.begin(), own.end(), pid) != own.end();
         });
}

void AppProbe::OpenCgroup() {
  const bool own = CgroupIsOwn();
  if (own == cgroup_.has_value()) {
    return;
  }
  if (!own) {
    cgroup_.reset();
    own_cgroup_ = {};
    return;
  }
  own_cgroup_ = found_cgroup_;
  cgroup_.emplace(own_cgroup_);
  memory_stat_ = {};
  if (!own_cgroup_.unified.empty()) {
    memory_stat_ = KeptFile(own_cgroup_.unified / "memory.stat");
  }
  if (!memory_stat_.open() && !own_cgroup_.memory.empty()) {
    memory_stat_ = KeptFile(own_cgroup_.memory / "memory.stat");
  }
}

void AppProbe::ReadCgroup(AppReading* reading) {
  const CgroupStats stats = cgroup_->Read();
  reading->throttled_periods = stats.throttled_periods;
  reading->throttled_ns = stats.throttled_ns;
  reading->oom_kills = stats.oom_kills;
  reading->cpu_pressure = stats.cpu_pressure;
  reading->memory_pressure = stats.memory_pressure;
  reading->io_pressure = stats.io_pressure;
  if (const auto text = memory_stat_.Read(&buffer_)) {
    reading->working_set_bytes = WorkingSetBytes(stats.memory_bytes, *text);
  }
}

AppReading AppProbe::Read(int64_t now_ns) {
  const TreeSample sample = tree_.Sample(now_ns);
  AppReading reading;
  reading.at_ns = now_ns;
  reading.cpu_ns = sample.use.cpu_ns;
  reading.rss_bytes = sample.rss_bytes;
  reading.threads = sample.threads;
  reading.processes = sample.processes;
  reading.read_bytes = tree_.detail().read_bytes;
  reading.write_bytes = tree_.detail().write_bytes;
  // The kernel counts in ticks: a short stretch says nothing.
  if (last_ns_ && now_ns - *last_ns_ > 100 * kNsPerMs) {
    reading.cpu_percent = 100 *
                          static_cast<double>(reading.cpu_ns - last_cpu_ns_) /
                          static_cast<double>(now_ns - *last_ns_);
  }
  last_ns_ = now_ns;
  last_cpu_ns_ = reading.cpu_ns;
  if (reads_++ % kReadsBetweenChecks == 0) {
    OpenCgroup();
  }
  if (cgroup_) {
    ReadCgroup(&reading);
  }
  return reading;
}

}  // namespace edgewise::live

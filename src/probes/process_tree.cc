#include "probes/process_tree.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>

#include "base/result.h"
#include "probes/cpu_stat.h"
#include "probes/process_tree_member.h"
#include "probes/small_files.h"

namespace edgewise {
namespace {

const std::filesystem::path& MemberFolder(const CgroupFolders& cgroup) {
  for (const std::filesystem::path* folder :
       {&cgroup.unified, &cgroup.cpu, &cgroup.cpuacct, &cgroup.memory}) {
    if (!folder->empty()) {
      return *folder;
    }
  }
  return cgroup.blkio;
}

}  // namespace

int64_t BootClockNs() {
  timespec time{};
  ::clock_gettime(CLOCK_BOOTTIME, &time);
  return time.tv_sec * kNsPerSecond + time.tv_nsec;
}

ProcessTree::ProcessTree(ProcessTreeOptions options)
    : options_(std::move(options)),
      child_finder_(options_.proc_root),
      excluded_(options_.proc_root, options_.exclude),
      cpu_clocks_(options_.proc_root == "/proc"),
      threads_(options_.proc_root, options_.most_open_files),
      slow_clock_(options_.slow_interval_ns, options_.most_slow_share_of_time) {
  if (!options_.cgroup.empty()) {
    cgroup_members_.emplace(MemberFolder(options_.cgroup));
  }
}

ProcessTree::~ProcessTree() = default;

TreeSample ProcessTree::Sample(int64_t now_ns) {
  return SampleWith(now_ns, slow_clock_.Due(now_ns));
}

TreeSample ProcessTree::SampleAll(int64_t now_ns) {
  return SampleWith(now_ns, true);
}

TreeSample ProcessTree::SampleWith(int64_t now_ns, bool slow) {
  const int64_t start_ns = slow ? ProcessCpuNs() : 0;
  if (first_ && options_.from_now) {
    attached_ticks_ =
        options_.boot_clock_ns() / (kNsPerSecond / TicksPerSecond());
  }
  FindMembers(slow);
  if (slow) {
    io_error_ = 0;
  }
  std::vector<pid_t> gone;
  std::vector<pid_t> replaced;
  for (auto& [pid, process] : processes_) {
    switch (LookAt(pid, slow, process.get())) {
      case Look::kAlive:
        break;
      case Look::kReplaced:
        replaced.push_back(pid);
        [[fallthrough]];
      case Look::kGone:
        gone.push_back(pid);
        break;
    }
  }
  account_.Leave(gone);
  for (const pid_t pid : gone) {
    const auto at = processes_.find(pid);
    open_files_ -= at->second->kept ? Files::kCount : 0;
    processes_.erase(at);
  }
  // A reused pid was found as a member, or it would not be looked at by number.
  for (const pid_t pid : replaced) {
    if (std::find(found_.begin(), found_.end(), pid) != found_.end()) {
      AddMember(pid);
      if (const auto at = processes_.find(pid); at != processes_.end()) {
        LookAt(pid, slow, at->second.get());
      }
    }
  }

  TreeSample sample;
  sample.use = account_.Total();
  for (const auto& [pid, process] : processes_) {
    if (process->dead) {
      continue;
    }
    sample.rss_bytes += process->rss_bytes;
    sample.threads += process->threads;
    ++sample.processes;
  }
  if (slow) {
    LookAtThreads();
    detail_.sums = threads_.sums();
    detail_.read_bytes.reset();
    detail_.write_bytes.reset();
    if (io_error_ == 0) {
      detail_.read_bytes = sample.use.read_bytes;
      detail_.write_bytes = sample.use.write_bytes;
    }
    sample.detail_is_new = true;
    slow_clock_.Looked(now_ns, ProcessCpuNs() - start_ns);
  }
  first_ = false;
  return sample;
}

void ProcessTree::LookAtThreads() {
  std::vector<ThreadTable::Process> live;
  for (const auto& [pid, process] : processes_) {
    if (!process->dead) {
      live.push_back({pid, process->threads});
    }
  }
  threads_.Look(live, PastTicks());
}

int64_t ProcessTree::PastTicks() const {
  // Whatever is there at the first look was there before.
  return first_ && options_.from_now ? std::numeric_limits<int64_t>::max()
                                     : attached_ticks_;
}

void ProcessTree::FindMembers(bool slow) {
  found_.clear();
  if (!options_.roots.empty() || !excluded_.empty()) {
    child_finder_.Begin(slow);
  }
  if (!excluded_.empty()) {
    excluded_.FindDescendants(&child_finder_, slow);
  }
  if (cgroup_members_) {
    cgroup_members_->Find(&found_);
    for (const pid_t pid : found_) {
      AddMember(pid);
    }
  }
  // Who left the cgroup is looked for in the slow look only.
  const bool cgroup_suffices =
      cgroup_members_ && options_.light_samples && !slow;
  if (options_.roots.empty() || cgroup_suffices) {
    return;
  }
  // Members whose children are still to be looked for.
  std::vector<pid_t> open;
  for (const pid_t root : options_.roots) {
    if (options_.include_roots) {
      if (first_) {
        AddMember(root);  // only at first: its pid may be reused later
      }
    } else {
      open.push_back(root);
    }
  }
  for (const auto& [pid, process] : processes_) {
    open.push_back(pid);
  }
  while (!open.empty()) {
    const pid_t parent = open.back();
    open.pop_back();
    const auto at = processes_.find(parent);
    KeptFile* const list = at != processes_.end() && at->second->kept
                               ? &at->second->kept->children
                               : nullptr;
    const size_t before = found_.size();
    child_finder_.Find(parent, list, &found_);
    if (slow) {
      child_finder_.FindOfThreads(parent, TidsOf(parent), &found_);
    }
    for (size_t i = before; i < found_.size(); ++i) {
      if (processes_.contains(found_[i])) {
        continue;
      }
      AddMember(found_[i]);
      if (processes_.contains(found_[i])) {
        open.push_back(found_[i]);
      }
    }
  }
}

// The threads of a process: those of the last look where their number has not
// changed since.
std::vector<pid_t> ProcessTree::TidsOf(pid_t pid) const {
  std::vector<pid_t> tids = threads_.Tids(pid);
  const auto at = processes_.find(pid);
  if (tids.empty() || at == processes_.end() ||
      static_cast<int64_t>(tids.size()) != at->second->threads) {
    tids = NumberedEntries(options_.proc_root / std::to_string(pid) / "task");
  }
  return tids;
}

void ProcessTree::AddMember(pid_t pid) {
  if (processes_.contains(pid) || (cpu_clocks_ && pid == ::getpid()) ||
      excluded_.Contains(pid)) {
    return;
  }
  auto process = std::make_unique<Process>();
  if (open_files_ + Files::kCount <= options_.most_open_files) {
    auto files = std::make_unique<Files>(
        options_.proc_root / std::to_string(pid),
        options_.roots.empty() ? KeptFile() : child_finder_.OpenList(pid));
    if (files->stat.open()) {
      process->kept = std::move(files);
      open_files_ += Files::kCount;
    }
  }
  clockid_t clock = 0;
  if (cpu_clocks_ && clock_getcpuclockid(pid, &clock) == 0) {
    process->cpu_clock = clock;
  }
  processes_.emplace(pid, std::move(process));
}

std::vector<pid_t> ProcessTree::pids() const {
  std::vector<pid_t> pids;
  for (const auto& [pid, process] : processes_) {
    if (!process->dead) {
      pids.push_back(pid);
    }
  }
  std::sort(pids.begin(), pids.end());
  return pids;
}

std::vector<Unavailable> ProcessTree::unavailable() const {
  std::vector<Unavailable> missing;
  if (io_error_ == EACCES || io_error_ == EPERM) {
    missing.push_back({"block I/O",
                       "reading /proc/PID/io of another user's process is not "
                       "permitted; run edgewise as the same user, or with "
                       "CAP_SYS_PTRACE"});
  } else if (io_error_ == ENOENT) {
    missing.push_back({"block I/O",
                       "this kernel has no /proc/PID/io "
                       "(CONFIG_TASK_IO_ACCOUNTING)"});
  } else if (io_error_ != 0) {
    missing.push_back(
        {"block I/O", "/proc/PID/io cannot be read: " + ErrnoText(io_error_)});
  }
  if (!options_.roots.empty() && !child_finder_.has_lists()) {
    missing.push_back({"processes that live less than a second",
                       "this kernel lists no children of a process "
                       "(CONFIG_PROC_CHILDREN), so they are looked for once "
                       "a second"});
  }
  return missing;
}

}  // namespace edgewise

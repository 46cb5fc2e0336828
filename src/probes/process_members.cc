#include "probes/process_members.h"

#include <dirent.h>
#include <sys/stat.h>

#include <limits>
#include <memory>
#include <utility>

#include "base/text.h"
#include "probes/process_text.h"
#include "probes/small_files.h"

namespace edgewise {
namespace {

using Directory = std::unique_ptr<DIR, int (*)(DIR*)>;

Directory OpenDirectory(const std::filesystem::path& folder) {
  return Directory(::opendir(folder.c_str()), &::closedir);
}

// False only if the file system says that there is no folder below. Kernel
// file systems count subfolders in the links of a folder; some others always
// say 1.
bool MayHaveSubfolders(const std::filesystem::path& folder) {
  struct stat info {};
  if (::stat(folder.c_str(), &info) != 0) {
    return false;
  }
  return info.st_nlink != 2;
}

}  // namespace

std::vector<pid_t> NumberedEntries(const std::filesystem::path& folder) {
  std::vector<pid_t> numbers;
  const Directory directory = OpenDirectory(folder);
  if (!directory) {
    return numbers;
  }
  while (const dirent* entry = ::readdir(directory.get())) {
    const auto number = ParseInt(entry->d_name);
    if (number && *number > 0 && *number <= std::numeric_limits<pid_t>::max()) {
      numbers.push_back(static_cast<pid_t>(*number));
    }
  }
  return numbers;
}

CgroupMembers::CgroupMembers(const std::filesystem::path& folder)
    : folder_(folder), procs_(folder / "cgroup.procs") {}

void CgroupMembers::Find(std::vector<pid_t>* pids) {
  if (const auto text = procs_.Read(&buffer_)) {
    AppendPids(*text, pids);
  }
  constexpr int kMostDepth = 32;  // deeper than any container nests
  FindBelow(folder_, kMostDepth, pids);
}

void CgroupMembers::FindBelow(const std::filesystem::path& folder, int depth,
                              std::vector<pid_t>* pids) {
  if (depth == 0 || !MayHaveSubfolders(folder)) {
    return;
  }
  const Directory directory = OpenDirectory(folder);
  if (!directory) {
    return;
  }
  while (const dirent* entry = ::readdir(directory.get())) {
    const std::string_view name = entry->d_name;
    if (entry->d_type != DT_DIR || name == "." || name == "..") {
      continue;
    }
    const std::filesystem::path below = folder / name;
    if (const auto text = KeptFile(below / "cgroup.procs").Read(&buffer_)) {
      AppendPids(*text, pids);
    }
    FindBelow(below, depth - 1, pids);
  }
}

ChildFinder::ChildFinder(std::filesystem::path proc_root)
    : proc_root_(std::move(proc_root)) {
  // thread-self is always there in a real /proc; a fake one has none, and
  // decides by the file of any process.
  has_lists_ = Exists(proc_root_ / "thread-self/children");
  if (!has_lists_) {
    for (const pid_t pid : NumberedEntries(proc_root_)) {
      if (OpenList(pid).open()) {
        has_lists_ = true;
        break;
      }
    }
  }
}

KeptFile ChildFinder::OpenList(pid_t pid) const {
  const std::string id = std::to_string(pid);
  return KeptFile(proc_root_ / id / "task" / id / "children");
}

void ChildFinder::Begin(bool thorough) {
  if (!has_lists_ && thorough) {
    ScanParents();
  }
}

void ChildFinder::ScanParents() {
  children_.clear();
  for (const pid_t pid : NumberedEntries(proc_root_)) {
    KeptFile file(proc_root_ / std::to_string(pid) / "stat");
    const auto text = file.Read(&buffer_, true);
    const auto stat = text ? ParseProcStat(*text) : std::nullopt;
    if (stat) {
      children_.emplace(stat->parent_pid, pid);
    }
  }
}

void ChildFinder::Find(pid_t pid, KeptFile* kept, std::vector<pid_t>* pids) {
  if (!has_lists_) {
    const auto [first, last] = children_.equal_range(pid);
    for (auto it = first; it != last; ++it) {
      pids->push_back(it->second);
    }
    return;
  }
  KeptFile opened;
  if (kept == nullptr || !kept->open()) {
    opened = OpenList(pid);
    kept = &opened;
  }
  if (const auto text = kept->Read(&buffer_)) {
    AppendPids(*text, pids);
  }
}

void ChildFinder::FindOfThreads(pid_t pid, const std::vector<pid_t>& tids,
                                std::vector<pid_t>* pids) {
  if (!has_lists_) {
    return;
  }
  const std::filesystem::path tasks = proc_root_ / std::to_string(pid) / "task";
  for (const pid_t tid : tids) {
    if (tid == pid) {
      continue;
    }
    if (const auto text =
            KeptFile(tasks / std::to_string(tid) / "children").Read(&buffer_)) {
      AppendPids(*text, pids);
    }
  }
}

ExcludedProcesses::ExcludedProcesses(std::filesystem::path proc_root,
                                     const std::vector<pid_t>& pids)
    : proc_root_(std::move(proc_root)) {
  for (const pid_t pid : pids) {
    if (const auto process = Read(pid)) {
      start_ticks_.emplace(pid, process->start_ticks);
    }
  }
}

std::optional<ExcludedProcesses::Process> ExcludedProcesses::Read(pid_t pid) {
  KeptFile file(proc_root_ / std::to_string(pid) / "stat");
  const auto text = file.Read(&buffer_, true);
  const auto stat = text ? ParseProcStat(*text) : std::nullopt;
  return stat ? std::optional(Process{stat->parent_pid, stat->start_ticks})
              : std::nullopt;
}

void ExcludedProcesses::FindDescendants(ChildFinder* finder, bool all_threads) {
  std::vector<pid_t> open;
  for (auto at = start_ticks_.begin(); at != start_ticks_.end();) {
    const auto process = Read(at->first);
    if (process && process->start_ticks == at->second) {
      open.push_back(at->first);
      ++at;
    } else {
      at = start_ticks_.erase(at);
    }
  }
  std::vector<pid_t> children;
  while (!open.empty()) {
    const pid_t parent = open.back();
    open.pop_back();
    children.clear();
    finder->Find(parent, nullptr, &children);
    if (all_threads) {
      finder->FindOfThreads(
          parent, NumberedEntries(proc_root_ / std::to_string(parent) / "task"),
          &children);
    }
    for (const pid_t child : children) {
      const auto process = Read(child);
      if (process && start_ticks_.emplace(child, process->start_ticks).second) {
        open.push_back(child);
      }
    }
  }
}

bool ExcludedProcesses::Contains(pid_t pid) {
  if (start_ticks_.empty()) {
    return false;
  }
  const auto process = Read(pid);
  if (!process) {
    return start_ticks_.contains(pid);
  }
  if (const auto at = start_ticks_.find(pid); at != start_ticks_.end()) {
    if (at->second == process->start_ticks) {
      return true;
    }
    start_ticks_.erase(at);
  }
  if (!start_ticks_.contains(process->parent_pid)) {
    return false;
  }
  start_ticks_.emplace(pid, process->start_ticks);
  return true;
}

}  // namespace edgewise

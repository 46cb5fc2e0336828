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

}  // namespace edgewise

#include "execution/running_program.h"

#include <unistd.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "controls/process_tree.h"
#include "probes/process_members.h"
#include "probes/process_text.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;

// The words of /proc/PID/cmdline; empty for kernel threads and what is gone.
std::vector<std::string> WordsOf(const fs::path& folder) {
  std::vector<std::string> words;
  const auto text = TryReadFile(folder / "cmdline");
  if (!text || text->empty()) {
    return words;
  }
  for (const std::string_view word : Split(*text, '\0')) {
    words.emplace_back(word);
  }
  words.pop_back();  // after the last zero
  return words;
}

pid_t ParentOf(const fs::path& folder) {
  const auto text = TryReadFile(folder / "stat");
  const auto stat = text ? ParseProcStat(*text) : std::nullopt;
  return stat && !stat->dead() ? stat->parent_pid : 0;
}

}  // namespace

bool IsCommand(const std::vector<std::string>& words,
               const std::vector<std::string>& command) {
  if (words.empty() || words.size() != command.size() ||
      !std::equal(words.begin() + 1, words.end(), command.begin() + 1)) {
    return false;
  }
  if (words.front() == command.front()) {
    return true;
  }
  const fs::path ran(words.front());
  const fs::path meant(command.front());
  if (ran.filename() != meant.filename()) {
    return false;
  }
  std::error_code error;
  return !ran.has_parent_path() || !meant.has_parent_path() ||
         ran.is_relative() || meant.is_relative() ||
         fs::equivalent(ran, meant, error);
}

std::vector<pid_t> ProcessesRunning(const std::vector<std::string>& command,
                                    const fs::path& proc_root) {
  std::vector<pid_t> found;
  std::set<pid_t> all;
  for (const pid_t pid : NumberedEntries(proc_root)) {
    if (pid != ::getpid() && !command.empty() &&
        IsCommand(WordsOf(proc_root / std::to_string(pid)), command) &&
        ParentOf(proc_root / std::to_string(pid)) != 0) {
      all.insert(pid);
    }
  }
  std::copy_if(
      all.begin(), all.end(), std::back_inserter(found), [&](pid_t pid) {
        return !all.contains(ParentOf(proc_root / std::to_string(pid)));
      });
  return found;
}

std::vector<ProgramThread> ThreadsOf(pid_t process) {
  std::vector<ProgramThread> threads;
  ChildFinder finder("/proc");
  finder.Begin(/*thorough=*/true);
  std::set<pid_t> seen{process};
  std::vector<pid_t> waiting{process};
  while (!waiting.empty()) {
    const pid_t pid = waiting.back();
    waiting.pop_back();
    const std::vector<pid_t> tids =
        NumberedEntries("/proc/" + std::to_string(pid) + "/task");
    for (const pid_t tid : tids) {
      if (const auto start = StartTicks(tid)) {
        threads.push_back({pid, tid, *start});
      }
    }
    std::vector<pid_t> children;
    finder.Find(pid, nullptr, &children);
    finder.FindOfThreads(pid, tids, &children);
    for (const pid_t child : children) {
      if (seen.insert(child).second) {
        waiting.push_back(child);
      }
    }
  }
  return threads;
}

std::optional<uint64_t> StartTicks(pid_t pid) {
  ProcessEntry entry;
  return ReadProcess(pid, &entry) && !entry.dead
             ? std::optional(entry.start_ticks)
             : std::nullopt;
}

}  // namespace edgewise

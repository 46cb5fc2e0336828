#include "controls/process_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace edgewise {
namespace {

// Kernel numbers, where the C library's headers are older.
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif

// The process's name may hold blanks and brackets: fields count from the last
// closing bracket. Field numbers as in proc(5).
bool ParseStat(const char* text, ProcessEntry* entry) {
  const char* at = strrchr(text, ')');
  if (at == nullptr || at[1] != ' ') {
    return false;
  }
  at += 2;
  const char state = *at;
  int64_t threads = 0;
  for (int field = 3; field <= 22 && *at != 0; ++field) {
    const char* value = at;
    switch (field) {
      case 4:
        entry->parent = static_cast<pid_t>(ReadNumber(value));
        break;
      case 5:
        entry->group = static_cast<pid_t>(ReadNumber(value));
        break;
      case 20:
        threads = ReadNumber(value);
        break;
      case 22:
        entry->start_ticks = static_cast<uint64_t>(ReadNumber(value));
        // A leader that ended before its threads also reads Z.
        entry->dead = (state == 'Z' || state == 'X') && threads <= 1;
        return true;
    }
    while (*at != 0 && *at != ' ') {
      ++at;
    }
    if (*at == ' ') {
      ++at;
    }
  }
  return false;
}

// Looks for one of the zero-terminated pieces of a file, which may be larger
// than any buffer of ours.
bool FileHasPiece(const char* path, const char* wanted) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    return false;
  }
  char buffer[4096];
  size_t matched = 0;
  bool may_match = true;
  bool found = false;
  const size_t length = strlen(wanted) + 1;
  ssize_t got = 0;
  while (!found && (got = read(fd, buffer, sizeof(buffer))) > 0) {
    for (ssize_t i = 0; i < got && !found; ++i) {
      if (may_match && buffer[i] == wanted[matched]) {
        found = ++matched == length;
      } else {
        may_match = false;
      }
      if (buffer[i] == 0) {
        may_match = true;
        matched = 0;
      }
    }
  }
  close(fd);
  return found;
}

bool SendSignal(const ProcessEntry& process, int signal) {
  const int fd = static_cast<int>(syscall(SYS_pidfd_open, process.pid, 0));
  if (fd < 0 && errno != ENOSYS) {
    return false;
  }
  // The pidfd holds whoever has the pid now: check that it is still the one.
  ProcessEntry now;
  bool sent = false;
  if (ReadProcess(process.pid, &now) &&
      now.start_ticks == process.start_ticks) {
    sent = fd >= 0 ? syscall(SYS_pidfd_send_signal, fd, signal, nullptr, 0) == 0
                   : kill(process.pid, signal) == 0;
  }
  if (fd >= 0) {
    close(fd);
  }
  return sent;
}

}  // namespace

bool ReadProcess(pid_t pid, ProcessEntry* entry) {
  char text[1024];
  FixedPath path("/proc/");
  path.Append(int64_t{pid}).Append("/stat");
  *entry = ProcessEntry();
  entry->pid = pid;
  return ReadSmallFile(path.c_str(), text, sizeof(text)) &&
         ParseStat(text, entry);
}

void ProcessTable::Scan() {
  count_ = 0;
  DIR* proc = opendir("/proc");
  if (proc == nullptr) {
    return;
  }
  while (const dirent* entry = readdir(proc)) {
    const char* name = entry->d_name;
    const int64_t pid = ReadNumber(name);
    if (pid <= 0 || *name != 0) {
      continue;
    }
    ProcessEntry process;
    if (!ReadProcess(static_cast<pid_t>(pid), &process)) {
      continue;
    }
    Insert(process);
  }
  closedir(proc);
}

void ProcessTable::Insert(const ProcessEntry& process) {
  if (count_ >= kMaxEntries) {
    return;
  }
  // The kernel lists them in order, so nothing moves here as a rule.
  int at = count_++;
  while (at > 0 && entries_[at - 1].pid > process.pid) {
    entries_[at] = entries_[at - 1];
    --at;
  }
  entries_[at] = process;
}

void ProcessTable::Add(const ProcessTable& others) {
  for (int i = 0; i < others.count_; ++i) {
    Insert(others.entries_[i]);
  }
}

void ProcessTable::Unmark(const ProcessTable& others) {
  for (ProcessEntry& process : *this) {
    if (process.marked && others.Contains(process.pid, process.start_ticks)) {
      process.marked = false;
    }
  }
}

int ProcessTable::IndexOf(pid_t pid) const {
  int low = 0;
  int high = count_;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (entries_[middle].pid < pid) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < count_ && entries_[low].pid == pid ? low : -1;
}

bool ProcessTable::Contains(pid_t pid, uint64_t start_ticks) const {
  const int at = IndexOf(pid);
  return at >= 0 && entries_[at].start_ticks == start_ticks;
}

bool ProcessTable::Forget(pid_t pid) {
  const int at = IndexOf(pid);
  if (at < 0) {
    return false;
  }
  for (int i = at; i + 1 < count_; ++i) {
    entries_[i] = entries_[i + 1];
  }
  --count_;
  return true;
}

void ProcessTable::MarkBelow(pid_t root, const ProcessTable* except) {
  // Parents usually have smaller pids, so one round nearly always suffices;
  // pids that wrapped around need another.
  for (bool changed = true; changed;) {
    changed = false;
    for (ProcessEntry& process : *this) {
      if (process.marked || process.pid == root) {
        continue;
      }
      const int parent = IndexOf(process.parent);
      const bool below =
          process.parent == root || (parent >= 0 && entries_[parent].marked);
      if (below && (except == nullptr ||
                    !except->Contains(process.pid, process.start_ticks))) {
        process.marked = true;
        changed = true;
      }
    }
  }
}

void ProcessTable::MarkDescendants(pid_t root, const ProcessTable* except) {
  MarkBelow(root, except);
}

void ProcessTable::MarkBelowMarked() {
  constexpr pid_t kNobody = -1;
  MarkBelow(kNobody, nullptr);
}

void ProcessTable::MarkEnvironment(const char* assignment,
                                   uint64_t since_ticks) {
  const pid_t self = getpid();
  for (ProcessEntry& process : *this) {
    if (process.pid == self || process.start_ticks < since_ticks) {
      continue;
    }
    FixedPath path("/proc/");
    path.Append(int64_t{process.pid}).Append("/environ");
    if (FileHasPiece(path.c_str(), assignment)) {
      process.marked = true;
    }
  }
}

void ProcessTable::KeepMarked() {
  int kept = 0;
  for (int i = 0; i < count_; ++i) {
    if (entries_[i].marked) {
      entries_[kept++] = entries_[i];
    }
  }
  count_ = kept;
}

int ProcessTable::SignalMarked(int signal) const {
  int sent = 0;
  for (int i = 0; i < count_; ++i) {
    const ProcessEntry& process = entries_[i];
    if (process.marked && !process.dead && SendSignal(process, signal)) {
      ++sent;
    }
  }
  return sent;
}

int ProcessTable::CountMarkedAlive() const {
  int alive = 0;
  for (int i = 0; i < count_; ++i) {
    alive += entries_[i].marked && !entries_[i].dead ? 1 : 0;
  }
  return alive;
}

}  // namespace edgewise

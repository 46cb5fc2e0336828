// Finding, signalling and killing the processes of a tree, cgroup or run.
//
// Shared by the guardian program and the library; free of allocation (apart
// from opendir's buffer), so that the guardian stays tiny.
#ifndef EDGEWISE_CONTROLS_PROCESS_TREE_H_
#define EDGEWISE_CONTROLS_PROCESS_TREE_H_

#include <sys/types.h>

#include <cstdint>

#include "controls/small_file.h"

namespace edgewise {

struct ProcessEntry {
  pid_t pid = 0;
  pid_t parent = 0;
  pid_t group = 0;
  uint64_t start_ticks = 0;  // since boot: tells a reused pid from the old one
  bool dead = false;         // waits only to be reaped
  bool marked = false;
};

// Reads /proc/PID/stat; false if there is no such process.
bool ReadProcess(pid_t pid, ProcessEntry* entry);

// All processes at one moment, sorted by pid, some of them marked. Large: make
// it static, where it costs only the pages it uses, or on the heap. Processes
// beyond kMaxEntries are not seen; killing goes in passes, so that later passes
// see them.
class ProcessTable {
 public:
  static constexpr int kMaxEntries = 16384;

  // Reads /proc anew; nothing is marked.
  void Scan();
  // Marks the descendants of `root`, not itself. Those also in `except` (same
  // pid and start) are left out with their descendants.
  void MarkDescendants(pid_t root, const ProcessTable* except = nullptr);
  // Marks the descendants of those marked so far.
  void MarkBelowMarked();
  // Marks those whose environment holds `assignment` ("NAME=value") and that
  // started at or after `since_ticks`.
  void MarkEnvironment(const char* assignment, uint64_t since_ticks);
  // Takes the marks off those in `others` (same pid and start).
  void Unmark(const ProcessTable& others);
  // Keeps only marked entries.
  void KeepMarked();
  // Signals the marked processes that live, never a reused pid. Returns how
  // many took the signal.
  int SignalMarked(int signal) const;
  int CountMarkedAlive() const;
  bool Contains(pid_t pid, uint64_t start_ticks) const;
  // Takes an entry out; true if there was one.
  bool Forget(pid_t pid);
  // Puts the entries of `others` in, as far as there is room.
  void Add(const ProcessTable& others);
  bool empty() const { return count_ == 0; }

  ProcessEntry* begin() { return entries_; }
  ProcessEntry* end() { return entries_ + count_; }
  void Clear() { count_ = 0; }

 private:
  int IndexOf(pid_t pid) const;
  void Insert(const ProcessEntry& process);
  void MarkBelow(pid_t root, const ProcessTable* except);
  ProcessEntry entries_[kMaxEntries];
  int count_ = 0;
};

// Signals what `mark(table)` marks, each process once, in passes until no new
// one shows: one may fork between being seen and being signalled. Returns how
// many took the signal.
template <typename Mark>
int SignalOnceEach(ProcessTable* table, ProcessTable* done, int signal,
                   Mark mark) {
  constexpr int kMaxPasses = 8;
  int sent = 0;
  done->Clear();
  for (int pass = 0; pass < kMaxPasses; ++pass) {
    table->Scan();
    mark(table);
    table->Unmark(*done);
    if (table->CountMarkedAlive() == 0) {
      break;
    }
    sent += table->SignalMarked(signal);
    table->KeepMarked();
    done->Add(*table);
  }
  return sent;
}

// Kills what `mark(table)` marks, in passes until nothing is left: a process
// may fork while it is being looked for. `reap()` is called before each pass.
// Returns how many are still there at `deadline_ns` (processes that the kernel
// cannot end, e.g. waiting for a dead disk).
template <typename Mark, typename Reap>
int KillUntilGone(ProcessTable* table, int64_t deadline_ns, Mark mark,
                  Reap reap) {
  for (int pause_ms = 0;; pause_ms = pause_ms < 16 ? pause_ms * 2 + 1 : 16) {
    reap();
    table->Scan();
    mark(table);
    const int left = table->CountMarkedAlive();
    if (left == 0 || NowNs() >= deadline_ns) {
      return left;
    }
    table->SignalMarked(9);
    PauseMs(pause_ms);
  }
}

}  // namespace edgewise

#endif  // EDGEWISE_CONTROLS_PROCESS_TREE_H_

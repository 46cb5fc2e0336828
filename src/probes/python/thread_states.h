// ThreadStates: which PyThreadState belongs to which thread of a process.
//
// A thread state that was found once is not looked for again; that it is still
// the thread's own is for whoever reads it to check (Forget). Threads without
// one, such as those of a numerical library, cost one read each time.
#ifndef EDGEWISE_PROBES_PYTHON_THREAD_STATES_H_
#define EDGEWISE_PROBES_PYTHON_THREAD_STATES_H_

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "probes/python/layout.h"
#include "probes/python/remote_memory.h"

namespace edgewise::python {

class ThreadStates {
 public:
  // `runtime` is the address of _PyRuntime.
  ThreadStates(const Layout& layout, uint64_t runtime)
      : layout_(&layout), runtime_(runtime) {}

  // The address of the thread's state; 0 if it has none, nullopt if the memory
  // cannot be read or makes no sense. `native_tid` counts in the innermost pid
  // namespace of the process.
  std::optional<uint64_t> Find(const ReadPieces& read, pid_t native_tid);
  // What Find said last is wrong now.
  void Forget(pid_t native_tid) {
    found_.erase(native_tid);
    walked_ = false;
  }

 private:
  // A value that was met on the last walk, and may have changed since.
  struct Met {
    uint64_t address = 0;
    uint64_t value = 0;
  };
  // Nothing can have been added since the last walk, and every thread state
  // belongs to the same thread: a new one gets its thread only when that
  // starts, and a forked one is renumbered.
  bool Unchanged(const ReadPieces& read);
  bool Walk(const ReadPieces& read);
  bool WalkThreads(const ReadPieces& read, uint64_t head);

  const Layout* layout_;
  uint64_t runtime_;
  std::unordered_map<pid_t, uint64_t> found_;
  std::vector<Met> met_;
  bool walked_ = false;

  // Of Unchanged; kept for their memory.
  std::vector<uint64_t> values_;
  std::vector<RemotePiece> pieces_;
};

}  // namespace edgewise::python

#endif  // EDGEWISE_PROBES_PYTHON_THREAD_STATES_H_

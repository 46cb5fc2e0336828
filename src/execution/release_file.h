// ReleaseFile: the executor's side of client/release_layout.h, one file for
// the tasks that share a dispatcher.
//
// It lives in memory only and is reached through /proc while this process is
// there, so nothing is left of it, and programs notice when it is gone. What
// programs write is copied before it is used. Thread-safe, but each slot is
// for one thread at a time.
#ifndef EDGEWISE_EXECUTION_RELEASE_FILE_H_
#define EDGEWISE_EXECUTION_RELEASE_FILE_H_

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "base/result.h"
#include "base/unique_fd.h"
#include "client/release_layout.h"

namespace edgewise {

// What a program says of its jobs. Times are CLOCK_MONOTONIC nanoseconds, and
// not checked.
struct SlotNews {
  uint32_t started = 0;  // number of the job that has begun
  uint32_t done = 0;     // number of the job that has ended
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  int64_t cpu_ns = -1;  // -1: not known
  uint32_t waits = 0;
  uint32_t preemptions = 0;
};

class ReleaseFile {
 public:
  // `slots`: 1 … client::kMaxReleaseSlots.
  static Result<ReleaseFile> Create(uint32_t slots);
  ReleaseFile(ReleaseFile&& other) noexcept;
  ReleaseFile& operator=(ReleaseFile&&) = delete;
  ~ReleaseFile();

  // The value of $EDGEWISE_RELEASES for a slot's program.
  std::string VariableOf(uint32_t slot) const;

  // The thread that runs the jobs of a slot, as its program names it; 0 until
  // it is there.
  pid_t ClaimedBy(uint32_t slot) const;
  void Release(uint32_t slot, uint32_t job, int64_t release_ns,
               int64_t deadline_ns);
  // Tells the program that no more jobs will come.
  void Stop(uint32_t slot);
  SlotNews Read(uint32_t slot) const;

  // Changes whenever a slot has news, or Ring was called.
  uint32_t doorbell() const;
  // Sleeps until the doorbell differs from `seen`, a signal, or a time.
  void Wait(uint32_t seen, int64_t until_ns) const;
  void Ring();

 private:
  ReleaseFile(UniqueFd fd, client::ReleasesHeader* header, uint32_t slots)
      : fd_(std::move(fd)), header_(header), slots_(slots) {}
  client::ReleaseSlot& At(uint32_t slot) const;

  UniqueFd fd_;
  client::ReleasesHeader* header_;
  uint32_t slots_;
};

}  // namespace edgewise

#endif  // EDGEWISE_EXECUTION_RELEASE_FILE_H_

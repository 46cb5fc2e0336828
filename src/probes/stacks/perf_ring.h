// PerfRing: one perf event's buffer, shared with the kernel.
//
// The kernel appends records; they are handed out in their order. The event may
// be one of several that write here (AddEvent). Not thread-safe.
#ifndef EDGEWISE_PROBES_STACKS_PERF_RING_H_
#define EDGEWISE_PROBES_STACKS_PERF_RING_H_

#include <linux/perf_event.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"

namespace edgewise {

class PerfRing {
 public:
  // Maps the buffer of an event; of `data_bytes`, or less where the kernel
  // locks no more memory for this user.
  static Result<PerfRing> Create(UniqueFd event, size_t data_bytes);

  PerfRing(PerfRing&& other) noexcept;
  PerfRing& operator=(PerfRing&& other) noexcept;
  ~PerfRing();

  // Another event on the same CPU writes its records here from now on.
  Result<void> AddEvent(UniqueFd event);
  // Starts or stops all events.
  void Enable() const;
  void Disable() const;
  // Samples are this far apart from now on. Events of processes that inherited
  // theirs keep the old distance.
  void SetPeriod(uint64_t period_ns) const;

  // Remembers how far the kernel has written; Front and Pop go up to there.
  void Snapshot();
  // The first record that was not popped, header included; empty when there
  // is none. Valid until Pop.
  std::string_view Front();
  void Pop();
  // Lets the kernel write over what was popped.
  void Release();

  int fd() const { return events_.front().get(); }
  size_t data_bytes() const { return data_bytes_; }

 private:
  PerfRing() = default;

  std::vector<UniqueFd> events_;
  void* base_ = nullptr;
  size_t mapped_bytes_ = 0;
  const char* data_ = nullptr;
  size_t data_bytes_ = 0;
  uint64_t position_ = 0;  // of the first record that was not popped
  uint64_t end_ = 0;       // of the last Snapshot
  std::string joined_;     // a record that wraps around, in one piece
};

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_STACKS_PERF_RING_H_

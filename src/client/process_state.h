// The state behind process.h, for the files that implement it.
#ifndef EDGEWISE_CLIENT_PROCESS_STATE_H_
#define EDGEWISE_CLIENT_PROCESS_STATE_H_

#include <errno.h>
#include <pthread.h>

#include <atomic>
#include <cstdint>

#include "client/connection.h"
#include "client/process.h"
#include "client/ring_layout.h"

namespace edgewise::client {

// Memory that is shared with a collector. Mapped once at its address and kept
// for the life of the process: threads hold pointers into it.
struct Region {
  RegionShape shape;
  char* base = nullptr;

  RegionHeader* header() const { return reinterpret_cast<RegionHeader*>(base); }
  Slot* slots() const {
    return reinterpret_cast<Slot*>(base + RegionShape::kSlotsOffset);
  }
  Knob* knobs() const {
    return reinterpret_cast<Knob*>(base + RegionShape::kKnobsOffset);
  }
};

// From 64 KiB in steps of four to the largest rings there are.
inline constexpr uint32_t kMostRegions = 6;

struct ProcessState {
  // Those that there were; the last one is in use. A region whose rings are too
  // small is followed by a larger one.
  Region regions[kMostRegions];
  uint32_t region_count = 0;
  std::atomic<const Region*> region{nullptr};
  uint64_t lost_when_made = 0;   // records that had no room, by then
  uint64_t discard_ring_ns = 0;  // when nobody uses the one before any more
  OwnedFd region_fd;
  OwnedFd socket;
  uint64_t epochs = 0;
  bool was_connected = false;
  uint64_t detached_ns = 0;  // when the last collector was found gone
  // Guards the fields above. Nobody ever waits for it.
  std::atomic<bool> locked{false};
  std::atomic<uint64_t> next_retry_ns{0};
  std::atomic<uint32_t> generation{1};   // of the region, for its slots
  std::atomic<uint64_t> first_epoch{0};  // of this process
  pthread_key_t thread_end_key = 0;
  bool has_thread_end_key = false;
  char csv_path[4096] = {};

  // The one in use; there is one once a collector was there.
  const Region& in_use() const {
    return *region.load(std::memory_order_acquire);
  }
};

extern ProcessState process;

// System calls of the library must not show in the application's errno, and a
// thread must not be cancelled half way through them.
class QuietScope {
 public:
  QuietScope() { pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state_); }
  ~QuietScope() {
    int ignored;
    pthread_setcancelstate(state_, &ignored);
    errno = saved_errno_;
  }
  QuietScope(const QuietScope&) = delete;
  QuietScope& operator=(const QuietScope&) = delete;

 private:
  int saved_errno_ = errno;
  int state_ = PTHREAD_CANCEL_ENABLE;
};

// Holds the process state if nobody else does.
class TryLock {
 public:
  TryLock()
      : held_(!process.locked.exchange(true, std::memory_order_acquire)) {}
  ~TryLock() {
    if (held_) {
      process.locked.store(false, std::memory_order_release);
    }
  }
  TryLock(const TryLock&) = delete;
  TryLock& operator=(const TryLock&) = delete;
  explicit operator bool() const { return held_; }

 private:
  const bool held_;
};

// Gives the thread a slot in the region; asks the collector to drain and
// returns false if none has room.
bool ClaimSlot(ThreadState& thread);
// At the end of a thread, which is what the pointer is to.
void LeaveSlot(void* thread_pointer);

}  // namespace edgewise::client

#endif  // EDGEWISE_CLIENT_PROCESS_STATE_H_

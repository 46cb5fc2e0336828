// What the client library knows about this process: its region, its
// connection to a collector, and each thread's place in the region.
//
// The state of the whole process is summed up in one word, the epoch, on a
// private page that the kernel wipes in a forked child. A thread is attached
// while its copy of the epoch equals that word, so one comparison notices a
// fork (raw clone too), the loss of the collector and a thread's first use.
//
// Nothing here allocates or blocks, and all of it may run in signal handlers.
#ifndef EDGEWISE_CLIENT_PROCESS_H_
#define EDGEWISE_CLIENT_PROCESS_H_

#include <atomic>
#include <cstdint>

#include "client/ring_layout.h"

namespace edgewise::client {

// Epochs with this bit have no collector; 0 is a child that has not noticed.
inline constexpr uint64_t kDetachedBit = uint64_t{1} << 63;

struct ThreadState {
  uint64_t epoch;
  Slot* slot;
  Record* ring;
  uint64_t mask;
  uint64_t head;   // next index to write
  uint64_t limit;  // writing beyond it needs MakeRoom()
  uint32_t generation;
  uint32_t claim_backoff;
  int32_t tid;  // once there is a slot
  bool busy;    // a record is being written; a signal handler must not
};

// Initial-exec: one load instead of a call. Small enough for dlopen, too.
extern constinit thread_local ThreadState thread_state
    __attribute__((tls_model("initial-exec")));

// Never null. Points to the wiped page once the library is loaded.
extern std::atomic<uint64_t>* epoch_word;
// When the collector's life is checked next.
extern std::atomic<uint64_t> next_check_ns;

inline bool Attached(const ThreadState& thread) {
  return __builtin_expect(
      thread.epoch == epoch_word->load(std::memory_order_acquire), 1);
}

enum class Attachment {
  kAttached,
  kNoCollector,
  kNoSlot,  // there is a collector; the region has no room for this thread
};

// Attaches this thread if it is not: connects if it is time to try, claims a
// slot.
Attachment AttachThread(ThreadState& thread);

// Whether a collector was there when last looked at.
bool HasCollector();

// Connects now unless connected; whether there is a collector.
bool ConnectNow();

uint64_t CurrentEpoch();
// Whether an epoch that was current once was so in this very process, rather
// than in one that it was forked from.
bool EpochIsOfThisProcess(uint64_t epoch);

// Whether so many records fit into the thread's ring; rings the doorbell
// where the collector asked for it, and counts the drop if there is no room.
bool MakeRoom(ThreadState& thread, uint64_t records);

// One more dropped record; there is a collector.
void CountDropWithoutName();
[[gnu::cold]] void CountDropWithoutSlot(uint32_t name);
// For this name, beside the count of the reason.
[[gnu::cold]] void CountDropOf(uint32_t name);

// At most once a second: notices that the collector is gone.
void CheckCollector(uint64_t now_ns);

// $EDGEWISE_CSV as it was when the library was loaded; null if unset.
const char* CsvPath();

}  // namespace edgewise::client

#endif  // EDGEWISE_CLIENT_PROCESS_H_

// Threads and their slots in the region.
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "client/connection.h"
#include "client/process.h"
#include "client/process_state.h"
#include "client/ring_layout.h"

namespace edgewise::client {
namespace {

void RingDoorbell() {
  const QuietScope quiet;
  const TryLock lock;
  if (!lock) {
    // The state is changing; the next look at the ring tries again.
    process.header()->doorbell_armed.store(1, std::memory_order_relaxed);
  } else if (!SendDoorbell(process.socket)) {
    next_check_ns.store(0, std::memory_order_relaxed);
  }
}

}  // namespace

bool ClaimSlot(ThreadState& thread) {
  Slot* slots = process.slots();
  for (uint32_t i = 0; i < process.shape.slot_count; ++i) {
    Slot& slot = slots[i];
    SlotState state = slot.state.load(std::memory_order_acquire);
    const bool drained = slot.head.load(std::memory_order_relaxed) ==
                         slot.tail.load(std::memory_order_acquire);
    if (state == SlotState::kClaimed ||
        (state == SlotState::kLeft && !drained)) {
      continue;
    }
    if (!slot.state.compare_exchange_strong(state, SlotState::kClaimed,
                                            std::memory_order_acq_rel)) {
      continue;
    }
    slot.tid.store(static_cast<int32_t>(syscall(SYS_gettid)),
                   std::memory_order_relaxed);
    slot.open_depth.store(0, std::memory_order_relaxed);
    thread.slot = &slot;
    thread.ring =
        reinterpret_cast<Record*>(process.base + process.shape.ring_offset(i));
    thread.mask = process.shape.ring_records() - 1;
    thread.head = slot.head.load(std::memory_order_relaxed);
    thread.limit = thread.head;  // the first record asks for the true limit
    thread.busy = false;
    if (process.has_thread_end_key) {
      pthread_setspecific(process.thread_end_key, &thread);
    }
    return true;
  }
  return false;
}

void LeaveSlot(void* thread_pointer) {
  auto& thread = *static_cast<ThreadState*>(thread_pointer);
  const bool forked = epoch_word->load(std::memory_order_acquire) == 0;
  if (thread.slot != nullptr && !forked &&
      thread.generation == process.generation.load(std::memory_order_acquire)) {
    thread.slot->state.store(SlotState::kLeft, std::memory_order_release);
  }
  thread.slot = nullptr;
  thread.epoch = UINT64_MAX;
}

bool MakeRoom(ThreadState& thread, uint64_t records) {
  const uint64_t capacity = thread.mask + 1;
  const uint64_t tail = thread.slot->tail.load(std::memory_order_acquire);
  const uint64_t used = thread.head + records - tail;
  if (used <= capacity / 4) {
    thread.limit = tail + capacity / 4;
    return true;
  }
  RegionHeader* header = process.header();
  if (header->doorbell_armed.load(std::memory_order_relaxed) != 0 &&
      header->doorbell_armed.exchange(0, std::memory_order_acq_rel) != 0) {
    RingDoorbell();
  }
  // Also true for a tail that makes no sense.
  if (used > capacity) {
    thread.slot->dropped_full.fetch_add(1, std::memory_order_relaxed);
    return false;
  }
  // While more than a quarter full, look again every sixteenth of the ring.
  const uint64_t soon = thread.head + records + capacity / 16;
  thread.limit = soon < tail + capacity ? soon : tail + capacity;
  return true;
}

}  // namespace edgewise::client

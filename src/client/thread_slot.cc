// Threads and their slots in the region.
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "client/connection.h"
#include "client/process.h"
#include "client/process_state.h"
#include "client/record_writer.h"
#include "client/ring_layout.h"

namespace edgewise::client {
namespace {

void RingDoorbell() {
  const QuietScope quiet;
  const TryLock lock;
  if (!lock) {
    // The state is changing; the next look at the ring tries again.
    process.in_use().header()->doorbell_armed.store(1,
                                                    std::memory_order_relaxed);
  } else if (!SendDoorbell(process.socket)) {
    next_check_ns.store(0, std::memory_order_relaxed);
  }
}

void RingDoorbellIfArmed() {
  RegionHeader* header = process.in_use().header();
  if (header->doorbell_armed.load(std::memory_order_relaxed) != 0 &&
      header->doorbell_armed.exchange(0, std::memory_order_acq_rel) != 0) {
    RingDoorbell();
  }
}

// Whether one more record leaves at most `limit` in the ring. False for a tail
// that makes no sense.
bool HasRoom(const Slot& slot, uint64_t limit) {
  return slot.head.load(std::memory_order_relaxed) -
             slot.tail.load(std::memory_order_acquire) <
         limit;
}

// Takes a slot that nobody has, if so much of its ring is free. What an ended
// thread left in the ring stays there.
bool TryTake(Slot& slot, uint64_t limit) {
  SlotState state = slot.state.load(std::memory_order_acquire);
  if (state == SlotState::kClaimed || !HasRoom(slot, limit) ||
      !slot.state.compare_exchange_strong(state, SlotState::kClaimed,
                                          std::memory_order_acq_rel)) {
    return false;
  }
  // Another thread may have come and gone before the exchange.
  if (!HasRoom(slot, limit)) {
    slot.state.store(SlotState::kLeft, std::memory_order_release);
    return false;
  }
  return true;
}

// Makes a taken slot the thread's own, beginning with the record that says so.
void Enter(ThreadState& thread, const Region& region, uint32_t index) {
  Slot& slot = region.slots()[index];
  thread.tid = static_cast<int32_t>(syscall(SYS_gettid));
  slot.tid.store(thread.tid, std::memory_order_relaxed);
  slot.open_depth.store(0, std::memory_order_relaxed);
  thread.ring =
      reinterpret_cast<Record*>(region.base + region.shape.ring_offset(index));
  thread.mask = region.shape.ring_records() - 1;
  thread.head = slot.head.load(std::memory_order_relaxed);
  StoreRecord(thread.ring[thread.head & thread.mask],
              FirstWord(0, RecordKind::kThread, 0), 0,
              static_cast<uint64_t>(thread.tid), kNoCpuTime);
  ++thread.head;
  slot.head.store(thread.head, std::memory_order_release);
  thread.limit = thread.head;  // the next record asks for the true limit
  // A signal handler that sees the slot may use all of it.
  std::atomic_signal_fence(std::memory_order_seq_cst);
  thread.slot = &slot;
  if (process.has_thread_end_key) {
    pthread_setspecific(process.thread_end_key, &thread);
  }
}

// Rings with much room first, so that a few busy ones do not fill up.
bool FindSlot(ThreadState& thread) {
  const Region& region = process.in_use();
  const uint64_t capacity = region.shape.ring_records();
  for (const uint64_t limit : {capacity / 4, capacity}) {
    for (uint32_t i = 0; i < region.shape.slot_count; ++i) {
      if (TryTake(region.slots()[i], limit)) {
        Enter(thread, region, i);
        return true;
      }
    }
  }
  return false;
}

}  // namespace

bool ClaimSlot(ThreadState& thread) {
  if (thread.busy) {
    return false;  // a signal handler that interrupted this very function
  }
  thread.busy = true;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  const bool found = FindSlot(thread);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  thread.busy = false;
  if (!found) {
    RingDoorbellIfArmed();
  }
  return found;
}

void LeaveSlot(void* thread_pointer) {
  auto& thread = *static_cast<ThreadState*>(thread_pointer);
  Slot* slot = thread.slot;
  const bool forked = epoch_word->load(std::memory_order_acquire) == 0;
  const bool same_region =
      thread.generation == process.generation.load(std::memory_order_acquire);
  // First, so that a signal handler does not write into the slot of another.
  thread.slot = nullptr;
  thread.epoch = UINT64_MAX;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (slot != nullptr && !forked && same_region) {
    slot->state.store(SlotState::kLeft, std::memory_order_release);
  }
}

bool MakeRoom(ThreadState& thread, uint64_t records) {
  const uint64_t capacity = thread.mask + 1;
  const uint64_t tail = thread.slot->tail.load(std::memory_order_acquire);
  const uint64_t used = thread.head + records - tail;
  if (used <= capacity / 4) {
    thread.limit = tail + capacity / 4;
    return true;
  }
  RingDoorbellIfArmed();
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

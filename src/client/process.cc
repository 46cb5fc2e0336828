#include "client/process.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <new>

#include "client/clock_ns.h"
#include "client/connection.h"
#include "client/knobs.h"
#include "client/names.h"
#include "client/process_state.h"
#include "client/region.h"

namespace edgewise::client {

// No thread starts with an epoch that the word can have.
constinit thread_local ThreadState thread_state = {
    UINT64_MAX, nullptr, nullptr, 0, 0, 0, 0, 0, 0, false};

namespace {

constexpr uint64_t kRetryWithoutCollectorNs = 5 * kNsPerSecond;
constexpr uint64_t kRetryAfterLossNs = kNsPerSecond;
constexpr uint64_t kCheckIntervalNs = kNsPerSecond;
// A thread that found no slot looks again after so many records.
constexpr uint32_t kClaimBackoff = 64;

// While a child turns into a process of its own.
constexpr uint64_t kBecomingEpoch = kDetachedBit | (kDetachedBit >> 1);

// What the word is if the library could not be set up: then it does nothing.
constinit std::atomic<uint64_t> unusable_epoch{kBecomingEpoch};

bool IsDetached(uint64_t epoch) { return (epoch & kDetachedBit) != 0; }

NameDrops* DropsByName() {
  const Region& region = process.in_use();
  return reinterpret_cast<NameDrops*>(region.base +
                                      region.shape.drops_offset());
}

// The lock must be held.
bool ConnectLocked(uint64_t now_ns) {
  const int socket = ConnectToCollector();
  if (socket >= 0) {
    process.socket.Adopt(socket);
    if (CreateRegion() &&
        SendIdentity(socket, process.was_connected ? process.detached_ns : 0) &&
        SendHello(socket, process.in_use().shape, LossesOf(process.in_use()),
                  process.region_fd.fd)) {
      process.was_connected = true;
      next_check_ns.store(now_ns + kCheckIntervalNs, std::memory_order_relaxed);
      epoch_word->store(++process.epochs, std::memory_order_release);
      return true;
    }
    process.socket.Close();
  }
  process.next_retry_ns.store(
      now_ns + (process.was_connected ? kRetryAfterLossNs
                                      : kRetryWithoutCollectorNs),
      std::memory_order_relaxed);
  return false;
}

// The lock must be held. The region stays for the next collector.
void DisconnectLocked(uint64_t now_ns) {
  epoch_word->store(kDetachedBit | ++process.epochs, std::memory_order_release);
  process.detached_ns = now_ns;
  ForgetWantedKnobs();
  process.socket.Close();
  process.next_retry_ns.store(now_ns, std::memory_order_relaxed);
}

// One thread at a time; others carry on without a collector meanwhile.
bool TryConnect(uint64_t now_ns) {
  const TryLock lock;
  if (!lock) {
    return false;
  }
  return !IsDetached(epoch_word->load(std::memory_order_acquire)) ||
         ConnectLocked(now_ns);
}

// Makes a forked child a process of its own. The parent's region is replaced
// by private memory at the same place: whatever still points there, such as a
// record half written when a signal handler forked, hurts nobody.
void BecomeOwnProcess() {
  ReplaceRegions();
  PublishNamesTo(nullptr);
  PublishKnobsTo(nullptr);
  ResetCounters();
  process.socket.Close();
  process.region_fd.Close();
  process.was_connected = false;
  process.next_retry_ns.store(0, std::memory_order_relaxed);
  process.generation.fetch_add(1, std::memory_order_acq_rel);
  process.locked.store(false, std::memory_order_relaxed);
  process.first_epoch.store(++process.epochs, std::memory_order_release);
  epoch_word->store(kDetachedBit | process.epochs, std::memory_order_release);
}

void NoticeFork() {
  uint64_t wiped = 0;
  if (epoch_word->compare_exchange_strong(wiped, kBecomingEpoch,
                                          std::memory_order_acq_rel)) {
    BecomeOwnProcess();
  }
}

// Before constructors of the application, which may measure already.
__attribute__((constructor(101))) void Load() {
  void* page = mmap(nullptr, static_cast<size_t>(sysconf(_SC_PAGESIZE)),
                    PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page != MAP_FAILED) {
    madvise(page, static_cast<size_t>(sysconf(_SC_PAGESIZE)), MADV_WIPEONFORK);
    epoch_word = new (page) std::atomic<uint64_t>(kDetachedBit);
  }
  process.has_thread_end_key =
      pthread_key_create(&process.thread_end_key, LeaveSlot) == 0;
  // For kernels that cannot wipe, and to let go of the parent's descriptors
  // at once. A raw clone is noticed by the wiped page alone.
  pthread_atfork(nullptr, nullptr, [] {
    const QuietScope quiet;
    epoch_word->store(0, std::memory_order_relaxed);
    NoticeFork();
  });
  const char* csv = getenv("EDGEWISE_CSV");
  if (csv != nullptr && strlen(csv) < sizeof(process.csv_path)) {
    strcpy(process.csv_path, csv);
  }
}

}  // namespace

constinit ProcessState process;
constinit std::atomic<uint64_t>* epoch_word = &unusable_epoch;
constinit std::atomic<uint64_t> next_check_ns{0};

bool HasCollector() {
  const uint64_t epoch = epoch_word->load(std::memory_order_acquire);
  return epoch != 0 && !IsDetached(epoch);
}

Attachment AttachThread(ThreadState& thread) {
  uint64_t epoch = epoch_word->load(std::memory_order_acquire);
  if (IsDetached(epoch) &&
      ClockNs(CLOCK_MONOTONIC_COARSE) <
          process.next_retry_ns.load(std::memory_order_relaxed)) {
    return Attachment::kNoCollector;
  }
  if (epoch == kBecomingEpoch) {
    return Attachment::kNoCollector;
  }
  const QuietScope quiet;
  if (epoch == 0) {
    NoticeFork();
    epoch = epoch_word->load(std::memory_order_acquire);
  }
  if (IsDetached(epoch)) {
    if (!TryConnect(ClockNs(CLOCK_MONOTONIC))) {
      return Attachment::kNoCollector;
    }
    epoch = epoch_word->load(std::memory_order_acquire);
    if (epoch == 0 || IsDetached(epoch)) {
      return Attachment::kNoCollector;
    }
  }
  const uint32_t generation =
      process.generation.load(std::memory_order_acquire);
  if (thread.generation != generation) {
    thread.generation = generation;
    thread.slot = nullptr;
    thread.claim_backoff = 0;
    thread.busy = false;  // whatever was being written is of no use now
  }
  if (thread.slot == nullptr) {
    if (thread.claim_backoff > 0 || !ClaimSlot(thread)) {
      thread.claim_backoff =
          thread.claim_backoff > 0 ? thread.claim_backoff - 1 : kClaimBackoff;
      return Attachment::kNoSlot;
    }
  }
  thread.epoch = epoch;
  return Attachment::kAttached;
}

bool ConnectNow() {
  const QuietScope quiet;
  if (epoch_word->load(std::memory_order_acquire) == 0) {
    NoticeFork();
  }
  const TryLock lock;
  const uint64_t epoch = epoch_word->load(std::memory_order_acquire);
  if (!lock || epoch == kBecomingEpoch) {
    return false;
  }
  const uint64_t now_ns = ClockNs(CLOCK_MONOTONIC);
  if (!IsDetached(epoch)) {
    if (PeerIsAlive(process.socket)) {
      return true;
    }
    DisconnectLocked(now_ns);
  }
  return ConnectLocked(now_ns);
}

uint64_t CurrentEpoch() { return epoch_word->load(std::memory_order_acquire); }

bool EpochIsOfThisProcess(uint64_t epoch) {
  return CurrentEpoch() != 0 &&
         (epoch & ~kDetachedBit) >=
             process.first_epoch.load(std::memory_order_acquire);
}

void CountDropWithoutName() {
  process.in_use().header()->dropped_no_name.fetch_add(
      1, std::memory_order_relaxed);
}

void CountDropWithoutSlot(uint32_t name) {
  process.in_use().header()->dropped_no_slot.fetch_add(
      1, std::memory_order_relaxed);
  if (name != 0 && name < kNameCapacity) {
    CountDropOf(name);
  }
}

void CountDropOf(uint32_t name) {
  DropsByName()[name].fetch_add(1, std::memory_order_relaxed);
}

void CheckCollector(uint64_t now_ns) {
  uint64_t due = next_check_ns.load(std::memory_order_relaxed);
  if (now_ns < due ||
      !next_check_ns.compare_exchange_strong(due, now_ns + kCheckIntervalNs,
                                             std::memory_order_relaxed)) {
    return;
  }
  const QuietScope quiet;
  const TryLock lock;
  if (!lock) {
    return;
  }
  if (!PeerIsAlive(process.socket)) {
    DisconnectLocked(now_ns);
  } else if (GrowRings(now_ns)) {
    epoch_word->store(++process.epochs, std::memory_order_release);
  }
}

const char* CsvPath() {
  return process.csv_path[0] != '\0' ? process.csv_path : nullptr;
}

}  // namespace edgewise::client

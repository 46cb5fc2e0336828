// The program's side of an executor's releases (release_layout.h).
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

#include "client/clock_ns.h"
#include "client/futex.h"
#include "client/release_layout.h"
#include "edgewise/edgewise.h"

namespace edgewise::client {
namespace {

// How often a program that waits looks whether its executor is still there.
constexpr uint64_t kLookNs = kNsPerSecond;

// How often a thread gave up its core.
struct Switches {
  uint32_t waits = 0;
  uint32_t preemptions = 0;
};

Switches SwitchesOfThread() {
  rusage usage;
  if (getrusage(RUSAGE_THREAD, &usage) != 0) {
    return {};
  }
  return {static_cast<uint32_t>(usage.ru_nvcsw),
          static_cast<uint32_t>(usage.ru_nivcsw)};
}

// Set once by the claim that succeeds, before `slot`.
struct Claim {
  ReleasesHeader* header = nullptr;
  pid_t pid = 0;
  uint32_t seen = 0;  // the last value of `released`
  uint32_t job = 0;   // the one that runs; 0: none
  uint64_t cpu_start_ns = 0;
  Switches switches_before;
  char path[4096] = {};
};

Claim claim;
std::atomic<ReleaseSlot*> slot{nullptr};

class KeptErrno {
 public:
  KeptErrno() = default;
  ~KeptErrno() { errno = saved_; }
  KeptErrno(const KeptErrno&) = delete;
  KeptErrno& operator=(const KeptErrno&) = delete;

 private:
  int saved_ = errno;
};

// Maps the file; null if it is not one of releases with that slot.
ReleasesHeader* MapReleases(const char* path, uint32_t number) {
  const int fd = open(path, O_RDWR | O_CLOEXEC);
  if (fd < 0) {
    return nullptr;
  }
  struct stat status;
  void* mapped = MAP_FAILED;
  if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
      static_cast<size_t>(status.st_size) >= ReleasesBytes(number + 1)) {
    mapped = mmap(nullptr, static_cast<size_t>(status.st_size),
                  PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  }
  close(fd);
  if (mapped == MAP_FAILED) {
    return nullptr;
  }
  auto* header = static_cast<ReleasesHeader*>(mapped);
  if (header->magic != kReleasesMagic || header->version != kReleasesVersion ||
      number >= header->slot_count) {
    munmap(mapped, static_cast<size_t>(status.st_size));
    return nullptr;
  }
  return header;
}

// "SLOT:PATH"; null if it is anything else.
const char* ParseVariable(const char* text, uint32_t* number) {
  *number = 0;
  const char* digit = text;
  for (; *digit >= '0' && *digit <= '9' && *number < kMaxReleaseSlots;
       ++digit) {
    *number = *number * 10 + static_cast<uint32_t>(*digit - '0');
  }
  if (digit == text || *digit != ':' || *number >= kMaxReleaseSlots ||
      digit[1] == '\0' || strlen(digit + 1) >= sizeof(claim.path)) {
    return nullptr;
  }
  return digit + 1;
}

bool ClaimSlotOfVariable() {
  static std::atomic<bool> tried{false};
  const char* text = getenv(kReleasesVariable);
  if (text == nullptr || tried.exchange(true, std::memory_order_acq_rel)) {
    return false;
  }
  uint32_t number;
  const char* path = ParseVariable(text, &number);
  if (path == nullptr) {
    return false;
  }
  ReleasesHeader* header = MapReleases(path, number);
  if (header == nullptr) {
    return false;
  }
  auto* own = reinterpret_cast<ReleaseSlot*>(header + 1) + number;
  int32_t nobody = 0;
  if (!own->tid.compare_exchange_strong(
          nobody, static_cast<int32_t>(syscall(SYS_gettid)),
          std::memory_order_acq_rel)) {
    return false;  // another process of the task has it; the mapping stays
  }
  claim.header = header;
  claim.pid = getpid();
  claim.seen = 0;
  strcpy(claim.path, path);
  header->doorbell.fetch_add(1, std::memory_order_release);
  FutexWake(header->doorbell);
  slot.store(own, std::memory_order_release);
  return true;
}

// The slot, if this process (not one that it forked) has claimed one.
ReleaseSlot* OwnSlot() {
  ReleaseSlot* own = slot.load(std::memory_order_acquire);
  return own != nullptr && claim.pid == getpid() ? own : nullptr;
}

timespec LookAgainAt() {
  const uint64_t until_ns = ClockNs(CLOCK_MONOTONIC) + kLookNs;
  return {static_cast<time_t>(until_ns / kNsPerSecond),
          static_cast<long>(until_ns % kNsPerSecond)};
}

constexpr int kJob = 1;
constexpr int kNotDriven = 0;
constexpr int kStopped = -1;
constexpr int kInterrupted = -2;

int NextRelease(uint64_t* release_ns, uint64_t* deadline_ns) {
  ReleaseSlot* own = OwnSlot();
  if (own == nullptr) {
    return kNotDriven;
  }
  for (;;) {
    const uint32_t released = own->released.load(std::memory_order_acquire);
    if (own->stop.load(std::memory_order_relaxed) != 0) {
      return kStopped;
    }
    if (released != claim.seen) {
      claim.seen = released;
      claim.job = released;
      *release_ns = own->release_ns.load(std::memory_order_relaxed);
      *deadline_ns = own->deadline_ns.load(std::memory_order_relaxed);
      own->start_ns.store(ClockNs(CLOCK_MONOTONIC), std::memory_order_relaxed);
      own->started.store(released, std::memory_order_release);
      claim.switches_before = SwitchesOfThread();
      claim.cpu_start_ns = ClockNs(CLOCK_THREAD_CPUTIME_ID);
      return kJob;
    }
    const int error = FutexWaitUntil(own->released, released, LookAgainAt());
    if (error == EINTR) {
      return kInterrupted;
    }
    // The executor takes the file with it, however it ends.
    if (error == ETIMEDOUT && access(claim.path, F_OK) != 0) {
      return kStopped;
    }
  }
}

void ReleaseDone(uint64_t end_ns, uint64_t cpu_ns) {
  ReleaseSlot* own = OwnSlot();
  if (own == nullptr || claim.job == 0) {
    return;
  }
  if (cpu_ns == EDGEWISE_NO_CPU_TIME) {
    cpu_ns = ClockNs(CLOCK_THREAD_CPUTIME_ID) - claim.cpu_start_ns;
  }
  const Switches switches = SwitchesOfThread();
  own->waits.store(switches.waits - claim.switches_before.waits,
                   std::memory_order_relaxed);
  own->preemptions.store(
      switches.preemptions - claim.switches_before.preemptions,
      std::memory_order_relaxed);
  own->end_ns.store(end_ns, std::memory_order_relaxed);
  own->cpu_ns.store(cpu_ns, std::memory_order_relaxed);
  own->done.store(claim.job, std::memory_order_release);
  claim.job = 0;
  claim.header->doorbell.fetch_add(1, std::memory_order_release);
  FutexWake(claim.header->doorbell);
}

}  // namespace
}  // namespace edgewise::client

namespace client = edgewise::client;

int edgewise_claim_releases(void) {
  const client::KeptErrno kept;
  return client::ClaimSlotOfVariable() ? 1 : 0;
}

int edgewise_next_release(uint64_t* release_ns, uint64_t* deadline_ns) {
  const client::KeptErrno kept;
  return client::NextRelease(release_ns, deadline_ns);
}

void edgewise_release_done(uint64_t end_ns, uint64_t cpu_ns) {
  const client::KeptErrno kept;
  client::ReleaseDone(end_ns, cpu_ns);
}

#include "execution/release_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cassert>
#include <utility>

#include "base/clock.h"
#include "client/futex.h"

namespace edgewise {
namespace {

// What a program wrote, as a time that can be subtracted from without
// overflow.
int64_t Bounded(uint64_t value) {
  constexpr uint64_t kMost = uint64_t{1} << 62;
  return static_cast<int64_t>(value < kMost ? value : kMost);
}

}  // namespace

Result<ReleaseFile> ReleaseFile::Create(uint32_t slots) {
  assert(slots >= 1 && slots <= client::kMaxReleaseSlots);
  const size_t bytes = client::ReleasesBytes(slots);
  UniqueFd fd(
      ::memfd_create("edgewise-releases", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!fd.valid() || ::ftruncate(fd.get(), static_cast<off_t>(bytes)) != 0 ||
      ::fcntl(fd.get(), F_ADD_SEALS,
              F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    return Error{ErrorCodeFromErrno(errno),
                 "no shared memory for releasing jobs: " + ErrnoText()};
  }
  void* mapped =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd.get(), 0);
  if (mapped == MAP_FAILED) {
    return Error{ErrorCodeFromErrno(errno),
                 "no shared memory for releasing jobs: " + ErrnoText()};
  }
  auto* header = static_cast<client::ReleasesHeader*>(mapped);
  header->version = client::kReleasesVersion;
  header->slot_count = slots;
  header->magic = client::kReleasesMagic;
  return ReleaseFile(std::move(fd), header, slots);
}

ReleaseFile::ReleaseFile(ReleaseFile&& other) noexcept
    : fd_(std::move(other.fd_)),
      header_(std::exchange(other.header_, nullptr)),
      slots_(other.slots_) {}

ReleaseFile::~ReleaseFile() {
  if (header_ != nullptr) {
    ::munmap(header_, client::ReleasesBytes(slots_));
  }
}

std::string ReleaseFile::VariableOf(uint32_t slot) const {
  return std::to_string(slot) + ":/proc/" + std::to_string(::getpid()) +
         "/fd/" + std::to_string(fd_.get());
}

client::ReleaseSlot& ReleaseFile::At(uint32_t slot) const {
  assert(slot < slots_);
  return reinterpret_cast<client::ReleaseSlot*>(header_ + 1)[slot];
}

pid_t ReleaseFile::ClaimedBy(uint32_t slot) const {
  return At(slot).tid.load(std::memory_order_acquire);
}

void ReleaseFile::Release(uint32_t slot, uint32_t job, int64_t release_ns,
                          int64_t deadline_ns) {
  client::ReleaseSlot& at = At(slot);
  at.release_ns.store(static_cast<uint64_t>(release_ns),
                      std::memory_order_relaxed);
  at.deadline_ns.store(static_cast<uint64_t>(deadline_ns),
                       std::memory_order_relaxed);
  at.released.store(job, std::memory_order_release);
  client::FutexWake(at.released);
}

void ReleaseFile::Stop(uint32_t slot) {
  client::ReleaseSlot& at = At(slot);
  at.stop.store(1, std::memory_order_relaxed);
  // Another value, so that who is about to sleep does not.
  at.released.fetch_add(1, std::memory_order_release);
  client::FutexWake(at.released);
}

SlotNews ReleaseFile::Read(uint32_t slot) const {
  const client::ReleaseSlot& at = At(slot);
  SlotNews news;
  news.done = at.done.load(std::memory_order_acquire);
  news.started = at.started.load(std::memory_order_acquire);
  news.start_ns = Bounded(at.start_ns.load(std::memory_order_relaxed));
  news.end_ns = Bounded(at.end_ns.load(std::memory_order_relaxed));
  const uint64_t cpu_ns = at.cpu_ns.load(std::memory_order_relaxed);
  news.cpu_ns = cpu_ns == UINT64_MAX ? -1 : Bounded(cpu_ns);
  news.waits = at.waits.load(std::memory_order_relaxed);
  news.preemptions = at.preemptions.load(std::memory_order_relaxed);
  return news;
}

uint32_t ReleaseFile::doorbell() const {
  return header_->doorbell.load(std::memory_order_acquire);
}

void ReleaseFile::Wait(uint32_t seen, int64_t until_ns) const {
  const timespec until{static_cast<time_t>(until_ns / kNsPerSecond),
                       static_cast<long>(until_ns % kNsPerSecond)};
  (void)client::FutexWaitUntil(header_->doorbell, seen, until);
}

void ReleaseFile::Ring() {
  header_->doorbell.fetch_add(1, std::memory_order_release);
  client::FutexWake(header_->doorbell);
}

}  // namespace edgewise

#include "probes/stacks/perf_ring.h"

#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace edgewise {

Result<PerfRing> PerfRing::Create(UniqueFd event, size_t data_bytes) {
  const auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  PerfRing ring;
  size_t size = page;
  while (size * 2 <= data_bytes) {
    size *= 2;
  }
  for (; size >= 2 * page; size /= 2) {
    void* mapped = ::mmap(nullptr, page + size, PROT_READ | PROT_WRITE,
                          MAP_SHARED, event.get(), 0);
    if (mapped != MAP_FAILED) {
      ring.base_ = mapped;
      ring.mapped_bytes_ = page + size;
      ring.data_ = static_cast<const char*>(mapped) + page;
      ring.data_bytes_ = size;
      ring.events_.push_back(std::move(event));
      return ring;
    }
  }
  return Error{ErrorCodeFromErrno(errno),
               "the kernel gives no buffer for samples: " + ErrnoText() +
                   (errno == EPERM
                        ? " (raise kernel.perf_event_mlock_kb, or run as root)"
                        : "")};
}

PerfRing::PerfRing(PerfRing&& other) noexcept { *this = std::move(other); }

PerfRing& PerfRing::operator=(PerfRing&& other) noexcept {
  std::swap(events_, other.events_);
  std::swap(base_, other.base_);
  std::swap(mapped_bytes_, other.mapped_bytes_);
  std::swap(data_, other.data_);
  std::swap(data_bytes_, other.data_bytes_);
  std::swap(position_, other.position_);
  std::swap(end_, other.end_);
  std::swap(joined_, other.joined_);
  return *this;
}

PerfRing::~PerfRing() {
  if (base_ != nullptr) {
    ::munmap(base_, mapped_bytes_);
  }
}

Result<void> PerfRing::AddEvent(UniqueFd event) {
  if (::ioctl(event.get(), PERF_EVENT_IOC_SET_OUTPUT, fd()) != 0) {
    return Error{ErrorCodeFromErrno(errno),
                 "two events cannot share a buffer: " + ErrnoText()};
  }
  events_.push_back(std::move(event));
  return {};
}

void PerfRing::Enable() const {
  for (const UniqueFd& event : events_) {
    ::ioctl(event.get(), PERF_EVENT_IOC_ENABLE, 0);
  }
}

void PerfRing::Disable() const {
  for (const UniqueFd& event : events_) {
    ::ioctl(event.get(), PERF_EVENT_IOC_DISABLE, 0);
  }
}

void PerfRing::SetPeriod(uint64_t period_ns) const {
  for (const UniqueFd& event : events_) {
    ::ioctl(event.get(), PERF_EVENT_IOC_PERIOD, &period_ns);
  }
}

void PerfRing::Snapshot() {
  end_ = __atomic_load_n(&static_cast<perf_event_mmap_page*>(base_)->data_head,
                         __ATOMIC_ACQUIRE);
}

std::string_view PerfRing::Front() {
  perf_event_header header{};
  if (position_ + sizeof header > end_) {
    return {};
  }
  // Records are aligned to 8 bytes: a header never wraps around.
  const size_t at = position_ % data_bytes_;
  std::memcpy(&header, data_ + at, sizeof header);
  if (header.size < sizeof header || header.size > end_ - position_) {
    position_ = end_;  // not a record: nothing after it can be told apart
    return {};
  }
  const size_t first = std::min<size_t>(header.size, data_bytes_ - at);
  if (first == header.size) {
    return {data_ + at, first};
  }
  joined_.assign(data_ + at, first);
  joined_.append(data_, header.size - first);
  return joined_;
}

void PerfRing::Pop() { position_ += Front().size(); }

void PerfRing::Release() {
  __atomic_store_n(&static_cast<perf_event_mmap_page*>(base_)->data_tail,
                   position_, __ATOMIC_RELEASE);
}

}  // namespace edgewise

#include "probes/rings/ring_reader.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace edgewise {
namespace {

using client::Record;

Error Refuse(std::string message) {
  return Error{ErrorCode::kInvalid, std::move(message)};
}

}  // namespace

Result<std::unique_ptr<RingReader>> RingReader::Open(
    UniqueFd memfd, const client::Hello& hello) {
  const client::RegionShape shape{hello.slot_count, hello.ring_bytes};
  if (hello.magic != client::kRegionMagic) {
    return Refuse("The client's hello is not one of edgewise.");
  }
  if (hello.version != client::kLayoutVersion) {
    return Refuse("The client speaks version " + std::to_string(hello.version) +
                  " of the ring format; rebuild it with this edgewise.");
  }
  if (!shape.valid()) {
    return Refuse("The client's slot count or ring size is out of range.");
  }
  constexpr int kNeededSeals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  const int seals = fcntl(memfd.get(), F_GET_SEALS);
  if (seals < 0 || (seals & kNeededSeals) != kNeededSeals) {
    return Refuse("The client's memory is not a sealed memfd.");
  }
  struct stat status;
  struct statfs file_system;
  if (fstat(memfd.get(), &status) != 0 ||
      status.st_size != static_cast<off_t>(shape.total_bytes()) ||
      fstatfs(memfd.get(), &file_system) != 0 ||
      file_system.f_type != TMPFS_MAGIC) {
    return Refuse("The client's memory is not of the size it said.");
  }
  void* mapping = mmap(nullptr, shape.rings_offset(), PROT_READ | PROT_WRITE,
                       MAP_SHARED, memfd.get(), 0);
  if (mapping == MAP_FAILED) {
    return Refuse("The client's memory cannot be mapped: " + ErrnoText());
  }
  return std::unique_ptr<RingReader>(new RingReader(std::move(memfd), shape,
                                                    static_cast<char*>(mapping),
                                                    hello.losses_before));
}

RingReader::RingReader(UniqueFd memfd, const client::RegionShape& shape,
                       char* mapping, const client::LossCounters& losses_before)
    : memfd_(std::move(memfd)),
      shape_(shape),
      mapping_(mapping),
      losses_before_(losses_before) {
  for (uint32_t i = 0; i < FindUsedSlots(); ++i) {
    had_collector_ = had_collector_ || tails_[i] > 0;
  }
}

uint32_t RingReader::FindUsedSlots() {
  while (tails_.size() < shape_.slot_count) {
    const client::Slot& next = slots()[tails_.size()];
    if (next.state.load(std::memory_order_acquire) ==
            client::SlotState::kFree &&
        next.head.load(std::memory_order_acquire) == 0) {
      break;
    }
    // A collector before this one may have read up to the stored tails.
    tails_.push_back(next.tail.load(std::memory_order_relaxed));
    tail_tids_.push_back(next.tail_tid.load(std::memory_order_relaxed));
  }
  return static_cast<uint32_t>(tails_.size());
}

RingReader::~RingReader() { munmap(mapping_, shape_.rings_offset()); }

client::RegionHeader* RingReader::header() const {
  return reinterpret_cast<client::RegionHeader*>(mapping_);
}

client::Slot* RingReader::slots() const {
  return reinterpret_cast<client::Slot*>(mapping_ +
                                         client::RegionShape::kSlotsOffset);
}

void RingReader::ArmDoorbell() {
  header()->doorbell_armed.store(1, std::memory_order_release);
}

bool RingReader::Drain(const RingDelivery& to, uint64_t most_records) {
  const uint32_t used = FindUsedSlots();
  uint64_t done = 0;
  for (uint32_t i = 0; i < used; ++i) {
    const uint32_t slot = (next_slot_ + i) % used;
    done += DrainSlot(slot, to, most_records - done);
    if (done >= most_records) {
      next_slot_ = (slot + 1) % used;
      return false;
    }
  }
  return true;
}

uint64_t RingReader::DrainSlot(uint32_t slot, const RingDelivery& to,
                               uint64_t most_records) {
  client::Slot& from = slots()[slot];
  uint64_t& tail = tails_[slot];
  uint64_t head = from.head.load(std::memory_order_acquire);
  if (head == tail) {
    return 0;
  }
  if (head - tail > shape_.ring_records()) {
    ++invalid_;
    tail = head;
  }
  const uint64_t first = tail;
  RingBatch& batch = to.batch;
  while (tail != head && tail - first < most_records) {
    const size_t count = std::min<uint64_t>(head - tail, RingBatch::kRecords);
    const std::span<Record> records(batch.records.data(), count);
    if (!CopyRecords(slot, tail, records)) {
      ++invalid_;
      tail = head;
      break;
    }
    batch.spans.clear();
    batch.metrics.clear();
    batch.jobs.clear();
    tail += Decode(records, tail_tids_[slot], to);
    if (!batch.spans.empty()) {
      to.sink.OnSpans(to.client, batch.spans);
    }
    if (!batch.metrics.empty()) {
      to.sink.OnMetrics(to.client, batch.metrics);
    }
    if (!batch.jobs.empty()) {
      to.sink.OnJobs(to.client, batch.jobs);
    }
    delivered_ += batch.spans.size() + batch.metrics.size() + batch.jobs.size();
    from.tail_tid.store(tail_tids_[slot], std::memory_order_relaxed);
    from.tail.store(tail, std::memory_order_release);
  }
  from.tail.store(tail, std::memory_order_release);
  return tail - first;
}

bool RingReader::CopyRecords(uint32_t slot_index, uint64_t from,
                             std::span<Record> to) {
  const uint64_t capacity = shape_.ring_records();
  size_t done = 0;
  while (done < to.size()) {
    const uint64_t position = (from + done) & (capacity - 1);
    const size_t count =
        std::min<uint64_t>(to.size() - done, capacity - position);
    const auto bytes = static_cast<ssize_t>(count * sizeof(Record));
    const size_t offset =
        shape_.ring_offset(slot_index) + position * sizeof(Record);
    if (pread(memfd_.get(), to.data() + done, static_cast<size_t>(bytes),
              static_cast<off_t>(offset)) != bytes) {
      return false;
    }
    done += count;
  }
  return true;
}

}  // namespace edgewise

#include "probes/rings/ring_reader.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

namespace edgewise {
namespace {

using client::Record;
using client::RecordKind;

constexpr uint64_t kLargestTimeNs = uint64_t{1} << 62;

std::optional<EventKind> EventKindOf(RecordKind kind) {
  switch (kind) {
    case RecordKind::kSpan:
      return EventKind::kSpan;
    case RecordKind::kGauge:
      return EventKind::kGauge;
    case RecordKind::kCounter:
      return EventKind::kCounter;
    case RecordKind::kRate:
      return EventKind::kRate;
    case RecordKind::kJob:
      return EventKind::kJob;
    case RecordKind::kThread:
      return std::nullopt;
  }
  return std::nullopt;
}

// The thread that a record announces; nullopt for other records.
std::optional<int32_t> WriterOf(const Record& record) {
  return record.kind == RecordKind::kThread && record.extra == 0 &&
                 record.value <= INT32_MAX
             ? std::optional(static_cast<int32_t>(record.value))
             : std::nullopt;
}

std::optional<int64_t> CpuTime(uint64_t cpu_ns) {
  return cpu_ns < kLargestTimeNs ? std::optional(static_cast<int64_t>(cpu_ns))
                                 : std::nullopt;
}

// Metadata fills its last record up with NULs.
std::string_view MetaText(std::span<char> extra) {
  size_t bytes = extra.size();
  while (bytes > 0 && extra[bytes - 1] == '\0') {
    --bytes;
  }
  CleanText(extra.first(bytes), /*keep_newlines=*/true);
  return {extra.data(), bytes};
}

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
  // A collector before this one may have read up to the stored tails.
  tails_.reserve(shape_.slot_count);
  tail_tids_.reserve(shape_.slot_count);
  for (uint32_t i = 0; i < shape_.slot_count; ++i) {
    tails_.push_back(slots()[i].tail.load(std::memory_order_relaxed));
    tail_tids_.push_back(slots()[i].tail_tid.load(std::memory_order_relaxed));
  }
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

void RingReader::Drain(const RingClient& client, EventNames& names,
                       RingBatch& batch, RingSink& sink) {
  for (uint32_t i = 0; i < shape_.slot_count; ++i) {
    client::Slot& from = slots()[i];
    uint64_t& tail = tails_[i];
    const uint64_t head = from.head.load(std::memory_order_acquire);
    if (head == tail) {
      continue;
    }
    if (head - tail > shape_.ring_records()) {
      ++invalid_;
      tail = head;
    }
    while (tail != head) {
      const size_t count = std::min<uint64_t>(head - tail, RingBatch::kRecords);
      const std::span<Record> records(batch.records.data(), count);
      if (!CopyRecords(i, tail, records)) {
        ++invalid_;
        tail = head;
        break;
      }
      batch.spans.clear();
      batch.metrics.clear();
      batch.jobs.clear();
      tail += Decode(records, tail_tids_[i], names, batch, sink);
      if (!batch.spans.empty()) {
        sink.OnSpans(client, batch.spans);
      }
      if (!batch.metrics.empty()) {
        sink.OnMetrics(client, batch.metrics);
      }
      if (!batch.jobs.empty()) {
        sink.OnJobs(client, batch.jobs);
      }
      delivered_ +=
          batch.spans.size() + batch.metrics.size() + batch.jobs.size();
      from.tail_tid.store(tail_tids_[i], std::memory_order_relaxed);
      from.tail.store(tail, std::memory_order_release);
    }
    from.tail.store(tail, std::memory_order_release);
  }
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

size_t RingReader::Decode(std::span<Record> records, int32_t& tid,
                          EventNames& names, RingBatch& batch, RingSink& sink) {
  size_t used = 0;
  while (used < records.size()) {
    const Record& record = records[used];
    const size_t extra = record.extra;
    if (extra > client::kMaxExtraRecords) {
      ++invalid_;
      ++used;
      continue;
    }
    if (used + 1 + extra > records.size()) {
      if (used > 0 && records.size() == RingBatch::kRecords) {
        break;  // the rest of it is in the next batch
      }
      ++invalid_;
      return records.size();
    }
    const std::span<char> extra_bytes(
        reinterpret_cast<char*>(records.data() + used + 1),
        extra * sizeof(Record));
    if (const std::optional<int32_t> writer = WriterOf(record)) {
      tid = *writer;
    } else if (!DecodeOne(record, extra_bytes, tid, names, batch, sink)) {
      ++invalid_;
    }
    used += 1 + extra;
  }
  return used;
}

// False for a record that makes no sense.
bool RingReader::DecodeOne(const Record& record, std::span<char> extra,
                           int32_t tid, EventNames& names, RingBatch& batch,
                           RingSink& sink) {
  const std::optional<EventKind> kind = EventKindOf(record.kind);
  if (!kind || record.start_ns >= kLargestTimeNs) {
    return false;
  }
  const bool is_job = *kind == EventKind::kJob;
  const bool has_duration = is_job || *kind == EventKind::kSpan;
  if (has_duration ? record.value >= kLargestTimeNs : !extra.empty()) {
    return false;
  }
  client::JobExtra job{};
  if (is_job) {
    if (extra.size() != sizeof(job)) {
      return false;
    }
    memcpy(&job, extra.data(), sizeof(job));
    if (job.release_ns >= kLargestTimeNs || job.deadline_ns >= kLargestTimeNs) {
      return false;
    }
  }
  const double value =
      *kind == EventKind::kCounter
          ? static_cast<double>(static_cast<int64_t>(record.value))
          : std::bit_cast<double>(record.value);
  if (!has_duration && !std::isfinite(value)) {
    return false;
  }
  const std::optional<uint32_t> name =
      ResolveName(*kind, record.name, names, sink);
  if (!name) {
    return true;  // counted where it was refused
  }
  const auto start_ns = static_cast<int64_t>(record.start_ns);
  const auto duration_ns = static_cast<int64_t>(record.value);
  if (is_job) {
    batch.jobs.push_back({*name, tid, static_cast<int64_t>(job.release_ns),
                          start_ns, start_ns + duration_ns,
                          static_cast<int64_t>(job.deadline_ns),
                          CpuTime(record.cpu_ns)});
  } else if (has_duration) {
    batch.spans.push_back({*name, tid, start_ns, duration_ns,
                           CpuTime(record.cpu_ns), MetaText(extra)});
  } else {
    batch.metrics.push_back({*name, tid, start_ns, value});
  }
  return true;
}

std::optional<uint32_t> RingReader::ResolveName(EventKind kind,
                                                uint32_t client_name,
                                                EventNames& names,
                                                RingSink& sink) {
  if (client_name == 0 || client_name >= client::kNameCapacity) {
    ++invalid_;
    return std::nullopt;
  }
  std::vector<uint32_t>& ids = dense_ids_[static_cast<int>(kind)];
  if (ids.empty()) {
    ids.assign(client::kNameCapacity, kUnresolved);
  }
  uint32_t& id = ids[client_name];
  if (id == kUnresolved) {
    std::optional<std::string> text = ReadName(client_name);
    if (!text) {
      ++invalid_;
      return std::nullopt;
    }
    id = names.Resolve(kind, *std::move(text), sink).value_or(kRefused);
  }
  if (id == kRefused) {
    ++refused_names_;
    return std::nullopt;
  }
  return id;
}

std::optional<std::string> RingReader::ReadName(uint32_t client_name) const {
  const auto& entry = reinterpret_cast<const client::NameEntry*>(
      mapping_ + shape_.names_offset())[client_name];
  uint64_t words[8];
  words[0] = entry.words[0].load(std::memory_order_acquire);
  for (int i = 1; i < 8; ++i) {
    words[i] = entry.words[i].load(std::memory_order_relaxed);
  }
  const char* bytes = reinterpret_cast<const char*>(words);
  const auto length = static_cast<unsigned char>(bytes[0]);
  if (length == 0 || length > client::kMaxNameBytes) {
    return std::nullopt;
  }
  std::string text(bytes + 1, length);
  CleanText(text, /*keep_newlines=*/false);
  return text;
}

uint32_t RingReader::DropsOf(uint32_t client_name) const {
  const auto* drops = reinterpret_cast<const client::NameDrops*>(
      mapping_ + shape_.drops_offset());
  return drops[client_name].load(std::memory_order_relaxed);
}

RingAccount RingReader::Account() const {
  const client::LossCounters now =
      client::SumLosses(*header(), slots(), shape_.slot_count);
  RingAccount account;
  account.delivered = delivered_;
  account.dropped_full = now.full - losses_before_.full;
  account.dropped_reentry = now.reentry - losses_before_.reentry;
  account.dropped_no_slot = now.no_slot - losses_before_.no_slot;
  account.dropped_no_name =
      now.no_name - losses_before_.no_name + refused_names_;
  account.invalid = invalid_;
  account.truncated_meta = now.truncated_meta - losses_before_.truncated_meta;
  for (uint32_t name = 1; name < client::kNameCapacity; ++name) {
    const uint32_t dropped = DropsOf(name);
    if (dropped == 0) {
      continue;
    }
    if (std::optional<std::string> text = ReadName(name)) {
      account.dropped_by_name.push_back({*std::move(text), dropped});
    }
  }
  for (uint32_t i = 0; i < shape_.slot_count; ++i) {
    const client::Slot& from = slots()[i];
    if (from.state.load(std::memory_order_acquire) !=
        client::SlotState::kClaimed) {
      continue;
    }
    const uint32_t depth = std::min(
        from.open_depth.load(std::memory_order_acquire), client::kMaxOpenSpans);
    for (uint32_t d = 0; d < depth; ++d) {
      const uint32_t name = from.open[d].name.load(std::memory_order_relaxed);
      const uint64_t start_ns =
          from.open[d].start_ns.load(std::memory_order_relaxed);
      if (name == 0 || name >= client::kNameCapacity ||
          start_ns >= kLargestTimeNs) {
        continue;
      }
      if (std::optional<std::string> text = ReadName(name)) {
        account.unfinished.push_back({*std::move(text),
                                      from.tid.load(std::memory_order_relaxed),
                                      static_cast<int64_t>(start_ns)});
      }
    }
  }
  return account;
}

}  // namespace edgewise

// Records that were copied out of a ring, as events.
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "probes/rings/ring_reader.h"

namespace edgewise {
namespace {

using client::Record;
using client::RecordKind;

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

}  // namespace

size_t RingReader::Decode(std::span<Record> records, int32_t& tid,
                          const RingDelivery& to) {
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
    } else if (!DecodeOne(record, extra_bytes, tid, to)) {
      ++invalid_;
    }
    used += 1 + extra;
  }
  return used;
}

// False for a record that makes no sense.
bool RingReader::DecodeOne(const Record& record, std::span<char> extra,
                           int32_t tid, const RingDelivery& to) {
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
  const std::optional<uint32_t> name = ResolveName(*kind, record.name, to);
  if (!name) {
    return true;  // counted where it was refused
  }
  const auto start_ns = static_cast<int64_t>(record.start_ns);
  const auto duration_ns = static_cast<int64_t>(record.value);
  if (is_job) {
    to.batch.jobs.push_back({*name, tid, static_cast<int64_t>(job.release_ns),
                             start_ns, start_ns + duration_ns,
                             static_cast<int64_t>(job.deadline_ns),
                             CpuTime(record.cpu_ns)});
  } else if (has_duration) {
    to.batch.spans.push_back({*name, tid, start_ns, duration_ns,
                              CpuTime(record.cpu_ns), MetaText(extra)});
  } else {
    to.batch.metrics.push_back({*name, tid, start_ns, value});
  }
  return true;
}

std::optional<uint32_t> RingReader::ResolveName(EventKind kind,
                                                uint32_t client_name,
                                                const RingDelivery& to) {
  if (client_name == 0 || client_name >= client::kNameCapacity) {
    ++invalid_;
    return std::nullopt;
  }
  std::vector<uint32_t>& ids = dense_ids_[static_cast<int>(kind)];
  if (ids.size() <= client_name) {
    ids.resize(client_name + 1, kUnresolved);
  }
  uint32_t& id = ids[client_name];
  if (id == kUnresolved) {
    std::optional<std::string> text = ReadName(client_name);
    if (!text) {
      ++invalid_;
      return std::nullopt;
    }
    id = to.names.Resolve(kind, *std::move(text), to.client, to.sink)
             .value_or(kRefused);
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

}  // namespace edgewise

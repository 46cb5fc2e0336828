#include "live/tap.h"

#include <optional>

#include "base/byte_code.h"

namespace edgewise::live {
namespace {

constexpr size_t kLengthBytes = 4;
constexpr size_t kMostFrameBytes = size_t{1} << 20;

void AppendLength(size_t length, std::string* to) {
  for (size_t i = 0; i < kLengthBytes; ++i) {
    to->push_back(static_cast<char>(length >> (8 * i) & 0xFF));
  }
}

size_t ReadLength(std::string_view from) {
  size_t length = 0;
  for (size_t i = 0; i < kLengthBytes; ++i) {
    length |= static_cast<size_t>(static_cast<unsigned char>(from[i]))
              << (8 * i);
  }
  return length;
}

// CPU time as one more than it is; 0: not measured.
uint64_t CpuCode(const std::optional<int64_t>& cpu_ns) {
  return cpu_ns ? static_cast<uint64_t>(*cpu_ns) + 1 : 0;
}
std::optional<int64_t> CpuOf(uint64_t code) {
  return code == 0 ? std::nullopt
                   : std::optional(static_cast<int64_t>(code - 1));
}

}  // namespace

std::optional<uint32_t> TapWriter::IdOf(
    uint32_t name, const std::vector<LiveMetric*>& metrics) {
  const LiveMetric* metric = name < metrics.size() ? metrics[name] : nullptr;
  if (metric == nullptr) {
    return std::nullopt;
  }
  const auto [entry, is_new] =
      ids_.try_emplace(metric, static_cast<uint32_t>(ids_.size()));
  if (is_new) {
    ByteWriter payload;
    payload.Varint(entry->second);
    payload.Byte(static_cast<uint8_t>(metric->kind()));
    payload.Bytes(metric->name());
    Append('N', payload.bytes());
  }
  return entry->second;
}

void TapWriter::Append(char type, std::string_view payload) {
  AppendLength(payload.size() + 1, &waiting_);
  waiting_.push_back(type);
  waiting_.append(payload);
}

void TapWriter::Add(std::span<const SpanEvent> events,
                    const std::vector<LiveMetric*>& metrics) {
  ByteWriter payload;
  for (const SpanEvent& event : events) {
    const auto id = IdOf(event.name, metrics);
    if (!id) {
      continue;
    }
    payload.Varint(*id);
    payload.Signed(event.tid);
    payload.Signed(event.start_ns);
    payload.Signed(event.wall_ns);
    payload.Varint(CpuCode(event.cpu_ns));
    payload.Varint(event.meta.size());
    payload.Bytes(event.meta);
  }
  if (waiting_.size() + payload.bytes().size() > kMostWaitingBytes) {
    lost_ += events.size();
    return;
  }
  Append('S', payload.bytes());
}

void TapWriter::Add(std::span<const MetricEvent> events,
                    const std::vector<LiveMetric*>& metrics) {
  ByteWriter payload;
  for (const MetricEvent& event : events) {
    const auto id = IdOf(event.name, metrics);
    if (!id) {
      continue;
    }
    payload.Varint(*id);
    payload.Signed(event.tid);
    payload.Signed(event.time_ns);
    payload.Double(event.value);
  }
  if (waiting_.size() + payload.bytes().size() > kMostWaitingBytes) {
    lost_ += events.size();
    return;
  }
  Append('M', payload.bytes());
}

void TapWriter::Add(std::span<const JobEvent> events,
                    const std::vector<LiveMetric*>& metrics) {
  ByteWriter payload;
  for (const JobEvent& event : events) {
    const auto id = IdOf(event.name, metrics);
    if (!id) {
      continue;
    }
    payload.Varint(*id);
    payload.Signed(event.tid);
    payload.Signed(event.release_ns);
    payload.Signed(event.start_ns);
    payload.Signed(event.end_ns);
    payload.Signed(event.deadline_ns);
    payload.Varint(CpuCode(event.cpu_ns));
  }
  if (waiting_.size() + payload.bytes().size() > kMostWaitingBytes) {
    lost_ += events.size();
    return;
  }
  Append('J', payload.bytes());
}

Result<void> TapReader::Take(std::string_view bytes) {
  kept_.append(bytes);
  size_t at = 0;
  while (kept_.size() - at >= kLengthBytes) {
    const size_t length = ReadLength(std::string_view(kept_).substr(at));
    if (length == 0 || length > kMostFrameBytes) {
      return Error{ErrorCode::kCorrupt,
                   "the agent sent something that is no frame; use the same "
                   "version of edgewise for both"};
    }
    if (kept_.size() - at - kLengthBytes < length) {
      break;
    }
    if (!TakeFrame(std::string_view(kept_).substr(at + kLengthBytes, length))) {
      return Error{ErrorCode::kCorrupt,
                   "the agent sent a frame that makes no sense; use the same "
                   "version of edgewise for both"};
    }
    at += kLengthBytes + length;
  }
  kept_.erase(0, at);
  return {};
}

bool TapReader::TakeFrame(std::string_view frame) {
  ByteReader reader = ByteReader::Unsealed(frame.substr(1));
  switch (frame.front()) {
    case 'N': {
      const auto id = reader.Varint();
      const auto kind = reader.Byte();
      if (!id || *id != names_ || !kind || *kind >= kEventKindCount) {
        return false;
      }
      sink_.OnName(client_, names_++, static_cast<EventKind>(*kind),
                   *reader.Bytes(reader.remaining()));
      return true;
    }
    case 'S': {
      std::vector<SpanEvent> spans;
      while (reader.remaining() > 0) {
        const auto id = reader.Varint();
        const auto tid = reader.Signed();
        const auto start_ns = reader.Signed();
        const auto wall_ns = reader.Signed();
        const auto cpu = reader.Varint();
        const auto meta_bytes = reader.Varint();
        const auto meta = meta_bytes && *meta_bytes <= reader.remaining()
                              ? reader.Bytes(*meta_bytes)
                              : std::nullopt;
        if (!meta || *id >= names_) {
          return false;
        }
        spans.push_back({static_cast<uint32_t>(*id), static_cast<int32_t>(*tid),
                         *start_ns, *wall_ns, CpuOf(*cpu), *meta});
      }
      events_ += spans.size();
      sink_.OnSpans(client_, spans);
      return true;
    }
    case 'M': {
      std::vector<MetricEvent> metrics;
      while (reader.remaining() > 0) {
        const auto id = reader.Varint();
        const auto tid = reader.Signed();
        const auto time_ns = reader.Signed();
        const auto value = reader.Double();
        if (!value || *id >= names_) {
          return false;
        }
        metrics.push_back({static_cast<uint32_t>(*id),
                           static_cast<int32_t>(*tid), *time_ns, *value});
      }
      events_ += metrics.size();
      sink_.OnMetrics(client_, metrics);
      return true;
    }
    case 'J': {
      std::vector<JobEvent> jobs;
      while (reader.remaining() > 0) {
        const auto id = reader.Varint();
        const auto tid = reader.Signed();
        const auto release_ns = reader.Signed();
        const auto start_ns = reader.Signed();
        const auto end_ns = reader.Signed();
        const auto deadline_ns = reader.Signed();
        const auto cpu = reader.Varint();
        if (!cpu || *id >= names_) {
          return false;
        }
        jobs.push_back({static_cast<uint32_t>(*id), static_cast<int32_t>(*tid),
                        *release_ns, *start_ns, *end_ns, *deadline_ns,
                        CpuOf(*cpu)});
      }
      events_ += jobs.size();
      sink_.OnJobs(client_, jobs);
      return true;
    }
    default:
      return false;
  }
}

}  // namespace edgewise::live

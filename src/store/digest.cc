#include "store/digest.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "base/byte_code.h"

namespace edgewise {
namespace {

constexpr uint8_t kDigestV1 = 1;

void NoteTime(SeriesDigest& digest, int64_t start_ns, int64_t end_ns) {
  if (digest.moments.count == 0) {
    digest.first_ns = start_ns;
    digest.last_ns = end_ns;
  }
  digest.first_ns = std::min(digest.first_ns, start_ns);
  digest.last_ns = std::max(digest.last_ns, end_ns);
}

void NoteCpu(SeriesDigest& digest, int64_t cpu_ns) {
  if (cpu_ns >= 0) {
    ++digest.cpu_count;
    digest.cpu_total_ns += static_cast<double>(cpu_ns);
  }
}

void WriteSketch(ByteWriter& out, const stats::Sketch& sketch) {
  const std::vector<uint8_t> bytes = sketch.Serialise();
  out.Varint(bytes.size());
  out.Bytes({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::optional<stats::Sketch> ReadSketch(ByteReader& in) {
  const auto size = in.Varint();
  if (!size || *size > in.remaining()) {
    return std::nullopt;
  }
  const auto bytes = in.Bytes(static_cast<size_t>(*size));
  if (!bytes) {
    return std::nullopt;
  }
  auto sketch = stats::Sketch::Deserialise(std::span(
      reinterpret_cast<const uint8_t*>(bytes->data()), bytes->size()));
  if (!sketch) {
    return std::nullopt;
  }
  return std::move(*sketch);
}

template <typename T>
bool Take(std::optional<T> from, T& to) {
  if (from) {
    to = std::move(*from);
  }
  return from.has_value();
}

}  // namespace

void StreamMoments::Add(double value) {
  if (count > 0) {
    absolute_steps += std::abs(value - last);
    ++steps;
  }
  last = value;
  ++count;
  const double before = value - mean;
  mean += before / static_cast<double>(count);
  squares += before * (value - mean);
}

void StreamMoments::Merge(const StreamMoments& other) {
  if (other.count == 0) {
    return;
  }
  const auto own = static_cast<double>(count);
  const auto more = static_cast<double>(other.count);
  const double apart = other.mean - mean;
  mean += apart * more / (own + more);
  squares += other.squares + apart * apart * own * more / (own + more);
  count += other.count;
  steps += other.steps;
  absolute_steps += other.absolute_steps;
  last = other.last;
}

std::optional<double> StreamMoments::stddev() const {
  if (count < 2) {
    return std::nullopt;
  }
  return std::sqrt(squares / static_cast<double>(count - 1));
}

std::optional<double> StreamMoments::jitter() const {
  if (steps < 1) {
    return std::nullopt;
  }
  return absolute_steps / static_cast<double>(steps);
}

void SeriesDigest::Add(const Span& span) {
  NoteTime(*this, span.start_ns, WrappingSum(span.start_ns, span.wall_ns));
  NoteCpu(*this, span.cpu_ns);
  const auto wall_ns = static_cast<double>(span.wall_ns);
  values.Add(wall_ns);
  moments.Add(wall_ns);
}

void SeriesDigest::Add(const Job& job) {
  NoteTime(*this, job.start_ns, job.end_ns);
  NoteCpu(*this, job.cpu_ns);
  const double lateness_ns =
      static_cast<double>(job.end_ns) - static_cast<double>(job.deadline_ns);
  max_lateness_ns =
      moments.count == 0 ? lateness_ns : std::max(max_lateness_ns, lateness_ns);
  deadline_misses += job.end_ns > job.deadline_ns ? 1 : 0;
  responses.Add(static_cast<double>(job.end_ns) -
                static_cast<double>(job.release_ns));
  const double wall_ns =
      static_cast<double>(job.end_ns) - static_cast<double>(job.start_ns);
  values.Add(wall_ns);
  moments.Add(wall_ns);
}

void SeriesDigest::Add(const Point& point) {
  if (!std::isfinite(point.value)) {
    return;
  }
  NoteTime(*this, point.t_ns, point.t_ns);
  values.Add(point.value);
  moments.Add(point.value);
}

std::string EncodeDigest(const SeriesDigest& digest) {
  ByteWriter out;
  out.Byte(kDigestV1);
  out.Signed(digest.moments.count);
  out.Double(digest.moments.mean);
  out.Double(digest.moments.squares);
  out.Signed(digest.moments.steps);
  out.Double(digest.moments.absolute_steps);
  out.Double(digest.moments.last);
  out.Signed(digest.first_ns);
  out.Signed(digest.last_ns);
  out.Signed(digest.cpu_count);
  out.Double(digest.cpu_total_ns);
  out.Signed(digest.deadline_misses);
  out.Double(digest.max_lateness_ns);
  WriteSketch(out, digest.values);
  WriteSketch(out, digest.responses);
  return out.Sealed();
}

Result<SeriesDigest> DecodeDigest(std::string_view bytes) {
  SeriesDigest digest;
  auto in = ByteReader::Open(bytes);
  const bool whole = in && in->Byte() == kDigestV1 &&
                     Take(in->Signed(), digest.moments.count) &&
                     Take(in->Double(), digest.moments.mean) &&
                     Take(in->Double(), digest.moments.squares) &&
                     Take(in->Signed(), digest.moments.steps) &&
                     Take(in->Double(), digest.moments.absolute_steps) &&
                     Take(in->Double(), digest.moments.last) &&
                     Take(in->Signed(), digest.first_ns) &&
                     Take(in->Signed(), digest.last_ns) &&
                     Take(in->Signed(), digest.cpu_count) &&
                     Take(in->Double(), digest.cpu_total_ns) &&
                     Take(in->Signed(), digest.deadline_misses) &&
                     Take(in->Double(), digest.max_lateness_ns) &&
                     Take(ReadSketch(*in), digest.values) &&
                     Take(ReadSketch(*in), digest.responses) &&
                     in->remaining() == 0;
  if (!whole || digest.moments.count < 0 ||
      static_cast<uint64_t>(digest.moments.count) != digest.values.count()) {
    return Error{ErrorCode::kCorrupt,
                 "a summary of records in the store is damaged, its checksum "
                 "or layout is wrong"};
  }
  return digest;
}

}  // namespace edgewise

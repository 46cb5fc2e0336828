#include "store/block.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>

#include "base/byte_code.h"

namespace edgewise {
namespace {

// The first byte of a block: what it holds, and in which version.
enum BlockFormat : uint8_t {
  kSpansV1 = 1,
  kPointsV1 = 2,
  kJobsV1 = 3,
};

Error BadBlock() {
  return {ErrorCode::kCorrupt,
          "a block of records in the store is damaged, its checksum or layout "
          "is wrong"};
}

template <typename Record>
ByteWriter BeginBlock(BlockFormat format, std::span<const Record> records,
                      size_t columns) {
  assert(records.size() <= kMaxBlockRecords);
  ByteWriter out;
  // Two bytes a value is typical; the string grows where that is too little.
  out.Reserve(16 + records.size() * columns * 2);
  out.Byte(format);
  out.Varint(records.size());
  return out;
}

// Checks the frame and says how many records there are; `columns` is the
// least number of bytes that one record takes.
std::optional<size_t> BeginRead(ByteReader& in, BlockFormat format,
                                size_t columns) {
  const auto found = in.Byte();
  const auto count = in.Varint();
  if (found != format || !count || *count > kMaxBlockRecords ||
      *count * columns > in.remaining()) {
    return std::nullopt;
  }
  return static_cast<size_t>(*count);
}

int64_t StoredCpu(int64_t cpu_ns) { return cpu_ns < 0 ? -1 : cpu_ns; }

// Doubles: what changed against the last one, with the bytes turned round so
// that the usual zeros at the end of a mantissa make a small number.
uint64_t SwapBytes(uint64_t value) {
  uint64_t swapped = 0;
  for (int i = 0; i < 8; ++i) {
    swapped = (swapped << 8) | (value & 0xFF);
    value >>= 8;
  }
  return swapped;
}

template <typename Record, typename Set>
bool ReadColumn(ByteReader& in, std::span<Record> records, Set set) {
  for (Record& record : records) {
    const auto value = in.Signed();
    if (!value || !set(record, *value)) {
      return false;
    }
  }
  return true;
}

bool FitsInt32(int64_t value) {
  return value >= std::numeric_limits<int32_t>::min() &&
         value <= std::numeric_limits<int32_t>::max();
}

// Adds room for a block's records to `records`, and lets `read` fill it.
template <typename Record, typename Read>
Result<void> Decode(std::string_view bytes, std::vector<Record>& records,
                    BlockFormat format, size_t columns, Read read) {
  auto in = ByteReader::Open(bytes);
  if (!in) {
    return BadBlock();
  }
  const auto count = BeginRead(*in, format, columns);
  if (!count) {
    return BadBlock();
  }
  const size_t before = records.size();
  records.resize(before + *count);
  if (!read(*in, std::span<Record>(records).subspan(before)) ||
      in->remaining() != 0) {
    records.resize(before);
    return BadBlock();
  }
  return {};
}

// A column that holds differences to the record before.
template <typename Record, typename Member>
auto Running(Member Record::*member) {
  return [member, last = int64_t{0}](Record& record, int64_t step) mutable {
    last = WrappingSum(last, step);
    if constexpr (sizeof(Member) < sizeof(int64_t)) {
      if (!FitsInt32(last)) {
        return false;
      }
    }
    record.*member = static_cast<Member>(last);
    return true;
  };
}

// A column that holds differences to another column of the same record.
template <typename Record>
auto Beside(int64_t Record::*member, int64_t Record::*base) {
  return [=](Record& record, int64_t value) {
    record.*member = WrappingSum(record.*base, value);
    return true;
  };
}

template <typename Record>
bool ReadCpu(Record& record, int64_t value) {
  if (value < -1) {
    return false;
  }
  record.cpu_ns = value;
  return true;
}

}  // namespace

std::string EncodeBlock(std::span<const Span> spans) {
  ByteWriter out = BeginBlock(kSpansV1, spans, 5);
  int64_t last = 0;
  for (const Span& span : spans) {
    out.Signed(WrappingDifference(span.start_ns, last));
    last = span.start_ns;
  }
  for (const Span& span : spans) {
    out.Signed(span.wall_ns);
  }
  for (const Span& span : spans) {
    out.Signed(StoredCpu(span.cpu_ns));
  }
  int64_t last_tid = 0;
  for (const Span& span : spans) {
    out.Signed(span.tid - last_tid);
    last_tid = span.tid;
  }
  int64_t last_meta = 0;
  for (const Span& span : spans) {
    const auto meta = static_cast<int64_t>(span.meta);
    out.Signed(meta - last_meta);
    last_meta = meta;
  }
  return out.Sealed();
}

Result<void> DecodeBlock(std::string_view bytes, std::vector<Span>& records) {
  return Decode(
      bytes, records, kSpansV1, 5, [](ByteReader& in, std::span<Span> spans) {
        int64_t meta = 0;
        return ReadColumn(in, spans, Running(&Span::start_ns)) &&
               ReadColumn(in, spans,
                          [](Span& span, int64_t value) {
                            span.wall_ns = value;
                            return true;
                          }) &&
               ReadColumn(in, spans, ReadCpu<Span>) &&
               ReadColumn(in, spans, Running(&Span::tid)) &&
               ReadColumn(in, spans, [&meta](Span& span, int64_t step) {
                 meta = WrappingSum(meta, step);
                 span.meta = static_cast<uint32_t>(meta);
                 return meta >= 0 &&
                        meta <= std::numeric_limits<uint32_t>::max();
               });
      });
}

std::string EncodeBlock(std::span<const Job> jobs) {
  ByteWriter out = BeginBlock(kJobsV1, jobs, 6);
  int64_t last = 0;
  for (const Job& job : jobs) {
    out.Signed(WrappingDifference(job.release_ns, last));
    last = job.release_ns;
  }
  for (const Job& job : jobs) {
    out.Signed(WrappingDifference(job.start_ns, job.release_ns));
  }
  for (const Job& job : jobs) {
    out.Signed(WrappingDifference(job.end_ns, job.start_ns));
  }
  for (const Job& job : jobs) {
    out.Signed(WrappingDifference(job.deadline_ns, job.release_ns));
  }
  for (const Job& job : jobs) {
    out.Signed(StoredCpu(job.cpu_ns));
  }
  int64_t last_tid = 0;
  for (const Job& job : jobs) {
    out.Signed(job.tid - last_tid);
    last_tid = job.tid;
  }
  return out.Sealed();
}

Result<void> DecodeBlock(std::string_view bytes, std::vector<Job>& records) {
  return Decode(
      bytes, records, kJobsV1, 6, [](ByteReader& in, std::span<Job> jobs) {
        return ReadColumn(in, jobs, Running(&Job::release_ns)) &&
               ReadColumn(in, jobs, Beside(&Job::start_ns, &Job::release_ns)) &&
               ReadColumn(in, jobs, Beside(&Job::end_ns, &Job::start_ns)) &&
               ReadColumn(in, jobs,
                          Beside(&Job::deadline_ns, &Job::release_ns)) &&
               ReadColumn(in, jobs, ReadCpu<Job>) &&
               ReadColumn(in, jobs, Running(&Job::tid));
      });
}

std::string EncodeBlock(std::span<const Point> points) {
  ByteWriter out = BeginBlock(kPointsV1, points, 2);
  int64_t last = 0;
  for (const Point& point : points) {
    out.Signed(WrappingDifference(point.t_ns, last));
    last = point.t_ns;
  }
  uint64_t last_bits = 0;
  for (const Point& point : points) {
    const auto bits = std::bit_cast<uint64_t>(point.value);
    out.Varint(SwapBytes(bits ^ last_bits));
    last_bits = bits;
  }
  return out.Sealed();
}

Result<void> DecodeBlock(std::string_view bytes, std::vector<Point>& records) {
  return Decode(bytes, records, kPointsV1, 2,
                [](ByteReader& in, std::span<Point> points) {
                  if (!ReadColumn(in, points, Running(&Point::t_ns))) {
                    return false;
                  }
                  uint64_t bits = 0;
                  for (Point& point : points) {
                    const auto changed = in.Varint();
                    if (!changed) {
                      return false;
                    }
                    bits ^= SwapBytes(*changed);
                    point.value = std::bit_cast<double>(bits);
                  }
                  return true;
                });
}

}  // namespace edgewise

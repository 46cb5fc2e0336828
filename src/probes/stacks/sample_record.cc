#include "probes/stacks/sample_record.h"

#include <sys/sysmacros.h>
#include <time.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/clock.h"
#include "stacks/spool.h"

namespace edgewise {
namespace {

constexpr uint64_t kSampleType = PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
                                 PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER |
                                 PERF_SAMPLE_STACK_USER;
constexpr auto kRegisters =
    static_cast<size_t>(std::popcount(stacks::kSampledRegisters));
// Markers in a call chain ("what follows is the kernel's") lie above these.
constexpr uint64_t kFirstContext = PERF_CONTEXT_MAX;

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  template <typename T>
  T Get() {
    T value{};
    const std::string_view bytes = Take(sizeof(T));
    if (ok_) {
      std::memcpy(&value, bytes.data(), sizeof(T));
    }
    return value;
  }
  std::string_view Take(uint64_t size) {
    if (size > rest_.size()) {
      ok_ = false;
      rest_ = {};
      return {};
    }
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  // Text up to the first 0, of what is left but the last `tail` bytes.
  std::string_view Text(size_t tail) {
    const std::string_view text =
        Take(rest_.size() >= tail ? rest_.size() - tail : 0);
    return text.substr(0, text.find('\0'));
  }
  size_t left() const { return rest_.size(); }
  bool ok() const { return ok_; }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

// What sample_id_all adds to records that are no samples: pid, tid, time.
constexpr size_t kTrailerBytes = 16;

void ParseTrailer(Reader& reader, PerfRecord* record, bool with_ids) {
  const auto pid = reader.Get<int32_t>();
  const auto tid = reader.Get<int32_t>();
  record->time_ns = reader.Get<uint64_t>();
  if (with_ids) {
    record->pid = pid;
    record->tid = tid;
  }
}

void ParseSample(Reader& reader, PerfRecord* record) {
  record->kind = RecordKind::kSample;
  record->pid = reader.Get<int32_t>();
  record->tid = reader.Get<int32_t>();
  record->time_ns = reader.Get<uint64_t>();
  const auto entries = reader.Get<uint64_t>();
  for (uint64_t i = 0; i < entries && reader.ok(); ++i) {
    if (const auto ip = reader.Get<uint64_t>(); ip < kFirstContext) {
      record->kernel.push_back(ip);
    }
  }
  const auto abi = reader.Get<uint64_t>();
  record->user_is_64_bit = abi == PERF_SAMPLE_REGS_ABI_64;
  if (abi != PERF_SAMPLE_REGS_ABI_NONE) {
    const std::string_view bytes = reader.Take(kRegisters * sizeof(uint64_t));
    if (reader.ok()) {
      record->registers.resize(kRegisters);
      std::memcpy(record->registers.data(), bytes.data(), bytes.size());
    }
  }
  const auto size = reader.Get<uint64_t>();
  if (size > 0) {
    record->stack = reader.Take(size);
    const auto used = reader.Get<uint64_t>();
    record->stack =
        record->stack.substr(0, std::min<uint64_t>(used, record->stack.size()));
  }
}

void ParseMap(Reader& reader, PerfRecord* record) {
  record->kind = RecordKind::kMap;
  record->pid = reader.Get<int32_t>();
  record->tid = reader.Get<int32_t>();
  record->start = reader.Get<uint64_t>();
  record->length = reader.Get<uint64_t>();
  record->file_offset = reader.Get<uint64_t>();
  const auto major_number = reader.Get<uint32_t>();
  const auto minor_number = reader.Get<uint32_t>();
  record->device = makedev(major_number, minor_number);
  record->inode = reader.Get<uint64_t>();
  record->inode_generation = reader.Get<uint64_t>();
  (void)reader.Get<uint64_t>();  // protection and flags
  record->name = reader.Text(kTrailerBytes);
  ParseTrailer(reader, record, false);
}

void ParseLife(Reader& reader, RecordKind kind, PerfRecord* record) {
  record->kind = kind;
  record->pid = reader.Get<int32_t>();
  record->parent_pid = reader.Get<int32_t>();
  record->tid = reader.Get<int32_t>();
  (void)reader.Get<int32_t>();  // the parent's thread
  record->time_ns = reader.Get<uint64_t>();
}

}  // namespace

uint64_t SamplingPeriodNs(double rate_hz) {
  return static_cast<uint64_t>(static_cast<double>(kNsPerSecond) / rate_hz);
}

perf_event_attr SamplingAttributes(const SamplingOptions& options) {
  perf_event_attr attr{};
  attr.size = sizeof attr;
  attr.type = PERF_TYPE_SOFTWARE;
  attr.config = PERF_COUNT_SW_CPU_CLOCK;
  attr.sample_period = SamplingPeriodNs(options.rate_hz);
  attr.sample_type = kSampleType;
  attr.sample_regs_user = stacks::kSampledRegisters;
  attr.sample_stack_user = options.stack_bytes;
  attr.exclude_callchain_user = 1;
  attr.exclude_kernel = options.with_kernel ? 0 : 1;
  attr.exclude_callchain_kernel = options.with_kernel ? 0 : 1;
  attr.exclude_hv = 1;
  attr.exclude_idle = 1;
  attr.disabled = 1;
  attr.enable_on_exec = options.enable_on_exec ? 1 : 0;
  attr.inherit = options.inherit ? 1 : 0;
  attr.mmap = 1;
  attr.mmap2 = 1;
  attr.comm = 1;
  attr.comm_exec = 1;
  attr.task = 1;
  attr.sample_id_all = 1;
  attr.use_clockid = 1;
  attr.clockid = CLOCK_MONOTONIC;
  attr.wakeup_events = 1;
  return attr;
}

uint64_t RecordTimeNs(std::string_view bytes) {
  Reader reader(bytes);
  const auto header = reader.Get<perf_event_header>();
  if (header.type == PERF_RECORD_SAMPLE) {
    (void)reader.Take(sizeof(uint64_t));  // pid and tid
  } else if (bytes.size() >= sizeof header + kTrailerBytes) {
    (void)reader.Take(bytes.size() - sizeof header - sizeof(uint64_t));
  } else {
    return 0;
  }
  return reader.Get<uint64_t>();
}

void ParseRecord(std::string_view bytes, PerfRecord* record) {
  std::vector<uint64_t> kernel = std::move(record->kernel);
  std::vector<uint64_t> registers = std::move(record->registers);
  *record = PerfRecord();
  kernel.clear();
  registers.clear();
  record->kernel = std::move(kernel);
  record->registers = std::move(registers);

  Reader reader(bytes);
  const auto header = reader.Get<perf_event_header>();
  switch (header.type) {
    case PERF_RECORD_SAMPLE:
      ParseSample(reader, record);
      break;
    case PERF_RECORD_MMAP2:
      ParseMap(reader, record);
      break;
    case PERF_RECORD_FORK:
      ParseLife(reader, RecordKind::kFork, record);
      break;
    case PERF_RECORD_EXIT:
      ParseLife(reader, RecordKind::kExit, record);
      break;
    case PERF_RECORD_COMM:
      record->kind = RecordKind::kName;
      record->by_exec = (header.misc & PERF_RECORD_MISC_COMM_EXEC) != 0;
      record->pid = reader.Get<int32_t>();
      record->tid = reader.Get<int32_t>();
      record->name = reader.Text(kTrailerBytes);
      ParseTrailer(reader, record, false);
      break;
    case PERF_RECORD_LOST:
      record->kind = RecordKind::kLost;
      (void)reader.Get<uint64_t>();  // which event
      record->lost = static_cast<int64_t>(reader.Get<uint64_t>());
      ParseTrailer(reader, record, true);
      break;
    default:
      break;
  }
  if (!reader.ok()) {
    record->kind = RecordKind::kOther;
  }
}

}  // namespace edgewise

// Records of a sampling perf event, taken apart.
//
// Knows the layout for exactly the attributes that SamplingAttributes asks
// for. Pure: bytes in, values out.
#ifndef EDGEWISE_PROBES_STACKS_SAMPLE_RECORD_H_
#define EDGEWISE_PROBES_STACKS_SAMPLE_RECORD_H_

#include <linux/perf_event.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace edgewise {

// Of OpenCV's stacks 16 KiB reach main where 8 KiB do for few; where a stack
// is smaller no more than it is copied.
inline constexpr uint32_t kDefaultStackBytes = 16384;
// A record with its registers and kernel addresses holds less than 64 KiB.
inline constexpr uint32_t kMaxStackBytes = 61440;

struct SamplingOptions {
  double rate_hz = 99;
  uint32_t stack_bytes = kDefaultStackBytes;  // a multiple of 8
  bool with_kernel = true;
  bool inherit = false;
  bool enable_on_exec = false;
};

// The CPU time between two samples.
uint64_t SamplingPeriodNs(double rate_hz);

// A CPU-clock event that samples registers, the top of the user stack and the
// kernel's call chain, and tells of processes and executable mappings.
perf_event_attr SamplingAttributes(const SamplingOptions& options);

enum class RecordKind {
  kOther,  // nothing of interest
  kSample,
  kMap,
  kFork,
  kExit,  // of a thread; of the process if pid == tid
  kName,
  kLost,
};

// One record; which fields mean something depends on `kind`. The views point
// into the bytes it was made of.
struct PerfRecord {
  RecordKind kind = RecordKind::kOther;
  int32_t pid = 0;
  int32_t tid = 0;
  uint64_t time_ns = 0;

  int32_t parent_pid = 0;  // kFork, kExit
  bool by_exec = false;    // kName: the process runs a new program
  std::string_view name;   // kName; kMap: the path
  int64_t lost = 0;        // kLost: records

  uint64_t start = 0;  // kMap
  uint64_t length = 0;
  uint64_t file_offset = 0;
  uint64_t device = 0;
  uint64_t inode = 0;
  uint64_t inode_generation = 0;

  bool user_is_64_bit = false;      // kSample
  std::vector<uint64_t> kernel;     // innermost first
  std::vector<uint64_t> registers;  // by kSampledRegisters; empty: no user part
  std::string_view stack;
};

// When a record was made; 0 for what has no time.
uint64_t RecordTimeNs(std::string_view bytes);

// Reuses the vectors of `record`. kOther for what is cut off or unknown.
void ParseRecord(std::string_view bytes, PerfRecord* record);

}  // namespace edgewise

#endif  // EDGEWISE_PROBES_STACKS_SAMPLE_RECORD_H_

// The bytes of a GPU trace, as the injected library writes them and
// trace_reader.h reads them; docs/formats/gpu-trace.md describes them.
//
// A file is one TraceHeader and then records, each a RecordHead and what its
// kind says, padded to 8 bytes; numbers in the byte order of the machine. Times
// are nanoseconds of CUPTI's clock. A file that ends within a record was cut
// off there.
#ifndef EDGEWISE_GPU_TRACE_LAYOUT_H_
#define EDGEWISE_GPU_TRACE_LAYOUT_H_

#include <cstdint>

namespace edgewise::gpu {

inline constexpr char kTraceMagic[8] = {'E', 'W', 'G', 'P', 'U', 'T', 'R', '1'};
// Where the injected library writes its files, one per process.
inline constexpr char kTraceFolderVariable[] = "EDGEWISE_GPU_TRACE";
inline constexpr char kTraceSuffix[] = ".gputrace";

struct TraceHeader {
  char magic[8];
  uint32_t pid;
  uint32_t cupti_version;  // 0: none was found
  int64_t monotonic_ns;    // CLOCK_MONOTONIC …
  uint64_t trace_ns;       // … and CUPTI's clock, at the same moment
};

enum class RecordKind : uint32_t {
  kName = 1,
  kDevice = 2,
  kKernel = 3,
  kCopy = 4,
  kSet = 5,
  kCall = 6,
  kAccount = 7,
  kProblem = 8,
};

struct RecordHead {
  uint32_t kind;
  uint32_t size;  // of the whole record, this included; a multiple of 8
};

// A name that later records refer to. The text follows.
struct NameRecord {
  RecordHead head;
  uint32_t id;
  uint32_t length;
};

// Why nothing could be recorded. The text follows.
struct ProblemRecord {
  RecordHead head;
  uint32_t length;
  uint32_t unused;
};

struct DeviceRecord {
  RecordHead head;
  uint32_t id;
  uint32_t name;
  uint32_t multiprocessors;
  uint32_t warp_threads;
  // Of one multiprocessor.
  uint32_t most_warps;
  uint32_t most_blocks;
  uint32_t most_shared_bytes;
  uint32_t most_registers;
  uint32_t capability_major;
  uint32_t capability_minor;
};

struct KernelRecord {
  RecordHead head;
  uint64_t start_ns;
  uint64_t end_ns;
  uint32_t name;
  uint32_t device;
  uint32_t stream;
  uint32_t correlation;  // of the call that launched it
  uint64_t blocks;
  uint32_t block_threads;
  uint32_t thread_registers;
  uint32_t shared_bytes;  // of one block
  uint32_t unused;
};

// What CUPTI calls the kinds of memory.
inline constexpr uint8_t kPageableMemory = 1;
inline constexpr uint8_t kPinnedMemory = 2;

struct CopyRecord {
  RecordHead head;
  uint64_t start_ns;
  uint64_t end_ns;
  uint64_t bytes;
  uint32_t device;
  uint32_t stream;
  uint32_t correlation;
  uint8_t kind;  // CUPTI's: 1 host to device, 2 device to host, …
  uint8_t source;
  uint8_t target;
  uint8_t unused;
};

struct SetRecord {
  RecordHead head;
  uint64_t start_ns;
  uint64_t end_ns;
  uint64_t bytes;
  uint32_t device;
  uint32_t stream;
};

// A call of the CUDA runtime or driver.
struct CallRecord {
  RecordHead head;
  uint64_t start_ns;
  uint64_t end_ns;
  uint32_t name;
  uint32_t thread;
  uint32_t correlation;
  uint32_t unused;
};

// Sums so far; the last one of a file holds.
struct AccountRecord {
  RecordHead head;
  uint64_t dropped;      // CUPTI had no room for them
  uint64_t left_out;     // the file had reached its limit
  uint64_t writing_ns;   // the library's own work
  uint64_t overhead_ns;  // CUPTI's own, by its account
};

}  // namespace edgewise::gpu

#endif  // EDGEWISE_GPU_TRACE_LAYOUT_H_

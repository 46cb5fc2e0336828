// The few functions and records of CUPTI, CUDA's tracing library, that the
// injected library uses, declared here so that nothing of NVIDIA's is needed to
// build.
//
// Records are declared as far as all versions from CUDA 10 to 13 agree; newer
// versions only add fields at their ends, and CUPTI itself steps from record to
// record.
#ifndef EDGEWISE_GPU_CUPTI_CUPTI_API_H_
#define EDGEWISE_GPU_CUPTI_CUPTI_API_H_

#include <cstddef>
#include <cstdint>

namespace edgewise::cupti {

using Status = int;
inline constexpr Status kSuccess = 0;

enum class ActivityKind : uint32_t {
  kMemcpy = 1,
  kMemset = 2,
  kDriver = 4,
  kRuntime = 5,
  kDevice = 8,
  kConcurrentKernel = 10,
  kOverhead = 17,
  kMemcpyPeer = 22,
};

struct Activity {
  uint32_t kind;
};

struct Memcpy {
  uint32_t kind;
  uint8_t copy_kind;
  uint8_t source_kind;
  uint8_t target_kind;
  uint8_t flags;
  uint64_t bytes;
  uint64_t start;
  uint64_t end;
  uint32_t device;
  uint32_t context;
  uint32_t stream;
  uint32_t correlation;  // of a copy between devices: its source
};
static_assert(offsetof(Memcpy, correlation) == 44);

struct Memset {
  uint32_t kind;
  uint32_t value;
  uint64_t bytes;
  uint64_t start;
  uint64_t end;
  uint32_t device;
  uint32_t context;
  uint32_t stream;
  uint32_t correlation;
};

struct Kernel {
  uint32_t kind;
  uint8_t cache_config;
  uint8_t shared_memory_config;
  uint16_t thread_registers;
  uint32_t cache_requested;
  uint32_t cache_executed;
  uint64_t start;
  uint64_t end;
  uint64_t completed;
  uint32_t device;
  uint32_t context;
  uint32_t stream;
  int32_t grid[3];
  int32_t block[3];
  int32_t static_shared_bytes;
  int32_t dynamic_shared_bytes;
  uint32_t local_bytes_per_thread;
  uint32_t local_bytes;
  uint32_t correlation;
  int64_t grid_id;
  const char* name;
};
static_assert(offsetof(Kernel, start) == 16);
static_assert(offsetof(Kernel, name) == 104);

struct Call {
  uint32_t kind;
  uint32_t function;
  uint64_t start;
  uint64_t end;
  uint32_t process;
  uint32_t thread;
  uint32_t correlation;
  uint32_t result;
};

struct Overhead {
  uint32_t kind;
  uint32_t overhead_kind;
  uint32_t object_kind;
  uint32_t object[3];  // aligned to 4, as the union that it stands for
  uint64_t start;
  uint64_t end;
};
static_assert(offsetof(Overhead, start) == 24);

struct DeviceInfo {
  uint32_t kind;
  uint32_t flags;
  uint64_t memory_kib_per_s;
  uint64_t memory_bytes;
  uint32_t constant_bytes;
  uint32_t l2_bytes;
  uint32_t warp_threads;
  uint32_t clock_khz;
  uint32_t copy_engines;
  uint32_t multiprocessors;
  uint32_t most_ipc;
  uint32_t most_warps;
  uint32_t most_blocks;
  uint32_t most_shared_bytes;
  uint32_t most_registers;
  uint32_t most_block_registers;
  uint32_t most_block_shared_bytes;
  uint32_t most_block_threads;
  uint32_t most_block[3];
  uint32_t most_grid[3];
  uint32_t capability_major;
  uint32_t capability_minor;
  uint32_t id;
  uint32_t ecc;
  uint8_t uuid[16];
  const char* name;
};
static_assert(offsetof(DeviceInfo, id) == 112);
static_assert(offsetof(DeviceInfo, name) == 136);

// Domains of functions.
inline constexpr int kDriverDomain = 1;
inline constexpr int kRuntimeDomain = 2;

using BufferRequested = void (*)(uint8_t** buffer, size_t* size,
                                 size_t* most_records);
using BufferCompleted = void (*)(void* context, uint32_t stream,
                                 uint8_t* buffer, size_t size,
                                 size_t valid_size);

struct Api {
  Status (*get_version)(uint32_t*) = nullptr;
  Status (*get_timestamp)(uint64_t*) = nullptr;
  Status (*enable)(ActivityKind) = nullptr;
  Status (*register_callbacks)(BufferRequested, BufferCompleted) = nullptr;
  Status (*next_record)(uint8_t*, size_t, Activity**) = nullptr;
  Status (*dropped)(void*, uint32_t, size_t*) = nullptr;
  Status (*flush_all)(uint32_t) = nullptr;
  Status (*callback_name)(int, uint32_t, const char**) = nullptr;
};

}  // namespace edgewise::cupti

#endif  // EDGEWISE_GPU_CUPTI_CUPTI_API_H_

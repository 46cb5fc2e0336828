// The library that CUDA loads into the program (CUDA_INJECTION64_PATH), so that
// an unchanged program tells its kernels, copies and calls.
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <new>
#include <string_view>
#include <thread>

#include "gpu/cupti/cupti_library.h"
#include "gpu/cupti/trace_writer.h"

namespace edgewise::gpu {
namespace {

// Small, since only buffers without unfinished work are handed over before the
// end.
constexpr size_t kBufferBytes = 1 << 17;
constexpr uint64_t kMostTraceBytes = 64ULL << 20;
constexpr uint32_t kFlushEveryMs = 250;

// For the life of the process; never destroyed, as CUPTI may call until the
// very end.
struct Recording {
  cupti::Api api;
  TraceWriter writer;
  std::atomic<uint64_t> dropped{0};
  std::atomic<uint64_t> writing_ns{0};
  std::atomic<uint64_t> overhead_ns{0};
  const pid_t pid = ::getpid();
  std::mutex flushing;
  bool ended = false;

  explicit Recording(const char* folder) : writer(folder, kMostTraceBytes) {}
};
Recording* recording = nullptr;

int64_t ClockNs(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

void AddKernel(const cupti::Kernel& kernel) {
  KernelRecord record{};
  record.start_ns = kernel.start;
  record.end_ns = kernel.end;
  record.name =
      recording->writer.Name(kernel.name != nullptr ? kernel.name : "");
  record.device = kernel.device;
  record.stream = kernel.stream;
  record.correlation = kernel.correlation;
  record.blocks = 1;
  record.block_threads = 1;
  for (int i = 0; i < 3; ++i) {
    record.blocks *= static_cast<uint32_t>(kernel.grid[i]);
    record.block_threads *= static_cast<uint32_t>(kernel.block[i]);
  }
  record.thread_registers = kernel.thread_registers;
  record.shared_bytes = static_cast<uint32_t>(kernel.static_shared_bytes) +
                        static_cast<uint32_t>(kernel.dynamic_shared_bytes);
  recording->writer.Add(RecordKind::kKernel, record);
}

void AddCopy(const cupti::Memcpy& copy, bool between_devices) {
  CopyRecord record{};
  record.start_ns = copy.start;
  record.end_ns = copy.end;
  record.bytes = copy.bytes;
  record.device = copy.device;
  record.stream = copy.stream;
  record.correlation = between_devices ? 0 : copy.correlation;
  record.kind = copy.copy_kind;
  record.source = copy.source_kind;
  record.target = copy.target_kind;
  recording->writer.Add(RecordKind::kCopy, record);
}

void AddSet(const cupti::Memset& set) {
  SetRecord record{};
  record.start_ns = set.start;
  record.end_ns = set.end;
  record.bytes = set.bytes;
  record.device = set.device;
  record.stream = set.stream;
  recording->writer.Add(RecordKind::kSet, record);
}

void AddCall(const cupti::Call& call, int domain) {
  CallRecord record{};
  record.start_ns = call.start;
  record.end_ns = call.end;
  const char* name = nullptr;
  if (recording->api.callback_name(domain, call.function, &name) !=
          cupti::kSuccess ||
      name == nullptr) {
    name = "?";
  }
  // CUPTI asks for the name of each kernel itself.
  if (std::string_view(name) == "cuKernelGetName") {
    return;
  }
  record.name = recording->writer.Name(name);
  record.thread = call.thread;
  record.correlation = call.correlation;
  recording->writer.Add(RecordKind::kCall, record);
}

void AddDevice(const cupti::DeviceInfo& device) {
  DeviceRecord record{};
  record.id = device.id;
  record.name =
      recording->writer.Name(device.name != nullptr ? device.name : "");
  record.multiprocessors = device.multiprocessors;
  record.warp_threads = device.warp_threads;
  record.most_warps = device.most_warps;
  record.most_blocks = device.most_blocks;
  record.most_shared_bytes = device.most_shared_bytes;
  record.most_registers = device.most_registers;
  record.capability_major = device.capability_major;
  record.capability_minor = device.capability_minor;
  recording->writer.Add(RecordKind::kDevice, record);
}

template <typename Record>
const Record& As(const cupti::Activity* activity) {
  return *reinterpret_cast<const Record*>(activity);
}

void Add(const cupti::Activity* activity) {
  switch (static_cast<cupti::ActivityKind>(activity->kind)) {
    case cupti::ActivityKind::kConcurrentKernel:
      AddKernel(As<cupti::Kernel>(activity));
      break;
    case cupti::ActivityKind::kMemcpy:
      AddCopy(As<cupti::Memcpy>(activity), false);
      break;
    case cupti::ActivityKind::kMemcpyPeer:
      AddCopy(As<cupti::Memcpy>(activity), true);
      break;
    case cupti::ActivityKind::kMemset:
      AddSet(As<cupti::Memset>(activity));
      break;
    case cupti::ActivityKind::kRuntime:
      AddCall(As<cupti::Call>(activity), cupti::kRuntimeDomain);
      break;
    case cupti::ActivityKind::kDriver:
      AddCall(As<cupti::Call>(activity), cupti::kDriverDomain);
      break;
    case cupti::ActivityKind::kDevice:
      AddDevice(As<cupti::DeviceInfo>(activity));
      break;
    case cupti::ActivityKind::kOverhead: {
      const auto& overhead = As<cupti::Overhead>(activity);
      if (overhead.end > overhead.start) {
        recording->overhead_ns += overhead.end - overhead.start;
      }
      break;
    }
  }
}

void GiveBuffer(uint8_t** buffer, size_t* size, size_t* most_records) {
  *buffer = static_cast<uint8_t*>(std::aligned_alloc(8, kBufferBytes));
  *size = *buffer != nullptr ? kBufferBytes : 0;
  *most_records = 0;
}

void TakeBuffer(void* context, uint32_t stream, uint8_t* buffer, size_t,
                size_t valid_size) {
  const int64_t begin_ns = ClockNs(CLOCK_THREAD_CPUTIME_ID);
  cupti::Activity* activity = nullptr;
  while (buffer != nullptr && valid_size > 0 &&
         recording->api.next_record(buffer, valid_size, &activity) ==
             cupti::kSuccess) {
    Add(activity);
  }
  std::free(buffer);
  size_t dropped = 0;
  if (recording->api.dropped != nullptr &&
      recording->api.dropped(context, stream, &dropped) == cupti::kSuccess) {
    recording->dropped += dropped;
  }
  recording->writing_ns +=
      static_cast<uint64_t>(ClockNs(CLOCK_THREAD_CPUTIME_ID) - begin_ns);
  recording->writer.Flush(recording->dropped, recording->writing_ns,
                          recording->overhead_ns);
}

// A program that is killed, or ended by a signal, runs no exit handlers: what
// is finished is fetched while it runs.
void FlushNowAndThen() {
  while (true) {
    ::usleep(kFlushEveryMs * 1000);
    const std::lock_guard lock(recording->flushing);
    if (recording->ended) {
      return;
    }
    recording->api.flush_all(0);
  }
}

// The thread takes none of the program's signals.
void StartFlushing() {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    std::thread(FlushNowAndThen).detach();
  } catch (...) {
    // Without the thread, records come when buffers are full and at the end.
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void FlushAtExit() {
  // A child that was forked has neither CUDA nor the thread, and the lock as it
  // was.
  if (::getpid() != recording->pid) {
    return;
  }
  const std::lock_guard lock(recording->flushing);
  recording->ended = true;
  constexpr uint32_t kForced = 1;
  recording->api.flush_all(kForced);
  recording->writer.Flush(recording->dropped, recording->writing_ns,
                          recording->overhead_ns);
}

void BeginRecording(const char* folder) {
  recording = new (std::nothrow) Recording(folder);
  if (recording == nullptr || !recording->writer.valid()) {
    return;
  }
  TraceHeader header{};
  std::copy(std::begin(kTraceMagic), std::end(kTraceMagic), header.magic);
  header.pid = static_cast<uint32_t>(::getpid());
  header.monotonic_ns = ClockNs(CLOCK_MONOTONIC);
  const auto api = cupti::LoadCupti();
  if (!api || api->get_version(&header.cupti_version) != cupti::kSuccess) {
    recording->writer.Begin(header);
    recording->writer.Problem(
        "the program found no CUPTI (libcupti.so): install CUDA's package "
        "cuda-cupti, or name the library with EDGEWISE_CUPTI=PATH");
    return;
  }
  recording->api = *api;
  header.monotonic_ns = ClockNs(CLOCK_MONOTONIC);
  api->get_timestamp(&header.trace_ns);
  recording->writer.Begin(header);
  cupti::Status status = api->register_callbacks(GiveBuffer, TakeBuffer);
  using Kind = cupti::ActivityKind;
  for (const Kind kind : {Kind::kDevice, Kind::kConcurrentKernel, Kind::kMemcpy,
                          Kind::kMemcpyPeer, Kind::kMemset, Kind::kRuntime,
                          Kind::kDriver, Kind::kOverhead}) {
    if (const cupti::Status enabled = api->enable(kind);
        enabled != cupti::kSuccess && kind == Kind::kConcurrentKernel) {
      status = enabled;
    }
  }
  if (status != cupti::kSuccess) {
    recording->writer.Problem(
        "CUPTI refuses to record kernels (its error " + std::to_string(status) +
        "): another profiler may be at work, or CUPTI may not fit the driver");
    return;
  }
  std::atexit(FlushAtExit);
  StartFlushing();
}

}  // namespace
}  // namespace edgewise::gpu

// The name and form that CUDA asks for: 1 for success. CUDA must go on
// whatever happens here.
extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  if (edgewise::gpu::recording == nullptr) {
    const char* const folder = std::getenv(edgewise::gpu::kTraceFolderVariable);
    if (folder != nullptr && *folder != '\0') {
      edgewise::gpu::BeginRecording(folder);
    }
  }
  return 1;
}

// A stand-in for CUPTI: hands over a few records when it is flushed, in the
// layout of CUDA 13, whose kernel records are longer than what edgewise knows.
#include <cstdlib>
#include <cstring>
#include <new>

#include "gpu/cupti/cupti_api.h"

namespace {

using namespace edgewise::cupti;

BufferRequested give = nullptr;
BufferCompleted take = nullptr;
bool enabled[64] = {};

// Fills one buffer; records are padded as CUPTI pads them.
class Buffer {
 public:
  Buffer() {
    size_t most_records = 0;
    give(&bytes_, &size_, &most_records);
  }
  template <typename Record>
  void Add(ActivityKind kind, Record record, size_t padding = 0) {
    const size_t length = (sizeof record + padding + 7) / 8 * 8;
    if (!enabled[static_cast<uint32_t>(kind)] || used_ + length > size_) {
      return;
    }
    record.kind = static_cast<uint32_t>(kind);
    std::memset(bytes_ + used_, 0xff, length);
    std::memcpy(bytes_ + used_, &record, sizeof record);
    used_ += length;
  }
  void HandOver() { take(nullptr, 0, bytes_, size_, used_); }

 private:
  uint8_t* bytes_ = nullptr;
  size_t size_ = 0;
  size_t used_ = 0;
};

constexpr size_t kKernelPadding = 96;

size_t LengthOf(const Activity* activity) {
  switch (static_cast<ActivityKind>(activity->kind)) {
    case ActivityKind::kConcurrentKernel:
      return (sizeof(Kernel) + kKernelPadding + 7) / 8 * 8;
    case ActivityKind::kMemcpy:
      return (sizeof(Memcpy) + 7) / 8 * 8;
    case ActivityKind::kDevice:
      return (sizeof(DeviceInfo) + 7) / 8 * 8;
    case ActivityKind::kOverhead:
      return (sizeof(Overhead) + 7) / 8 * 8;
    default:
      return (sizeof(Call) + 7) / 8 * 8;
  }
}

void AddWork(Buffer& buffer) {
  DeviceInfo device{};
  device.name = "Fake GPU";
  device.multiprocessors = 8;
  device.warp_threads = 32;
  device.most_warps = 64;
  device.most_blocks = 32;
  device.most_registers = 65536;
  device.most_shared_bytes = 100 * 1024;
  device.capability_major = 9;
  buffer.Add(ActivityKind::kDevice, device);
  for (uint64_t i = 0; i < 3; ++i) {
    Kernel kernel{};
    kernel.start = 10'000 + i * 2000;
    kernel.end = kernel.start + 1000;
    kernel.name = "_Z5saxpyfPKfPf";
    kernel.correlation = static_cast<uint32_t>(i + 1);
    kernel.thread_registers = 32;
    for (int axis = 0; axis < 3; ++axis) {
      kernel.grid[axis] = 2;
      kernel.block[axis] = 8;
    }
    buffer.Add(ActivityKind::kConcurrentKernel, kernel, kKernelPadding);
    Call call{};
    call.function = 211;
    call.start = kernel.start - 500;
    call.end = call.start + 100;
    call.thread = 1;
    call.correlation = kernel.correlation;
    buffer.Add(ActivityKind::kRuntime, call);
  }
  Memcpy copy{};
  copy.copy_kind = 1;
  copy.source_kind = 1;
  copy.bytes = 4096;
  copy.start = 5000;
  copy.end = 9000;
  buffer.Add(ActivityKind::kMemcpy, copy);
  Overhead overhead{};
  overhead.start = 100;
  overhead.end = 400;
  buffer.Add(ActivityKind::kOverhead, overhead);
}

}  // namespace

extern "C" {

Status cuptiGetVersion(uint32_t* version) {
  *version = 130001;
  return kSuccess;
}
Status cuptiGetTimestamp(uint64_t* timestamp) {
  *timestamp = 1;
  return kSuccess;
}
Status cuptiActivityEnable(ActivityKind kind) {
  enabled[static_cast<uint32_t>(kind)] = true;
  return kSuccess;
}
Status cuptiActivityRegisterCallbacks(BufferRequested requested,
                                      BufferCompleted completed) {
  give = requested;
  take = completed;
  return kSuccess;
}
Status cuptiActivityGetNextRecord(uint8_t* buffer, size_t size,
                                  Activity** record) {
  uint8_t* const next =
      *record == nullptr
          ? buffer
          : reinterpret_cast<uint8_t*>(*record) + LengthOf(*record);
  if (next >= buffer + size) {
    return 12;  // as CUPTI says that there are no more
  }
  *record = reinterpret_cast<Activity*>(next);
  return kSuccess;
}
Status cuptiActivityFlushAll(uint32_t) {
  Buffer buffer;
  AddWork(buffer);
  buffer.HandOver();
  return kSuccess;
}
Status cuptiGetCallbackName(int domain, uint32_t, const char** name) {
  *name =
      domain == kRuntimeDomain ? "cudaLaunchKernel_v7000" : "cuLaunchKernel";
  return kSuccess;
}

}  // extern "C"

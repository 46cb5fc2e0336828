#include "sessions/gpu_sampler.h"

#include <chrono>
#include <utility>

#include "base/clock.h"
#include "probes/slow_clock.h"

namespace edgewise {
namespace {

constexpr int64_t kEveryNs = 250 * kNsPerMs;
constexpr double kMostShare = 0.01;

}  // namespace

Result<std::unique_ptr<GpuSampler>> GpuSampler::Open() {
  auto probe = GpuProbe::Open();
  if (!probe) {
    return probe.error();
  }
  return std::make_unique<GpuSampler>(std::move(*probe));
}

GpuSampler::GpuSampler(GpuProbe probe)
    : probe_(std::move(probe)), devices_(probe_.devices()) {}

GpuSampler::~GpuSampler() { Stop(); }

int64_t GpuSampler::ReadOnce() {
  const int64_t before_ns = ThreadCpuNs();
  auto readings = probe_.Read(MonotonicNs());
  const std::lock_guard lock(mutex_);
  readings_.push_back(std::move(readings));
  return ThreadCpuNs() - before_ns;
}

void GpuSampler::Start() {
  (void)ReadOnce();
  thread_ = std::thread([this] { Work(); });
}

void GpuSampler::Work() {
  SlowClock clock(kEveryNs, kMostShare);
  clock.Looked(MonotonicNs(), 0);
  std::unique_lock lock(mutex_);
  while (!ending_) {
    const int64_t pause_ns = clock.next_ns() - MonotonicNs();
    if (pause_ns > 0) {
      wake_.wait_for(lock, std::chrono::nanoseconds(pause_ns),
                     [this] { return ending_; });
      continue;
    }
    lock.unlock();
    const int64_t cost_ns = ReadOnce();
    clock.Looked(MonotonicNs(), cost_ns);
    lock.lock();
  }
}

std::vector<std::vector<GpuReading>> GpuSampler::TakeReadings() {
  const std::lock_guard lock(mutex_);
  return std::exchange(readings_, {});
}

void GpuSampler::Stop() {
  if (!thread_.joinable()) {
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_one();
  thread_.join();
  (void)ReadOnce();
}

}  // namespace edgewise

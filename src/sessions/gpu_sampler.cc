#include "sessions/gpu_sampler.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <utility>

#include "probes/small_files.h"

namespace edgewise {
namespace {

constexpr double kMostLightShare = 0.01;
constexpr double kMostFullShare = 0.005;

int64_t PauseNs(int64_t least_ns, int64_t cost_ns, double most_share) {
  return std::max(least_ns, static_cast<int64_t>(static_cast<double>(cost_ns) /
                                                 most_share));
}

}  // namespace

Result<std::unique_ptr<GpuSampler>> GpuSampler::Open(GpuPace pace) {
  auto probe = GpuProbe::Open();
  if (!probe) {
    return probe.error();
  }
  return std::make_unique<GpuSampler>(std::move(*probe), pace);
}

GpuSampler::GpuSampler(GpuProbe probe, GpuPace pace)
    : probe_(std::move(probe)), devices_(probe_.devices()), pace_(pace) {}

GpuSampler::~GpuSampler() { Stop(); }

int64_t GpuSampler::ReadOnce(GpuProbe::Depth depth) {
  const int64_t before_ns = ThreadCpuNs();
  auto readings = probe_.Read(MonotonicNs(), depth);
  const std::lock_guard lock(mutex_);
  readings_.push_back(std::move(readings));
  return ThreadCpuNs() - before_ns;
}

void GpuSampler::Start() {
  (void)ReadOnce(GpuProbe::Depth::kFull);
  thread_ = std::thread([this] { Work(); });
}

// At even distances, so that means over readings are means over time.
void GpuSampler::Work() {
  int64_t next_ns = MonotonicNs() + pace_.light_every_ns;
  int64_t next_full_ns = MonotonicNs() + pace_.full_every_ns;
  std::unique_lock lock(mutex_);
  while (!ending_) {
    const int64_t now_ns = MonotonicNs();
    if (now_ns < next_ns) {
      wake_.wait_for(lock, std::chrono::nanoseconds(next_ns - now_ns),
                     [this] { return ending_; });
      continue;
    }
    const bool full = now_ns >= next_full_ns;
    lock.unlock();
    const int64_t cost_ns =
        ReadOnce(full ? GpuProbe::Depth::kFull : GpuProbe::Depth::kLight);
    lock.lock();
    if (full) {
      next_full_ns =
          now_ns + PauseNs(pace_.full_every_ns, cost_ns, kMostFullShare);
      next_ns = now_ns + pace_.light_every_ns;
    } else {
      next_ns =
          now_ns + PauseNs(pace_.light_every_ns, cost_ns, kMostLightShare);
    }
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
  (void)ReadOnce(GpuProbe::Depth::kFull);
}

std::optional<std::string> FindTegrastats(const GpuSampler* sampler) {
  const bool told =
      sampler != nullptr &&
      std::any_of(sampler->devices().begin(), sampler->devices().end(),
                  [](const GpuDevice& device) { return !device.integrated; });
  const char* const path = std::getenv("PATH");
  if (told || path == nullptr) {
    return std::nullopt;
  }
  return FindProgram("tegrastats", path);
}

}  // namespace edgewise

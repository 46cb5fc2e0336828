#include "live/gpu_watch.h"

#include "base/clock.h"

namespace edgewise::live {
namespace {

// An agent runs for months: a tenth of what a Run reads.
constexpr GpuPace kPace = {2 * kNsPerSecond, 10 * kNsPerSecond};
constexpr int kTegrastatsEveryMs = 2000;

template <typename T>
void KeepKnown(std::optional<T>& newer, const std::optional<T>& older) {
  if (!newer) {
    newer = older;
  }
}

}  // namespace

GpuReading ReadingOf(const TegraStats& tegra, int64_t now_ns) {
  GpuReading reading;
  reading.at_ns = now_ns;
  if (const TegraUnit* const unit = tegra.Unit("GR3D")) {
    reading.busy_percent = unit->percent;
    reading.sm_clock_mhz = unit->mhz;
  }
  if (const TegraUnit* const memory = tegra.Unit("EMC")) {
    reading.memory_busy_percent = memory->percent;
    reading.memory_clock_mhz = memory->mhz;
  }
  if (const TegraTemperature* const heat = tegra.Temperature("GPU")) {
    reading.celsius = heat->celsius;
  }
  return reading;
}

void GpuWatch::Open() {
  opened_ = true;
  if (auto sampler = GpuSampler::Open(kPace)) {
    sampler_ = std::move(*sampler);
    for (const GpuDevice& device : sampler_->devices()) {
      gpus_.devices.push_back({device, {}});
    }
    sampler_->Start();
  }
  if (const auto program = FindTegrastats(sampler_.get())) {
    tegrastats_.emplace(*program, kTegrastatsEveryMs);
  }
}

void GpuWatch::Keep(const std::vector<GpuReading>& readings) {
  for (size_t i = 0; i < readings.size() && i < gpus_.devices.size(); ++i) {
    GpuReading newest = readings[i];
    // Light readings leave these out.
    const GpuReading& before = gpus_.devices[i].reading;
    KeepKnown(newest.joules, before.joules);
    KeepKnown(newest.bandwidth_bytes_per_s, before.bandwidth_bytes_per_s);
    KeepKnown(newest.pcie_receive_bytes_per_s, before.pcie_receive_bytes_per_s);
    KeepKnown(newest.pcie_transmit_bytes_per_s,
              before.pcie_transmit_bytes_per_s);
    gpus_.devices[i].reading = std::move(newest);
  }
}

const NodeGpus& GpuWatch::Read(int64_t now_ns) {
  if (!opened_) {
    Open();
  }
  if (sampler_) {
    for (const auto& readings : sampler_->TakeReadings()) {
      Keep(readings);
    }
  }
  if (tegrastats_) {
    if (auto stats = tegrastats_->Poll(now_ns)) {
      if (gpus_.devices.empty()) {
        GpuDevice device;
        device.name = "Jetson";
        device.integrated = true;
        gpus_.devices.push_back({device, {}});
      }
      // Of a Jetson's GPU tegrastats tells more, and never rubbish.
      gpus_.devices.front().reading = ReadingOf(*stats, now_ns);
      gpus_.tegra = std::move(stats);
    }
  }
  return gpus_;
}

}  // namespace edgewise::live

#include "probes/gpu/gpm_counters.h"

#include <utility>

namespace edgewise {
namespace {

constexpr double kMiB = 1 << 20;
// Beyond any PCIe link, in MiB a second: rubbish.
constexpr double kMostPcieMib = 4e6;

}  // namespace

GpmCounters::GpmCounters(const nvml::Api& api, nvml::Device device, Sample a,
                         Sample b)
    : api_(&api),
      device_(device),
      before_(std::move(a)),
      after_(std::move(b)),
      metrics_(std::make_unique<nvml::GpmMetrics>()) {}

std::optional<GpmCounters> GpmCounters::Open(const nvml::Api& api,
                                             nvml::Device device) {
  nvml::GpmSupport support;
  if (api.gpm_support == nullptr || api.gpm_alloc == nullptr ||
      api.gpm_free == nullptr || api.gpm_get == nullptr ||
      api.gpm_metrics == nullptr ||
      api.gpm_support(device, &support) != nvml::kSuccess ||
      support.supported == 0) {
    return std::nullopt;
  }
  nvml::GpmSample a = nullptr;
  nvml::GpmSample b = nullptr;
  if (api.gpm_alloc(&a) != nvml::kSuccess) {
    return std::nullopt;
  }
  Sample first(a, {&api});
  if (api.gpm_alloc(&b) != nvml::kSuccess) {
    return std::nullopt;
  }
  return GpmCounters(api, device, std::move(first), Sample(b, {&api}));
}

GpmReading GpmCounters::Read() {
  GpmReading reading;
  if (api_->gpm_get(device_, after_.get()) != nvml::kSuccess) {
    has_before_ = false;
    return reading;
  }
  if (has_before_) {
    *metrics_ = {};
    metrics_->count = 3;
    metrics_->before = before_.get();
    metrics_->after = after_.get();
    nvml::GpmMetric* const metrics = metrics_->metrics;
    metrics[0].id = nvml::kGpmDramBandwidthPercent;
    metrics[1].id = nvml::kGpmPcieReceiveMib;
    metrics[2].id = nvml::kGpmPcieTransmitMib;
    if (api_->gpm_metrics(metrics_.get()) == nvml::kSuccess) {
      const auto value = [&](int i, double most) -> std::optional<double> {
        const nvml::GpmMetric& metric = metrics[i];
        return metric.status == nvml::kSuccess && metric.value >= 0 &&
                       metric.value <= most
                   ? std::optional(metric.value)
                   : std::nullopt;
      };
      reading.dram_percent = value(0, 100);
      if (const auto mib = value(1, kMostPcieMib)) {
        reading.pcie_receive_bytes_per_s = *mib * kMiB;
      }
      if (const auto mib = value(2, kMostPcieMib)) {
        reading.pcie_transmit_bytes_per_s = *mib * kMiB;
      }
    }
  }
  std::swap(before_, after_);
  has_before_ = true;
  return reading;
}

}  // namespace edgewise

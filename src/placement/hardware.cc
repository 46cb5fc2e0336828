#include "placement/hardware.h"

#include <algorithm>
#include <variant>

#include "prediction/device_names.h"

namespace edgewise {
namespace {

// A device that is busy all the time still gets round to it.
constexpr double kLeastShare = 0.05;

}  // namespace

Hardware::Hardware(const LatencyModel& model)
    : model_(model), coarse_spec_(FitCoarseSpec(model)) {
  std::map<std::string, KnownDevice> by_name;
  for (const KnownRun& run : model.runs) {
    KnownDevice& device = by_name[run.device];
    device.name = run.device;
    device.runs.push_back(&run);
    if (run.coarse_level &&
        (device.coarse_run == nullptr ||
         *run.coarse_level < *device.coarse_run->coarse_level)) {
      device.coarse_run = &run;
    }
  }
  for (auto& [name, device] : by_name) {
    by_key_[DeviceKey(name)].push_back(devices_.size());
    devices_.push_back(std::move(device));
  }
}

const KnownDevice* Hardware::Find(std::string_view name) const {
  const auto found = by_key_.find(DeviceKey(name));
  if (found == by_key_.end()) {
    return nullptr;
  }
  for (const size_t i : found->second) {
    if (devices_[i].name == name) {
      return &devices_[i];
    }
  }
  return found->second.size() == 1 ? &devices_[found->second.front()] : nullptr;
}

std::optional<Prediction> Hardware::Predict(const Query& query,
                                            const KnownDevice& device) const {
  if (std::holds_alternative<Characteristics>(query.features)) {
    return device.coarse_run != nullptr
               ? PredictOnRun(model_, query, *device.coarse_run)
               : std::nullopt;
  }
  std::optional<Prediction> fastest;
  for (const KnownRun* const run : device.runs) {
    auto prediction = PredictOnRun(model_, query, *run);
    if (prediction && (!fastest || prediction->ms < fastest->ms)) {
      fastest = std::move(prediction);
    }
  }
  return fastest;
}

std::optional<Prediction> Hardware::PredictUnknown(
    const Query& query, const std::string& name, const DeviceSpec& spec) const {
  if (const auto* fields = std::get_if<Characteristics>(&query.features)) {
    return coarse_spec_ ? std::optional(PredictCoarseBySpec(
                              model_, *coarse_spec_, *fields, name, spec))
                        : std::nullopt;
  }
  return PredictBySpec(model_, query, name, spec);
}

LoadFactors FactorsUnderLoad(const LatencyModel& model, const Prediction& idle,
                             double percent) {
  LoadFactors factors;
  if (const auto loaded = UnderLoad(model, idle, percent)) {
    factors.ms = loaded->ms / idle.ms;
    if (loaded->low_ms && loaded->high_ms) {
      factors.low = *loaded->low_ms / idle.ms;
      factors.high = *loaded->high_ms / idle.ms;
    }
    return factors;
  }
  const double share = std::max(kLeastShare, 1 - percent / 100);
  factors.ms = 1 / share;
  factors.assumed = true;
  if (idle.low_ms && idle.high_ms) {
    factors.low = *idle.low_ms / idle.ms;
    factors.high = *idle.high_ms / idle.ms * (percent > 0 ? 2 / share : 1);
  }
  return factors;
}

}  // namespace edgewise

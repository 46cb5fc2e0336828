#include "experiments/pair_prediction.h"

#include <algorithm>
#include <cmath>

namespace edgewise {
namespace {

// A probe that not even a full stressor slows down by this much feels nothing
// here, and what it seems to feel is noise.
constexpr double kLeastFelt = 1.05;

const SlowDown* Find(const std::vector<SlowDown>& slow_downs,
                     const std::string& actor, const std::string& beside) {
  for (const SlowDown& each : slow_downs) {
    if (each.actor == actor && each.beside.size() == 1 &&
        each.beside.front() == beside && each.p50.ratio) {
      return &each;
    }
  }
  return nullptr;
}

std::optional<double> MedianOf(std::vector<double> values) {
  if (values.empty()) {
    return std::nullopt;
  }
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle]
                                : (values[middle - 1] + values[middle]) / 2;
}

SensitivityCurve BeyondCpu(const SensitivityCurve& curve,
                           const SensitivityCurve& cpu, StressKind kind,
                           int cores) {
  std::vector<std::pair<double, double>> points;
  for (const auto& [dial, slow_down] : curve.points()) {
    if (dial > 0) {
      points.emplace_back(
          dial, slow_down / cpu.At(CpuPercentOf({kind, dial}, cores)));
    }
  }
  return SensitivityCurve(std::move(points));
}

}  // namespace

double CpuPercentOf(const StressSpec& spec, int cores) {
  switch (spec.kind) {
    case StressKind::kCpu:
      return spec.dial_percent;
    case StressKind::kCache:  // one thread that never rests
      return spec.dial_percent > 0 ? 100.0 / cores : 0;
    case StressKind::kBandwidth:  // one thread for a share of the time
      return spec.dial_percent / cores;
    default:
      return 0;
  }
}

Sensitivity SensitivityOf(const std::vector<SlowDown>& slow_downs,
                          const std::string& actor, int cores) {
  Sensitivity sensitivity;
  sensitivity.cpu = CurveOf(slow_downs, actor, StressKind::kCpu);
  for (size_t i = 0; i < kProbedKinds.size(); ++i) {
    sensitivity.beyond_cpu[i] =
        BeyondCpu(CurveOf(slow_downs, actor, kProbedKinds[i]), sensitivity.cpu,
                  kProbedKinds[i], cores);
  }
  return sensitivity;
}

std::optional<Pressure> PressureOf(const std::vector<SlowDown>& slow_downs,
                                   const std::string& app,
                                   std::optional<double> cores_alone,
                                   int cores) {
  if (!cores_alone) {
    return std::nullopt;
  }
  Pressure pressure;
  pressure.cpu_percent = std::min(100.0, 100 * *cores_alone / cores);
  for (size_t i = 0; i < kProbedKinds.size(); ++i) {
    const std::string probe =
        "probe:" + std::string(StressKindName(kProbedKinds[i]));
    const Sensitivity felt = SensitivityOf(slow_downs, probe, cores);
    const SlowDown* beside = Find(slow_downs, probe, app);
    if (beside != nullptr && felt.beyond_cpu[i].At(100) >= kLeastFelt) {
      pressure.dial_percent[i] = felt.beyond_cpu[i].DialFor(
          *beside->p50.ratio / felt.cpu.At(pressure.cpu_percent));
    }
  }
  return pressure;
}

double Predict(const Sensitivity& of, const Pressure& beside) {
  // The probed kinds overlap: who streams through memory also takes cache.
  double beyond_cpu = 1;
  for (size_t i = 0; i < kProbedKinds.size(); ++i) {
    beyond_cpu =
        std::max(beyond_cpu, of.beyond_cpu[i].At(beside.dial_percent[i]));
  }
  return of.cpu.At(beside.cpu_percent) * beyond_cpu;
}

PredictionCheck CheckPredictions(
    const std::vector<SlowDown>& slow_downs,
    const std::vector<std::string>& apps,
    const std::vector<Sensitivity>& sensitivities,
    const std::vector<std::optional<Pressure>>& pressures) {
  PredictionCheck check;
  std::vector<double> errors;
  std::vector<double> noises;
  for (size_t a = 0; a < apps.size(); ++a) {
    for (size_t b = 0; b < apps.size(); ++b) {
      PairPrediction pair{apps[a], apps[b], {}, {}, {}};
      if (pressures[b]) {
        pair.predicted = Predict(sensitivities[a], *pressures[b]);
      }
      if (const SlowDown* seen = Find(slow_downs, apps[a], apps[b])) {
        pair.measured = seen->p50.ratio;
        for (size_t i = 1; i < seen->p50_ratios.size(); ++i) {
          noises.push_back(
              std::abs(seen->p50_ratios[i] / seen->p50_ratios[i - 1] - 1));
        }
      }
      if (pair.predicted && pair.measured) {
        pair.error = std::abs(*pair.predicted / *pair.measured - 1);
        errors.push_back(*pair.error);
      }
      check.pairs.push_back(std::move(pair));
    }
  }
  check.median_error = MedianOf(errors);
  check.median_noise = MedianOf(noises);
  check.bar =
      std::max(kErrorBar, kNoiseFactor * check.median_noise.value_or(0));
  check.passed = check.median_error && *check.median_error <= check.bar;
  return check;
}

}  // namespace edgewise

// Predicting what two apps cost each other from what each does alone and
// beside stressors: N measurements instead of N² (Mars et al. 2011,
// "Bubble-Up"). docs/decisions/ has the reasons for this model.
#ifndef EDGEWISE_EXPERIMENTS_PAIR_PREDICTION_H_
#define EDGEWISE_EXPERIMENTS_PAIR_PREDICTION_H_

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "experiments/sensitivity.h"

namespace edgewise {

// Resources that are felt by a probe; CPU is known from the kernel's account.
inline constexpr std::array<StressKind, 2> kProbedKinds{StressKind::kCache,
                                                        StressKind::kBandwidth};

// What an actor suffers: a curve of the CPU, and what comes on top of the CPU
// that a stressor uses, of each probed kind.
struct Sensitivity {
  SensitivityCurve cpu;
  std::array<SensitivityCurve, 2> beyond_cpu;  // as kProbedKinds
};

// What an actor does to others, as the dials of stressors that do the same.
struct Pressure {
  double cpu_percent = 0;                // of all cores
  std::array<double, 2> dial_percent{};  // as kProbedKinds
};

// The share of all `cores` that a stressor asks for by itself.
double CpuPercentOf(const StressSpec& spec, int cores);

// `slow_downs` of the actor beside stressors of cpu and of the probed kinds.
Sensitivity SensitivityOf(const std::vector<SlowDown>& slow_downs,
                          const std::string& actor, int cores);

// From the slow-downs of probes ("probe:cache") beside the app, and beside
// stressors. nullopt where the app's CPU time is not known.
std::optional<Pressure> PressureOf(const std::vector<SlowDown>& slow_downs,
                                   const std::string& app,
                                   std::optional<double> cores_alone,
                                   int cores);

// The slow-down of p50.
double Predict(const Sensitivity& of, const Pressure& beside);

struct PairPrediction {
  std::string app;
  std::string beside;
  std::optional<double> predicted;
  std::optional<double> measured;
  std::optional<double> error;  // |predicted / measured - 1|
};

struct PredictionCheck {
  std::vector<PairPrediction> pairs;
  std::optional<double> median_error;
  // Of one repeat against another of the same pair; nullopt below two repeats.
  std::optional<double> median_noise;
  double bar = 0;
  bool passed = false;
};

inline constexpr double kErrorBar = 0.15;
inline constexpr double kNoiseFactor = 1.5;

// Every ordered pair of `apps` of which there is something in `slow_downs`.
PredictionCheck CheckPredictions(
    const std::vector<SlowDown>& slow_downs,
    const std::vector<std::string>& apps,
    const std::vector<Sensitivity>& sensitivities,
    const std::vector<std::optional<Pressure>>& pressures);

}  // namespace edgewise

#endif  // EDGEWISE_EXPERIMENTS_PAIR_PREDICTION_H_

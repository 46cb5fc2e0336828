#include "prediction/evaluate.h"

#include <algorithm>
#include <cmath>

namespace edgewise {
namespace {

using Eigen::Index;

constexpr size_t kLeastShared = 10;

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half]
                                : (values[half - 1] + values[half]) / 2;
}

bool SameSetting(const BoardRun& a, const BoardRun& b) {
  return a.device == b.device && a.spec.threads == b.spec.threads &&
         a.spec.little_cores == b.spec.little_cores;
}

}  // namespace

NoiseFloor FindNoiseFloor(const LatencyData& data) {
  NoiseFloor floor;
  std::vector<double> plain;
  std::vector<double> levelled;
  for (size_t a = 0; a < data.runs.size(); ++a) {
    for (size_t b = a + 1; b < data.runs.size(); ++b) {
      if (!SameSetting(data.runs[a], data.runs[b])) {
        continue;
      }
      std::vector<double> ratios;
      for (Index n = 0; n < data.log_ms.cols(); ++n) {
        const double ratio = data.log_ms(static_cast<Index>(a), n) -
                             data.log_ms(static_cast<Index>(b), n);
        if (!std::isnan(ratio)) {
          ratios.push_back(ratio);
        }
      }
      if (ratios.size() < kLeastShared) {
        continue;
      }
      ++floor.pairs;
      const double level = Median(ratios);
      for (const double ratio : ratios) {
        plain.push_back(std::abs(std::exp(ratio) - 1));
        levelled.push_back(std::abs(std::exp(ratio - level) - 1));
      }
    }
  }
  if (floor.pairs > 0) {
    floor.between_runs = Median(std::move(plain));
    floor.between_runs_levelled = Median(std::move(levelled));
  }
  return floor;
}

Evaluation Evaluate(const LatencyData& data, const HeldOut& held_out) {
  Evaluation evaluation;
  evaluation.noise = FindNoiseFloor(data);
  const auto add = [&](const char* name,
                       const std::vector<Forecast>& forecasts) {
    evaluation.rows.push_back({name, Judge(forecasts)});
  };
  add("new network, known device", held_out.new_network);
  add("  by MACs alone", held_out.new_network_macs);
  add("  by the eight fields", held_out.new_network_coarse);
  add("new device, 5 networks measured", held_out.new_device);
  add("  by MACs alone", held_out.new_device_macs);
  add("  by spec alone", held_out.new_device_spec);
  add("new network on such a device", held_out.new_both);
  add("  by spec alone", held_out.new_both_spec);
  return evaluation;
}

}  // namespace edgewise

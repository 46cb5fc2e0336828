// PressureModel: a Predictor whose figures stand in a file
// (docs/formats/pressures.md).
#ifndef EDGEWISE_ORCHESTRATION_PRESSURE_MODEL_H_
#define EDGEWISE_ORCHESTRATION_PRESSURE_MODEL_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "orchestration/predictor.h"
#include "orchestration/response_law.h"

namespace edgewise::orchestration {

struct PressureApp {
  std::string name;
  std::optional<int64_t> memory_bytes;  // of a replica
  double service_ms = 0;                // alone, at rank 0, on average
  double spread = 0.3;                  // standard deviation ÷ mean of it
  double cores = 1;                     // busy while it serves
  // Of a core at rank 0, on average, beside others: what these do to caches is
  // in it. Only the simulator asks. nullopt: service_ms and what it feels.
  std::optional<double> cpu_ms;
  // What remains of it where the replica has the server to itself.
  double warm = 1;
  // By resource: of an idle replica, and more for each request a second.
  std::vector<double> idle;
  std::vector<double> exerts;
  std::vector<double> feels;
  // Pressure of all others, and what it makes of the service time; both rise,
  // from 0 and 1. Beyond the last point nothing is known.
  std::vector<std::pair<double, double>> slow_down;
  // As in SharedService.
  double uneven = 1;
  double wait = 1;
  double skew = 1;
  double error = 0.1;  // standard deviation of log(measured ÷ predicted)
};

struct PressureRank {
  int rank = 0;
  double speed = 1;              // service times are divided by it
  std::vector<double> capacity;  // pressures are divided by it, by resource
};

struct PressureFigures {
  std::string basis;  // where they come from, in words
  std::vector<std::string> resources;
  std::vector<PressureRank> ranks;
  std::vector<PressureApp> apps;
  // A request that finds all cores taken waits so long for each one at work
  // there before it begins (the simulator's).
  double slice_ms = 0;
};

// Immutable; may be used from several threads.
class PressureModel : public Predictor {
 public:
  explicit PressureModel(PressureFigures figures);

  const PressureFigures& figures() const { return figures_; }
  const std::vector<std::string>& AppNames() const override { return names_; }
  bool KnowsRank(int rank) const override;
  std::optional<int64_t> MemoryBytes(size_t app) const override;
  double Felt(size_t by, const Load& load, int rank) const override;
  double BusyShare(const Load& load, int rank) const override;
  double BusyCores(const Load& load) const override;
  std::optional<ResponseTime> Predict(const Load& load, int rank,
                                      double pressure, double quantile,
                                      double confidence) const override;
  // As Predict, before a quantile is chosen.
  std::optional<ResponseMoments> PredictMoments(const Load& load, int rank,
                                                double pressure) const;

 private:
  const PressureRank* FindRank(int rank) const;

  PressureFigures figures_;
  std::vector<std::string> names_;
};

Result<PressureFigures> ReadPressures(std::string_view yaml,
                                      const std::string& origin);
std::string WritePressures(const PressureFigures& figures);

// Nine applications like those of NeuRO on two ranks of servers. The figures
// are assumed, not measured, and their basis says so.
PressureFigures AssumedPressures();

}  // namespace edgewise::orchestration

#endif  // EDGEWISE_ORCHESTRATION_PRESSURE_MODEL_H_

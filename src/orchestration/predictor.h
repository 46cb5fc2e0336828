// Predictor: what applications on one server do to each other.
//
// Each load is felt by every other application as a number, its pressure;
// pressures add up. The response time of an application never falls when the
// pressure that it feels rises, which turns "latency ≤ delay" into "pressure ≤
// tolerance".
#ifndef EDGEWISE_ORCHESTRATION_PREDICTOR_H_
#define EDGEWISE_ORCHESTRATION_PREDICTOR_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace edgewise::orchestration {

// Replicas of one application at work.
struct Load {
  size_t app = 0;  // index into Predictor::AppNames
  int replicas = 1;
  double rate_per_s = 0;  // of each replica
};

// A quantile of the response time and what it may really be, at the confidence
// that was asked for (one-sided: the truth is below high_ns so often).
struct ResponseTime {
  double estimate_ns = 0;
  double low_ns = 0;
  double high_ns = 0;
};

class Predictor {
 public:
  virtual ~Predictor() = default;

  virtual const std::vector<std::string>& AppNames() const = 0;
  virtual bool KnowsRank(int rank) const = 0;
  // Of one replica; nullopt: not known.
  virtual std::optional<int64_t> MemoryBytes(size_t app) const = 0;

  // How much of `load` the application `by` feels on a server of that rank.
  // Not negative; additive over loads.
  virtual double Felt(size_t by, const Load& load, int rank) const = 0;
  // The part of a server of that rank that the load keeps busy.
  virtual double BusyShare(const Load& load, int rank) const = 0;
  // Cores of a server of rank 0 that one replica keeps busy.
  virtual double BusyCores(const Load& load) const = 0;
  // Under `pressure` in all, its own included. nullopt where answers never
  // come: the queue grows, or nobody knows what so much pressure does.
  virtual std::optional<ResponseTime> Predict(const Load& load, int rank,
                                              double pressure, double quantile,
                                              double confidence) const = 0;
};

}  // namespace edgewise::orchestration

#endif  // EDGEWISE_ORCHESTRATION_PREDICTOR_H_

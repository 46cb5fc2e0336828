// Problem: an instance in whole numbers, ready for searching.
//
// Pressures are counted in billionths, those exerted rounded up and tolerances
// down, so that sums are exact in any order and what fits here holds by the
// predictor.
#ifndef EDGEWISE_ORCHESTRATION_PROBLEM_H_
#define EDGEWISE_ORCHESTRATION_PROBLEM_H_

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "orchestration/instance.h"
#include "orchestration/predictor.h"
#include "orchestration/tolerance_memo.h"

namespace edgewise::orchestration {

// Of a request that cannot keep its promise even alone.
inline constexpr int64_t kNoTolerance = -1;

struct Item {
  int64_t pay_micros = 0;
  int64_t memory_bytes = 0;  // of all replicas; above kMostMemory: too much
  size_t app = 0;
  Load load;
};

// Servers that are alike: rank and memory.
struct ServerKind {
  size_t rank = 0;  // index into Problem::ranks
  int64_t memory_bytes = 0;
  std::vector<size_t> servers;
};

class Problem {
 public:
  // `instance` and `predictor` must outlive this. Refuses apps and ranks that
  // the predictor does not know, and memory that nobody states. `confidence`:
  // so sure must the prediction be that a promise holds. `memo` is asked and
  // filled.
  static Result<Problem> Make(const Instance& instance,
                              const Predictor& predictor, double confidence,
                              ToleranceMemo& memo);
  static Result<Problem> Make(const Instance& instance,
                              const Predictor& predictor, double confidence);

  const Instance& instance() const { return *instance_; }
  const Predictor& predictor() const { return *predictor_; }
  double confidence() const { return confidence_; }
  size_t apps() const { return apps_; }
  const std::vector<Item>& items() const { return items_; }
  const std::vector<ServerKind>& kinds() const { return kinds_; }
  size_t KindOf(size_t server) const { return kind_of_[server]; }
  size_t RankOf(size_t server) const { return kinds_[kind_of_[server]].rank; }
  size_t ranks() const { return ranks_.size(); }

  // What each app feels of the item: apps() numbers.
  const int64_t* Felt(size_t rank, size_t item) const {
    return &felt_[rank][item * apps_];
  }
  // The most that the item may feel in all, its own included.
  int64_t Tolerance(size_t rank, size_t item) const {
    return tolerance_[rank][item];
  }
  // A pressure and a tolerance on one scale for all apps: on any server that
  // keeps its promises the sum of these pressures is at most each of these
  // tolerances.
  double CommonPressure(size_t rank, size_t item) const {
    return common_pressure_[rank][item];
  }
  double CommonTolerance(size_t rank, size_t item) const {
    return common_tolerance_[rank][item];
  }
  bool FitsAlone(size_t kind, size_t item) const;

 private:
  Problem() = default;
  Result<void> AddItem(const Request& request);
  void AddRank(int rank, ToleranceMemo& memo);
  void AddCommonScale(size_t rank);
  int64_t FindTolerance(const Item& item, const Sla& sla, int rank) const;

  const Instance* instance_ = nullptr;
  const Predictor* predictor_ = nullptr;
  double confidence_ = 0;
  size_t apps_ = 0;
  std::vector<Item> items_;
  std::vector<int> ranks_;
  std::vector<ServerKind> kinds_;
  std::vector<size_t> kind_of_;
  std::vector<std::vector<int64_t>> felt_;
  std::vector<std::vector<int64_t>> tolerance_;
  std::vector<std::vector<double>> common_pressure_;
  std::vector<std::vector<double>> common_tolerance_;
};

}  // namespace edgewise::orchestration

#endif  // EDGEWISE_ORCHESTRATION_PROBLEM_H_

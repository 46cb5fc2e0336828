// ToleranceMemo: tolerances that were found before, so that clusters that are
// asked about again and again are not worked out anew.
#ifndef EDGEWISE_ORCHESTRATION_TOLERANCE_MEMO_H_
#define EDGEWISE_ORCHESTRATION_TOLERANCE_MEMO_H_

#include <cstdint>
#include <functional>
#include <map>
#include <tuple>

#include "orchestration/instance.h"
#include "orchestration/predictor.h"

namespace edgewise::orchestration {

// Of one predictor at one confidence. Not thread-safe.
class ToleranceMemo {
 public:
  // What is known of it, else what `find` says, which is kept.
  int64_t Get(const Load& load, const Sla& sla, int rank,
              const std::function<int64_t()>& find) {
    const Key key{load.app,     load.replicas, load.rate_per_s,
                  sla.quantile, sla.delay_ns,  rank};
    const auto known = known_.find(key);
    if (known != known_.end()) {
      return known->second;
    }
    // Far more than stand on any cluster at a time.
    if (known_.size() >= kMostKnown) {
      known_.clear();
    }
    return known_[key] = find();
  }

 private:
  using Key = std::tuple<size_t, int, double, double, int64_t, int>;
  static constexpr size_t kMostKnown = 4 * kMostRequests;

  std::map<Key, int64_t> known_;
};

}  // namespace edgewise::orchestration

#endif  // EDGEWISE_ORCHESTRATION_TOLERANCE_MEMO_H_

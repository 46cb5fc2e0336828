// How long a CPU quota holds requests back.
//
// The kernel gives a budget of CPU time for each period. Work that came lately
// is like a queue served at the speed of the quota, of which a budget's depth
// may be ahead: beyond that, requests wait for more budget.
#ifndef EDGEWISE_CONTENTION_QUOTA_HOLD_H_
#define EDGEWISE_CONTENTION_QUOTA_HOLD_H_

namespace edgewise::contention {

struct QuotaDemand {
  double quota_cores = 1;
  double most_cores = 1;  // that the tenant could use without it
  double depth = 1;       // of budgets that work may be ahead
  double service_s = 0;   // of CPU time, of a request
  double spread = 0;      // standard deviation ÷ mean of it
  double used = 0;        // of the quota; below 1
};

struct Hold {
  double mean_s = 0;
  double deviation_s = 0;
};

// Longer with more work and a smaller quota; none where the quota is no limit.
Hold FindHold(const QuotaDemand& demand);

}  // namespace edgewise::contention

#endif  // EDGEWISE_CONTENTION_QUOTA_HOLD_H_

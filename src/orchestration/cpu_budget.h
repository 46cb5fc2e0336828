// CpuBudget: a tenant's quota of processor time, as the kernel keeps it.
#ifndef EDGEWISE_ORCHESTRATION_CPU_BUDGET_H_
#define EDGEWISE_ORCHESTRATION_CPU_BUDGET_H_

#include <algorithm>
#include <limits>
#include <optional>

namespace edgewise::orchestration {

inline constexpr double kQuotaPeriodS = 0.1;  // the kernel's

// Filled at the begin of every period. What is left then is lost but for the
// slice that a core has already drawn from it. That it is used up is noticed at
// a tick of the clock; what ran until then is owed.
class CpuBudget {
 public:
  explicit CpuBudget(std::optional<double> quota_cores)
      : period_s_(quota_cores ? *quota_cores * kQuotaPeriodS : kUnlimited),
        left_s_(period_s_) {}

  bool limited() const { return period_s_ < kUnlimited; }
  bool spent() const { return limited() && left_s_ + kNoticedS <= kRoundingS; }
  // How long it lasts with so many cores busy.
  double LastsS(double cores) const {
    return cores > 0 ? (left_s_ + kNoticedS) / cores : kUnlimited;
  }
  void Spend(double core_seconds) { left_s_ -= core_seconds; }
  void Fill() { left_s_ = period_s_ + std::min(left_s_, kSliceS); }

 private:
  static constexpr double kUnlimited = std::numeric_limits<double>::infinity();
  static constexpr double kRoundingS = 1e-9;
  static constexpr double kSliceS = 0.005;    // the kernel's usual
  static constexpr double kNoticedS = 0.002;  // half a tick at 250 Hz

  double period_s_;
  double left_s_;
};

}  // namespace edgewise::orchestration

#endif  // EDGEWISE_ORCHESTRATION_CPU_BUDGET_H_

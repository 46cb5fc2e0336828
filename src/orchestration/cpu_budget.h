// CpuBudget: a tenant's quota of processor time, as the kernel keeps it.
#ifndef EDGEWISE_ORCHESTRATION_CPU_BUDGET_H_
#define EDGEWISE_ORCHESTRATION_CPU_BUDGET_H_

#include <limits>
#include <optional>

namespace edgewise::orchestration {

inline constexpr double kQuotaPeriodS = 0.1;  // the kernel's

// Filled at the begin of every period; what is left then is lost.
class CpuBudget {
 public:
  explicit CpuBudget(std::optional<double> quota_cores)
      : period_s_(quota_cores ? *quota_cores * kQuotaPeriodS : kUnlimited),
        left_s_(period_s_) {}

  bool limited() const { return period_s_ < kUnlimited; }
  bool spent() const { return limited() && left_s_ <= kRounding * period_s_; }
  // How long it lasts with so many cores busy.
  double LastsS(double cores) const {
    return cores > 0 ? left_s_ / cores : kUnlimited;
  }
  void Spend(double core_seconds) { left_s_ -= core_seconds; }
  void Fill() { left_s_ = period_s_; }

 private:
  static constexpr double kUnlimited = std::numeric_limits<double>::infinity();
  static constexpr double kRounding = 1e-9;

  double period_s_;
  double left_s_;
};

}  // namespace edgewise::orchestration

#endif  // EDGEWISE_ORCHESTRATION_CPU_BUDGET_H_

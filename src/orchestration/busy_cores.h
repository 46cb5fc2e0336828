// BusyCores: who has the cores of a server that is replayed, and how fast
// everybody advances.
#ifndef EDGEWISE_ORCHESTRATION_BUSY_CORES_H_
#define EDGEWISE_ORCHESTRATION_BUSY_CORES_H_

#include <vector>

#include "orchestration/core_shares.h"
#include "orchestration/cpu_budget.h"

namespace edgewise::orchestration {

// Replicas are counted by tenant: those that serve, and those that wait for a
// core before they begin. A tenant whose quota is spent serves on when the next
// period begins.
class BusyCores {
 public:
  // Keeps pointers to the apps.
  BusyCores(size_t resources, const ReplayServer& server,
            const std::vector<ReplayTenant>& tenants);

  void Wait(size_t tenant);
  void Begin(size_t tenant);  // serves, and waits no more
  void End(size_t tenant);    // serves no more

  bool Runs(size_t tenant) const { return running_[tenant] > 0; }
  // Work that a replica does in a second; of a tenant that runs.
  double Speed(size_t tenant) const { return speeds_[tenant]; }
  // All of the cores is 1.
  double WantedByAll() const { return running_demand_ + waiting_demand_; }
  bool AnyWaits() const { return waiting_ > 0; }
  // Whether one more replica finds a free core, or all of them.
  bool HasRoom(size_t tenant) const;

  // When a quota is spent or filled; infinite: never.
  double NextChangeS(double now_s) const;
  void Spend(double seconds);
  void FillUntil(double now_s);

  // To be called after every change.
  void Share();

 private:
  double Demand(size_t tenant) const { return shares_.Demand(tenant); }
  double CoresOf(size_t tenant) const;

  const CoreShares shares_;
  std::vector<double> cores_;  // of a replica that runs, by tenant
  std::vector<CpuBudget> budgets_;
  bool limited_ = false;
  double next_fill_s_ = kQuotaPeriodS;
  std::vector<int> serving_;  // replicas by tenant
  std::vector<int> running_;  // the same, none where the budget is spent
  std::vector<double> speeds_;
  int waiting_ = 0;
  double share_ = 1;
  double running_demand_ = 0;
  double waiting_demand_ = 0;
};

}  // namespace edgewise::orchestration

#endif  // EDGEWISE_ORCHESTRATION_BUSY_CORES_H_

#include "orchestration/busy_cores.h"

#include <algorithm>

namespace edgewise::orchestration {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kRounding = 1e-9;

}  // namespace

BusyCores::BusyCores(size_t resources, const ReplayServer& server,
                     const std::vector<ReplayTenant>& tenants)
    : shares_(resources, server, tenants),
      serving_(tenants.size(), 0),
      running_(tenants.size(), 0),
      speeds_(tenants.size(), 1) {
  for (const ReplayTenant& tenant : tenants) {
    cores_.push_back(tenant.app->cores);
    budgets_.emplace_back(tenant.quota_cores);
    limited_ = limited_ || tenant.quota_cores;
  }
}

void BusyCores::Wait(size_t tenant) {
  ++waiting_;
  waiting_demand_ += Demand(tenant);
}

void BusyCores::Begin(size_t tenant) {
  --waiting_;
  // Not minus the demand: sums of fractions would drift.
  waiting_demand_ = waiting_ > 0 ? waiting_demand_ - Demand(tenant) : 0;
  ++serving_[tenant];
}

void BusyCores::End(size_t tenant) { --serving_[tenant]; }

bool BusyCores::HasRoom(size_t tenant) const {
  return running_demand_ <= 0 ||
         running_demand_ + Demand(tenant) <= 1 + kRounding;
}

double BusyCores::CoresOf(size_t tenant) const {
  return running_[tenant] * cores_[tenant] * share_;
}

double BusyCores::NextChangeS(double now_s) const {
  if (!limited_) {
    return kInfinite;
  }
  double change_s = next_fill_s_;
  for (size_t t = 0; t < budgets_.size(); ++t) {
    change_s = std::min(change_s, now_s + budgets_[t].LastsS(CoresOf(t)));
  }
  return change_s;
}

void BusyCores::Spend(double seconds) {
  for (size_t t = 0; limited_ && t < budgets_.size(); ++t) {
    budgets_[t].Spend(seconds * CoresOf(t));
  }
}

void BusyCores::FillUntil(double now_s) {
  while (limited_ && next_fill_s_ <= now_s) {
    next_fill_s_ += kQuotaPeriodS;
    for (CpuBudget& budget : budgets_) {
      budget.Fill();
    }
  }
}

void BusyCores::Share() {
  running_demand_ = 0;
  for (size_t t = 0; t < serving_.size(); ++t) {
    running_[t] = budgets_[t].spent() ? 0 : serving_[t];
    running_demand_ += running_[t] * Demand(t);
  }
  share_ = shares_.Share(running_, &speeds_);
}

}  // namespace edgewise::orchestration

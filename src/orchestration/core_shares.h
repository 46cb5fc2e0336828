// CoreShares: how fast replicas at work advance at a moment.
#ifndef EDGEWISE_ORCHESTRATION_CORE_SHARES_H_
#define EDGEWISE_ORCHESTRATION_CORE_SHARES_H_

#include <vector>

#include "orchestration/pressure_model.h"

namespace edgewise::orchestration {

// Replicas of one app on a server that is replayed.
struct ReplayTenant {
  const PressureApp* app = nullptr;
  int replicas = 1;
  double rate_per_s = 0;              // of each replica
  std::optional<double> quota_cores;  // of all replicas; nullopt: none
};

struct ReplayServer {
  const PressureRank* rank = nullptr;
  // nullopt: as many as the apps' pressures on the first resource say.
  std::optional<double> cores;
};

// Those at work share the cores evenly, and each resource beside them linearly:
// what a replica feels are those that run at the same moment, on the other
// cores. Apps with cpu_ms were measured beside others, and feel nothing more.
class CoreShares {
 public:
  // Keeps pointers to the apps.
  CoreShares(size_t resources, const ReplayServer& server,
             const std::vector<ReplayTenant>& tenants);

  // Of all cores, what a replica of the tenant wants while at work.
  double Demand(size_t tenant) const { return parts_[tenant].demand; }

  // `at_work`: replicas by tenant. Sets the speeds of each (1: as alone), and
  // returns the part of its demand that everybody gets.
  double Share(const std::vector<int>& at_work,
               std::vector<double>* speeds) const;

 private:
  struct Part {
    double demand = 0;
    bool feels_more = false;
    const PressureApp* app = nullptr;
    double felt_idle = 0;         // of all replicas that are there
    std::vector<double> exerted;  // by resource, at work
  };
  double Felt(const Part& part, const std::vector<double>& exerted,
              double demand) const;

  size_t resources_;
  std::vector<Part> parts_;  // by tenant
};

}  // namespace edgewise::orchestration

#endif  // EDGEWISE_ORCHESTRATION_CORE_SHARES_H_

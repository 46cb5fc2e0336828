// Deploying tenants together on servers, and measuring them there.
//
// On one machine a "server" is a set of cores, with a limit on memory; servers
// that share no core can be used at the same time.
#ifndef EDGEWISE_TENANTS_DEPLOYMENT_H_
#define EDGEWISE_TENANTS_DEPLOYMENT_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "sessions/signal_guard.h"
#include "stress/stress_spec.h"
#include "tenants/measurements.h"
#include "tenants/tenant.h"

namespace edgewise::tenants {

struct Server {
  std::string name;
  std::string fingerprint;  // of the machine, with its cores and memory
  std::vector<int> cpus;
  std::optional<int64_t> memory_bytes;  // nullopt: what the machine has

  double cores() const { return static_cast<double>(cpus.size()); }
};

// Of a replica, requests a second.
inline constexpr double kLeastRatePerS = 1e-6;
inline constexpr double kMostRatePerS = 1e5;

// A tenant's part of a deployment.
struct Share {
  Tenant tenant;
  int replicas = 1;
  double rate_per_s = 1;  // of each replica
  std::optional<double> quota_cores;
};

struct Deployment {
  std::string id;  // a plain name
  Kind kind = Kind::kRandom;
  std::string repeat_of;
  std::vector<Share> shares;  // of different tenants; at least one
  std::optional<StressSpec> stress;
};

// One of the deployments that are measured at the same time.
struct Placed {
  Server server;
  Deployment deployment;
};

struct DeployConditions {
  std::filesystem::path home;    // of the store
  std::string group;             // of all Runs
  std::string edgewise_program;  // stressors are
  std::string tenant_program;    // answers and asks: apps/tenant
  int64_t warmup_ns = kNsPerSecond;
  int64_t measure_ns = 6 * kNsPerSecond;
  // A tenant that has not begun to answer by then has failed.
  int64_t ready_within_ns = 60 * kNsPerSecond;
  uint64_t seed = 1;  // of the arrivals
};

struct DeploymentMeasured {
  std::vector<Measured> rows;        // one for each share, in order
  std::vector<RequestRow> requests;  // of all of them, by arrival
  std::vector<std::string> run_ids;  // one for each share, in order
  std::string failure;  // why there are no rows: one sentence; or empty
};

struct DeployOutcome {
  std::vector<DeploymentMeasured> measured;  // as asked for
  bool cancelled = false;                    // by a signal; nothing is measured
};

// Refuses what cannot work, in one sentence: servers that share cores, rates
// that are no numbers above 0, more memory than the server has, a program that
// is not there.
Result<void> CheckDeployments(const std::vector<Placed>& placed,
                              const DeployConditions& conditions);

// Starts all of them, waits until every tenant answers, lets them warm up,
// measures for measure_ns, and ends them. A tenant that fails is part of the
// outcome; an error is one of edgewise itself. Signals cancel it in
// order; nothing is left behind, even after kill -9.
//
// No Store may be open in this process meanwhile (experiments/child_session.h).
Result<DeployOutcome> Deploy(const std::vector<Placed>& placed,
                             const DeployConditions& conditions,
                             SignalGuard& signals);

// Where the tenant program is: beside edgewise (apps/tenant of a build, or as
// it is installed), or in PATH. kNotFound says how to get it.
Result<std::string> FindTenantProgram(const std::string& edgewise_program);

}  // namespace edgewise::tenants

#endif  // EDGEWISE_TENANTS_DEPLOYMENT_H_

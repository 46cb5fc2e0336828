// What a campaign measured, as the predictors want it: deployments with what
// became of each tenant's response times.
#ifndef EDGEWISE_CONTENTION_CAMPAIGN_H_
#define EDGEWISE_CONTENTION_CAMPAIGN_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tenants/measurements.h"

namespace edgewise::contention {

// What is predicted of a tenant's response time.
inline constexpr size_t kFigures = 4;
inline constexpr std::array<const char*, kFigures> kFigureNames = {
    "mean", "p75", "p95", "p99"};
// By figure; of the mean there is none.
inline constexpr std::array<double, kFigures> kQuantiles = {0, 0.75, 0.95,
                                                            0.99};
inline constexpr size_t kMean = 0;
inline constexpr size_t kP95 = 2;

using Figures = std::array<double, kFigures>;
using MaybeFigures = std::array<std::optional<double>, kFigures>;

struct Server {
  std::string name;
  std::string fingerprint;
  double cores = 1;
};

struct App {
  std::string name;
  std::optional<int64_t> memory_bytes;  // of a replica
};

// Replicas of one app among a deployment.
struct Tenant {
  size_t app = 0;  // index into Campaign::apps
  int replicas = 1;
  double rate_per_s = 0;              // of each replica
  std::optional<double> quota_cores;  // of all replicas; nullopt: none
};

// Instead of neighbours: a stressor, its dial between 0 and 1.
struct Stress {
  size_t stressor = 0;  // index into Campaign::stressors
  double dial = 0;
};

struct Deployment {
  size_t server = 0;  // index into Campaign::servers
  std::vector<Tenant> tenants;
  std::optional<Stress> stress;
  std::optional<double> seconds = std::nullopt;  // measured for so long
};

// Of one tenant of a deployment.
struct Outcome {
  MaybeFigures response_ms;
  // Where requests were cut off and a figure cannot be said, it is still known
  // to be no less than this.
  MaybeFigures at_least_ms;
  std::optional<double> service_mean_ms;  // under way, others in between
  std::optional<double> service_sd_ms;
  std::optional<double> cpu_ms_per_request;
  int64_t completed = 0;
  bool saturated = false;  // IsSaturated
};

// Of those that arrived, more than a few were refused or never answered.
// Requests under way at the end are no sign of it.
inline bool IsSaturated(int64_t cut_off, int64_t arrived) {
  constexpr int64_t kFew = 3;
  constexpr double kShare = 0.1;
  return cut_off > kFew &&
         static_cast<double>(cut_off) > kShare * static_cast<double>(arrived);
}

using tenants::Kind;

struct Observation {
  std::string id;
  Kind kind = Kind::kRandom;
  std::string repeat_of;  // id of the first of the same; empty: none
  Deployment deployment;
  std::vector<Outcome> outcomes;  // one a tenant
};

struct Campaign {
  std::vector<Server> servers;
  std::vector<App> apps;
  std::vector<std::string> stressors;
  std::vector<Observation> observations;
};

}  // namespace edgewise::contention

#endif  // EDGEWISE_CONTENTION_CAMPAIGN_H_

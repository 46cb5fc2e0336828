#include "contention/alone.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "contention/median.h"

namespace edgewise::contention {
namespace {

constexpr double kUsualSpread = 0.3;
constexpr double kSameRate = 1.25;  // rates within this factor

// What was measured of one app alone on one server, at the lowest rate.
struct Samples {
  double least_rate_per_s = std::numeric_limits<double>::infinity();
  std::vector<double> service_ms;
  std::vector<double> spread;
  std::vector<double> cpu_ms;
};

// By app and server.
using ByPlace = std::vector<std::vector<Samples>>;

ByPlace Gather(const Campaign& campaign, const Selection& rows) {
  ByPlace places(campaign.apps.size(),
                 std::vector<Samples>(campaign.servers.size()));
  for (const size_t row : rows) {
    const Observation& observation = campaign.observations[row];
    const Deployment& deployment = observation.deployment;
    if (!IsAlone(deployment)) {
      continue;
    }
    const Outcome& outcome = observation.outcomes.front();
    if (!outcome.service_mean_ms || *outcome.service_mean_ms <= 0) {
      continue;
    }
    const Tenant& tenant = deployment.tenants.front();
    Samples& to = places[tenant.app][deployment.server];
    // Beside others caches are cold, as they are between rare requests.
    if (tenant.rate_per_s * kSameRate < to.least_rate_per_s) {
      to = {};
    } else if (tenant.rate_per_s > to.least_rate_per_s * kSameRate) {
      continue;
    }
    to.least_rate_per_s = std::min(to.least_rate_per_s, tenant.rate_per_s);
    to.service_ms.push_back(*outcome.service_mean_ms);
    if (outcome.service_sd_ms) {
      to.spread.push_back(*outcome.service_sd_ms / *outcome.service_mean_ms);
    }
    if (outcome.cpu_ms_per_request && *outcome.cpu_ms_per_request > 0) {
      to.cpu_ms.push_back(*outcome.cpu_ms_per_request);
    }
  }
  return places;
}

// The median, over the apps measured on both, of how much faster they are
// than on the first server.
Result<std::vector<double>> FindSpeeds(const Campaign& campaign,
                                       const ByPlace& places) {
  std::vector<double> speeds = {1};
  for (size_t s = 1; s < campaign.servers.size(); ++s) {
    std::vector<double> ratios;
    for (const auto& of_app : places) {
      if (!of_app[0].service_ms.empty() && !of_app[s].service_ms.empty()) {
        ratios.push_back(Median(of_app[0].service_ms) /
                         Median(of_app[s].service_ms));
      }
    }
    if (ratios.empty() &&
        campaign.servers[0].name == campaign.servers[s].name) {
      return Error{ErrorCode::kInvalid,
                   "two servers are named " + campaign.servers[s].name +
                       " but their fingerprints differ, or a campaign.yaml is "
                       "missing: run edgewise contend baseline on both, or put "
                       "the file back"};
    }
    if (ratios.empty()) {
      return Error{ErrorCode::kInvalid,
                   "no app was measured alone on both " +
                       campaign.servers[0].name + " and " +
                       campaign.servers[s].name +
                       ": run edgewise contend baseline on both"};
    }
    speeds.push_back(Median(ratios));
  }
  const double fastest = *std::max_element(speeds.begin(), speeds.end());
  for (double& speed : speeds) {
    speed /= fastest;
  }
  return speeds;
}

}  // namespace

bool IsAlone(const Deployment& deployment) {
  return deployment.tenants.size() == 1 &&
         deployment.tenants.front().replicas == 1 &&
         !deployment.tenants.front().quota_cores &&
         (!deployment.stress || deployment.stress->dial == 0);
}

Result<Alone> FindAlone(const Campaign& campaign, const Selection& rows) {
  for (const Server& server : campaign.servers) {
    if (server.cores != campaign.servers.front().cores) {
      return Error{ErrorCode::kInvalid,
                   "the servers " + campaign.servers.front().name + " and " +
                       server.name +
                       " differ in cores: train servers of one kind at a "
                       "time"};
    }
  }
  const ByPlace places = Gather(campaign, rows);
  const auto speeds = FindSpeeds(campaign, places);
  if (!speeds) {
    return speeds.error();
  }
  Alone alone;
  alone.speeds = *speeds;
  for (size_t app = 0; app < campaign.apps.size(); ++app) {
    Samples all;
    for (size_t s = 0; s < alone.speeds.size(); ++s) {
      const Samples& here = places[app][s];
      for (const double ms : here.service_ms) {
        all.service_ms.push_back(ms * alone.speeds[s]);
      }
      for (const double ms : here.cpu_ms) {
        all.cpu_ms.push_back(ms * alone.speeds[s]);
      }
      all.spread.insert(all.spread.end(), here.spread.begin(),
                        here.spread.end());
    }
    if (all.service_ms.empty()) {
      return Error{ErrorCode::kInvalid,
                   campaign.apps[app].name +
                       " was never measured alone: run edgewise contend "
                       "sensitivity --tenants " +
                       campaign.apps[app].name + " on the same server"};
    }
    const double service_ms = Median(all.service_ms);
    alone.apps.push_back(
        {service_ms, all.spread.empty() ? kUsualSpread : Median(all.spread),
         all.cpu_ms.empty() ? service_ms : Median(all.cpu_ms)});
  }
  return alone;
}

}  // namespace edgewise::contention

// A campaign: deployments of tenants on one server, measured one after another
// within a budget of time, each where it teaches most.
#ifndef EDGEWISE_TENANTS_CAMPAIGN_H_
#define EDGEWISE_TENANTS_CAMPAIGN_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "stress/stress_spec.h"
#include "tenants/campaign_folder.h"
#include "tenants/choose.h"
#include "tenants/deployment.h"

namespace edgewise::tenants {

struct CampaignRequest {
  // What is measured. Whatever it is, tenants without a baseline in the folder
  // get one first.
  Kind mode = Kind::kRandom;
  Server server;
  std::vector<Tenant> tenants;
  std::filesystem::path out;
  DeployConditions conditions;
  // For all deployments of this mode in the folder, also of earlier times.
  int64_t budget_ns = 45 * 60 * kNsPerSecond;
  // kRandom ends when the error of predictions is at most this share.
  double target = 0.15;
  // kRandom: every tenth deployment is measured so often; else each.
  int repeat = 1;
  std::optional<int> deployments;  // of kRandom, at most
  double quotas = 0;               // kRandom: part of tenants that get one
  std::vector<StressKind> kinds{StressKind::kCpu, StressKind::kCache,
                                StressKind::kBandwidth};
  std::vector<double> dials{50, 100};
  uint64_t seed = 1;
  Chooser chooser;  // empty: as drawn, and no target is reached
};

struct CampaignProgress {
  size_t done = 0;      // deployments of this time
  size_t steps = 0;     // with those to come, roughly
  int64_t left_ns = 0;  // of the budget
  std::string what;
  std::optional<double> error;  // of predictions
};
using CampaignListener = std::function<void(const CampaignProgress&)>;

enum class CampaignEnd { kPlanDone, kTargetReached, kBudgetSpent, kCancelled };

struct CampaignReport {
  Campaign campaign;    // all that the folder holds now
  size_t measured = 0;  // deployments of this time
  CampaignEnd end = CampaignEnd::kPlanDone;
  std::optional<double> error;  // of predictions, at the median
  double elapsed_s = 0;
  std::vector<std::string> warnings;
};

// Refuses what cannot work, in one sentence, before anything starts.
Result<void> CheckCampaign(const CampaignRequest& request);

// A deployment that fails is a warning; three in a row are an error. What was
// measured before a signal, an error or a kill is in the folder, and the same
// request goes on from there. No Store may be open in this process meanwhile.
Result<CampaignReport> RunCampaign(const CampaignRequest& request,
                                   const CampaignListener& progress);

}  // namespace edgewise::tenants

#endif  // EDGEWISE_TENANTS_CAMPAIGN_H_

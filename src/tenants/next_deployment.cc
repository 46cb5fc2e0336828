#include "tenants/next_deployment.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/units.h"

namespace edgewise::tenants {
namespace {

constexpr size_t kCandidates = 40;

Deployment RepeatOf(const Deployment& first) {
  Deployment again = first;
  again.repeat_of = first.id;
  return again;
}

}  // namespace

NextDeployment::NextDeployment(const CampaignRequest& request,
                               const std::vector<Measured>& rows,
                               const CampaignHistory& history)
    : request_(request), rows_(rows), history_(history) {
  draw_.server = request.server;
  draw_.tenants = request.tenants;
  draw_.quotas = request.quotas;
  draw_.measure_s = static_cast<double>(request.conditions.measure_ns) /
                    static_cast<double>(kNsPerSecond);
}

ServiceTimes NextDeployment::Times() const {
  return ServiceTimesFrom(rows_, request_.tenants);
}

std::optional<Deployment> NextDeployment::Baseline(const Tenant& tenant,
                                                   size_t which,
                                                   bool all) const {
  const auto plan = PlanBaselines(tenant, draw_, Times());
  if (which >= plan.size()) {
    return std::nullopt;
  }
  const auto before =
      all ? history_.BaselinesLike(plan, which) : history_.SameAs(plan[which]);
  const int wanted = all ? request_.repeat : static_cast<int>(which) + 1;
  if (before.times >= wanted) {
    return std::nullopt;
  }
  return all && before.first ? RepeatOf(*before.first) : plan[which];
}

std::vector<Deployment> NextDeployment::Plan() const {
  stats::Random random(request_.seed);
  return request_.mode == Kind::kPairwise
             ? PlanPairs(draw_, Times(), random)
             : PlanSensitivity(draw_, Times(), request_.kinds, request_.dials,
                               random);
}

std::optional<Deployment> NextDeployment::UpTo(const Deployment& deployment,
                                               int wanted) const {
  const auto before = history_.SameAs(deployment);
  if (before.times >= wanted) {
    return std::nullopt;
  }
  return before.first ? RepeatOf(*before.first) : deployment;
}

Deployment NextDeployment::Random() {
  if (auto again = history_.ToRepeat(request_.repeat)) {
    return *again;
  }
  // Neither the same draws again when a campaign is resumed, nor one that has
  // failed.
  constexpr uint64_t kApart = 0x9E3779B97F4A7C15u;
  constexpr uint64_t kFailedApart = 0xD1B54A32D192ED03u;
  const size_t so_far = history_.random_count();
  stats::Random random(request_.seed * kApart + so_far + 1 +
                       history_.random_failures() * kFailedApart);
  const ServiceTimes times = Times();
  std::vector<Deployment> candidates;
  for (size_t i = 0; i < kCandidates; ++i) {
    candidates.push_back(DrawRandom(draw_, times, random));
  }
  const Choice choice =
      request_.chooser ? request_.chooser(candidates, rows_) : Choice{};
  error_ = choice.error;
  return candidates[so_far % 2 == 0 ? 0 : choice.candidate];
}

std::optional<std::string> NextDeployment::TooShort() const {
  const ServiceTimes times = Times();
  std::vector<std::string> names;
  double fewest = kLeastRequests;
  for (const Tenant& tenant : request_.tenants) {
    const double requests = LightRequests(tenant, draw_, times);
    if (requests < kLeastRequests) {
      names.push_back(tenant.name);
      fewest = std::min(fewest, requests);
    }
  }
  if (names.empty()) {
    return std::nullopt;
  }
  const double measure_ns = static_cast<double>(request_.conditions.measure_ns);
  return fmt::format(
      "--duration {} is too short for {} requests of {} at a light load, so "
      "that quantiles may stay empty: {} would do",
      FormatDuration(measure_ns), kLeastRequests, Join(names, ", "),
      FormatDuration(measure_ns * kLeastRequests / fewest));
}

}  // namespace edgewise::tenants

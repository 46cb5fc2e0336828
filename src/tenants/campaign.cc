#include "tenants/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/units.h"
#include "tenants/campaign_history.h"
#include "tenants/draw.h"
#include "tenants/share_sessions.h"

namespace edgewise::tenants {
namespace {

constexpr int kFailuresInARow = 3;
constexpr size_t kCandidates = 40;
constexpr size_t kLeastRandom = 30;  // before the target may be reached

class CampaignRun {
 public:
  CampaignRun(const CampaignRequest& request, const CampaignListener& progress,
              CampaignWriter writer)
      : request_(request),
        progress_(progress),
        writer_(std::move(writer)),
        history_(writer_.campaign().rows, request.tenants),
        began_ns_(MonotonicNs()) {
    draw_.server = request.server;
    draw_.tenants = request.tenants;
    draw_.quotas = request.quotas;
    draw_.measure_s = static_cast<double>(request.conditions.measure_ns) /
                      static_cast<double>(kNsPerSecond);
    for (const Spent& spent : writer_.campaign().spent) {
      if (spent.mode == request.mode) {
        spent_before_ns_ +=
            static_cast<int64_t>(spent.elapsed_s * kNsPerSecond);
      }
    }
  }

  Result<CampaignReport> Run() {
    Result<void> done = Baselines(request_.mode == Kind::kBaseline);
    if (done && !ended_ && request_.mode == Kind::kRandom) {
      done = Random();
    } else if (done && !ended_ && request_.mode != Kind::kBaseline) {
      done = Plan();
    }
    if (!done) {
      return done.error();
    }
    CampaignReport report;
    report.campaign = writer_.campaign();
    report.measured = measured_;
    report.end = ended_.value_or(CampaignEnd::kPlanDone);
    report.error = error_;
    report.elapsed_s = static_cast<double>(MonotonicNs() - began_ns_) /
                       static_cast<double>(kNsPerSecond);
    report.warnings = warnings_;
    return report;
  }

 private:
  ServiceTimes Times() const {
    return ServiceTimesFrom(writer_.campaign().rows, request_.tenants);
  }

  int64_t LeftNs() const {
    return request_.budget_ns - spent_before_ns_ - (MonotonicNs() - began_ns_);
  }
  // What one deployment takes, all in all.
  int64_t EachNs() const {
    const int64_t guess = request_.conditions.warmup_ns +
                          request_.conditions.measure_ns + 2 * kNsPerSecond;
    return measured_ == 0
               ? guess
               : (MonotonicNs() - began_ns_) / static_cast<int64_t>(measured_);
  }

  // Each tenant alone; where that is not what was asked for, only those that
  // have no baseline yet.
  Result<void> Baselines(bool all) {
    for (size_t i = 0; i < 2 && !ended_; ++i) {
      for (const Tenant& tenant : request_.tenants) {
        // The second, heavier one uses what the first one told.
        const Deployment deployment = PlanBaselines(tenant, draw_, Times())[i];
        const int wanted =
            static_cast<int>(i + 1) * (all ? request_.repeat : 1);
        if (Result<void> done = MeasureUpTo(deployment, wanted); !done) {
          return done;
        }
      }
    }
    return {};
  }

  Result<void> Plan() {
    stats::Random random(request_.seed);
    const auto plan = request_.mode == Kind::kPairwise
                          ? PlanPairs(draw_, Times(), random)
                          : PlanSensitivity(draw_, Times(), request_.kinds,
                                            request_.dials, random);
    to_come_ = plan.size() * static_cast<size_t>(request_.repeat);
    for (const Deployment& deployment : plan) {
      if (ended_) {
        break;
      }
      if (Result<void> done = MeasureUpTo(deployment, request_.repeat); !done) {
        return done;
      }
    }
    return {};
  }

  Result<void> Random() {
    while (!ended_) {
      const size_t so_far = history_.random_count();
      if (request_.deployments &&
          so_far >= static_cast<size_t>(*request_.deployments)) {
        return {};
      }
      if (error_ && *error_ <= request_.target && so_far >= kLeastRandom) {
        ended_ = CampaignEnd::kTargetReached;
        return {};
      }
      if (Result<void> done = Measure(NextRandom(so_far)); !done) {
        return done;
      }
    }
    return {};
  }

  // Every tenth one again; of the others, each second where least is known.
  Deployment NextRandom(size_t so_far) {
    if (auto again = history_.ToRepeat(request_.repeat)) {
      return *again;
    }
    // Not the same draws again when a campaign is resumed.
    constexpr uint64_t kApart = 0x9E3779B97F4A7C15u;
    stats::Random random(request_.seed * kApart + so_far + 1);
    const ServiceTimes times = Times();
    std::vector<Deployment> candidates;
    for (size_t i = 0; i < kCandidates; ++i) {
      candidates.push_back(DrawRandom(draw_, times, random));
    }
    const Choice choice =
        request_.chooser ? request_.chooser(candidates, writer_.campaign().rows)
                         : Choice{};
    error_ = choice.error;
    return candidates[so_far % 2 == 0 ? 0 : choice.candidate];
  }

  // Until the point was measured so often, also in earlier times.
  Result<void> MeasureUpTo(const Deployment& deployment, int wanted) {
    while (!ended_ && history_.TimesMeasured(deployment) < wanted) {
      if (Result<void> done = Measure(deployment); !done) {
        return done;
      }
      if (failures_ > 0) {
        return {};  // the rest of the plan may still work
      }
    }
    return {};
  }

  Result<void> Measure(Deployment deployment) {
    if (signals_.Next()) {
      ended_ = CampaignEnd::kCancelled;
      return {};
    }
    if (LeftNs() < EachNs()) {
      ended_ = CampaignEnd::kBudgetSpent;
      return {};
    }
    deployment.id = history_.NewId(deployment.kind);
    if (progress_) {
      const auto possible = static_cast<size_t>(LeftNs() / EachNs());
      progress_(
          {measured_,
           measured_ + (to_come_ > 0 ? std::min(to_come_, possible) : possible),
           LeftNs(), DeploymentText(deployment), error_});
    }
    DeployConditions conditions = request_.conditions;
    conditions.seed = request_.seed * 1'000'003 + serial_++ * 64 +
                      static_cast<uint64_t>(writer_.campaign().rows.size());
    const int64_t start_ns = MonotonicNs();
    const auto outcome =
        Deploy({{request_.server, deployment}}, conditions, signals_);
    if (!outcome) {
      return outcome.error();
    }
    if (outcome->cancelled) {
      ended_ = CampaignEnd::kCancelled;
      return {};
    }
    return Keep(deployment, outcome->measured.front(), start_ns);
  }

  Result<void> Keep(const Deployment& deployment,
                    const DeploymentMeasured& measured, int64_t start_ns) {
    if (!measured.failure.empty()) {
      warnings_.push_back(deployment.id + " (" + DeploymentText(deployment) +
                          ") could not be measured: " + measured.failure);
      return ++failures_ < kFailuresInARow
                 ? Result<void>()
                 : Error{ErrorCode::kUnsupported,
                         "three deployments in a row failed, the last " +
                             warnings_.back()};
    }
    failures_ = 0;
    ++measured_;
    to_come_ -= to_come_ > 0 ? 1 : 0;
    history_.Add(deployment);
    return writer_.Add(measured,
                       {deployment.id, request_.mode,
                        static_cast<double>(MonotonicNs() - start_ns) /
                            static_cast<double>(kNsPerSecond)});
  }

  SignalGuard signals_;  // also between deployments
  const CampaignRequest& request_;
  const CampaignListener& progress_;
  CampaignWriter writer_;
  CampaignHistory history_;
  DrawSettings draw_;
  int64_t began_ns_;
  int64_t spent_before_ns_ = 0;
  uint64_t serial_ = 0;
  size_t measured_ = 0;
  size_t to_come_ = 0;  // of a plan; 0: it has no end
  int failures_ = 0;    // in a row
  std::optional<double> error_;
  std::optional<CampaignEnd> ended_;
  std::vector<std::string> warnings_;
};

Error Invalid(std::string message) {
  return {ErrorCode::kInvalid, std::move(message)};
}

}  // namespace

Result<void> CheckCampaign(const CampaignRequest& request) {
  if (request.tenants.empty()) {
    return Invalid("there are no tenants to measure");
  }
  if (request.mode == Kind::kPairwise && request.tenants.size() < 2) {
    return Invalid("pairwise needs at least two tenants");
  }
  for (const Tenant& tenant : request.tenants) {
    Deployment alone;
    alone.id = "check";
    alone.shares.push_back({tenant, 1, 1, std::nullopt});
    if (Result<void> checked =
            CheckDeployments({{request.server, alone}}, request.conditions);
        !checked) {
      return checked;
    }
  }
  const int64_t least_ns = request.conditions.warmup_ns +
                           request.conditions.measure_ns + 2 * kNsPerSecond;
  if (request.budget_ns < least_ns) {
    return Invalid("a budget of " +
                   FormatDuration(static_cast<double>(request.budget_ns)) +
                   " is too short for one deployment, which takes about " +
                   FormatDuration(static_cast<double>(least_ns)));
  }
  return {};
}

Result<CampaignReport> RunCampaign(const CampaignRequest& request,
                                   const CampaignListener& progress) {
  if (Result<void> checked = CheckCampaign(request); !checked) {
    return checked.error();
  }
  CampaignHeader header;
  header.server = request.server;
  header.seed = request.seed;
  for (const Tenant& tenant : request.tenants) {
    header.tenants.push_back(
        {tenant.name, tenant.memory_bytes, tenant.cores, tenant.scale});
  }
  auto writer = CampaignWriter::Open(request.out, header);
  if (!writer) {
    return writer.error();
  }
  return CampaignRun(request, progress, std::move(*writer)).Run();
}

}  // namespace edgewise::tenants

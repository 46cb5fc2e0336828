#include "tenants/campaign.h"

#include <algorithm>
#include <set>
#include <utility>

#include "tenants/campaign_history.h"
#include "tenants/next_deployment.h"
#include "tenants/share_sessions.h"

namespace edgewise::tenants {
namespace {

constexpr int kFailuresInARow = 3;
constexpr size_t kLeastRandom = 30;  // before the target may be reached

class CampaignRun {
 public:
  CampaignRun(const CampaignRequest& request, const CampaignListener& progress,
              CampaignWriter writer)
      : request_(request),
        progress_(progress),
        writer_(std::move(writer)),
        history_(writer_.campaign().rows, request.tenants),
        next_(request, writer_.campaign().rows, history_),
        began_ns_(MonotonicNs()) {
    RememberFailures();
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
    report.error = next_.error();
    report.elapsed_s = static_cast<double>(MonotonicNs() - began_ns_) /
                       static_cast<double>(kNsPerSecond);
    report.warnings = warnings_;
    if (const auto too_short = next_.TooShort(); too_short && measured_ > 0) {
      report.warnings.push_back(*too_short);
    }
    return report;
  }

 private:
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

  // Of earlier times: what took time, but has no rows.
  void RememberFailures() {
    std::set<std::string> measured;
    for (const Measured& row : writer_.campaign().rows) {
      measured.insert(row.deployment);
    }
    for (const Spent& spent : writer_.campaign().spent) {
      if (!measured.contains(spent.deployment)) {
        history_.AddFailed(spent.deployment, "");
      }
    }
  }

  // Each tenant alone; where that is not what was asked for, only those that
  // have no baselines yet.
  Result<void> Baselines(bool all) {
    for (size_t i = 0; i < 2; ++i) {
      for (const Tenant& tenant : request_.tenants) {
        const int most = all ? request_.repeat : 1;
        for (int k = 0; k < most && !ended_; ++k) {
          const auto next = next_.Baseline(tenant, i, all);
          if (!next) {
            break;
          }
          if (Result<void> done = Measure(*next); !done) {
            return done;
          }
          if (failures_ > 0) {
            break;
          }
        }
      }
    }
    return {};
  }

  Result<void> Plan() {
    const std::vector<Deployment> plan = next_.Plan();
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
      if (next_.error() && *next_.error() <= request_.target &&
          so_far >= kLeastRandom) {
        ended_ = CampaignEnd::kTargetReached;
        return {};
      }
      if (Result<void> done = Measure(next_.Random()); !done) {
        return done;
      }
    }
    return {};
  }

  // Until the point was measured so often, also in earlier times.
  Result<void> MeasureUpTo(const Deployment& deployment, int wanted) {
    while (!ended_) {
      const auto next = next_.UpTo(deployment, wanted);
      if (!next) {
        break;
      }
      if (Result<void> done = Measure(*next); !done) {
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
           LeftNs(), DeploymentText(deployment), next_.error()});
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
    const Spent spent{deployment.id, request_.mode,
                      static_cast<double>(MonotonicNs() - start_ns) /
                          static_cast<double>(kNsPerSecond)};
    if (!measured.failure.empty()) {
      return KeepFailure(deployment, measured.failure, spent);
    }
    failures_ = 0;
    ++measured_;
    to_come_ -= to_come_ > 0 ? 1 : 0;
    history_.Add(deployment);
    return writer_.Add(measured, spent);
  }

  Result<void> KeepFailure(const Deployment& deployment,
                           const std::string& failure, const Spent& spent) {
    warnings_.push_back(deployment.id + " (" + DeploymentText(deployment) +
                        ") could not be measured: " + failure);
    history_.AddFailed(deployment.id, deployment.repeat_of);
    if (Result<void> added = writer_.AddFailed(spent); !added) {
      return added;
    }
    return ++failures_ < kFailuresInARow
               ? Result<void>()
               : Error{ErrorCode::kUnsupported,
                       "three deployments in a row failed, the last " +
                           warnings_.back()};
  }

  SignalGuard signals_;  // also between deployments
  const CampaignRequest& request_;
  const CampaignListener& progress_;
  CampaignWriter writer_;
  CampaignHistory history_;
  NextDeployment next_;
  int64_t began_ns_;
  int64_t spent_before_ns_ = 0;
  uint64_t serial_ = 0;
  size_t measured_ = 0;
  size_t to_come_ = 0;  // of a plan; 0: it has no end
  int failures_ = 0;    // in a row
  std::optional<CampaignEnd> ended_;
  std::vector<std::string> warnings_;
};

}  // namespace

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

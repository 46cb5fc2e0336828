#include "tenants/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/text.h"
#include "base/units.h"
#include "tenants/draw.h"
#include "tenants/share_sessions.h"

namespace edgewise::tenants {
namespace {

constexpr int kFailuresInARow = 3;
constexpr int kRepeatEvery = 10;
constexpr size_t kCandidates = 40;
constexpr size_t kLeastRandom = 30;  // before the target may be reached

// What makes two deployments the same point of a plan; rates may differ,
// because they follow what was measured of service times.
std::string PointOf(const Deployment& deployment) {
  std::set<std::string> names;
  for (const Share& share : deployment.shares) {
    names.insert(share.tenant.name);
  }
  std::string point(KindName(deployment.kind));
  for (const std::string& name : names) {
    point += " " + name;
  }
  return deployment.stress ? point + " " + FormatStressSpec(*deployment.stress)
                           : point;
}

// The rows of each deployment, in order.
std::vector<std::vector<const Measured*>> ByDeployment(
    const std::vector<Measured>& rows) {
  std::vector<std::vector<const Measured*>> deployments;
  for (const Measured& row : rows) {
    if (deployments.empty() ||
        deployments.back().front()->deployment != row.deployment) {
      deployments.emplace_back();
    }
    deployments.back().push_back(&row);
  }
  return deployments;
}

class CampaignRun {
 public:
  CampaignRun(const CampaignRequest& request, const CampaignListener& progress,
              CampaignWriter writer)
      : request_(request),
        progress_(progress),
        writer_(std::move(writer)),
        chooser_(request.chooser ? request.chooser
                                 : BootstrapChooser(request.seed)),
        began_ns_(MonotonicNs()) {
    draw_.server = request.server;
    draw_.tenants = request.tenants;
    draw_.measure_s = static_cast<double>(request.conditions.measure_ns) /
                      static_cast<double>(kNsPerSecond);
    for (const Spent& spent : writer_.campaign().spent) {
      if (spent.mode == request.mode) {
        spent_before_ns_ +=
            static_cast<int64_t>(spent.elapsed_s * kNsPerSecond);
      }
    }
    for (const auto& rows : ByDeployment(writer_.campaign().rows)) {
      ++points_[PointOf(FromRows(rows))];
      Number(rows.front()->deployment);
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

  // Keeps count of ids, "r0012" among them.
  void Number(const std::string& id) {
    const auto number = ParseInt(id.substr(1));
    int64_t& last = last_[id.substr(0, 1)];
    last = std::max(last, number.value_or(0));
  }
  std::string NewId(Kind kind) {
    const std::string letter(KindName(kind).substr(0, 1));
    return fmt::format("{}{:04}", letter, ++last_[letter]);
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
      const auto so_far = RandomSoFar();
      // Not the same draws again when a campaign is resumed.
      stats::Random random(request_.seed * 0x9E3779B97F4A7C15u + so_far.size() +
                           1);
      if (request_.deployments &&
          so_far.size() >= static_cast<size_t>(*request_.deployments)) {
        return {};
      }
      if (error_ && *error_ <= request_.target &&
          so_far.size() >= kLeastRandom) {
        ended_ = CampaignEnd::kTargetReached;
        return {};
      }
      if (Result<void> done = Measure(NextRandom(so_far, random)); !done) {
        return done;
      }
    }
    return {};
  }

  std::vector<std::vector<const Measured*>> RandomSoFar() const {
    auto all = ByDeployment(writer_.campaign().rows);
    std::erase_if(all, [](const auto& rows) {
      return rows.front()->kind != Kind::kRandom;
    });
    return all;
  }

  // Every tenth one again; of the others, each second where least is known.
  Deployment NextRandom(const std::vector<std::vector<const Measured*>>& so_far,
                        stats::Random& random) {
    if (const auto again = ToRepeat(so_far)) {
      return *again;
    }
    const ServiceTimes times = Times();
    std::vector<Deployment> candidates;
    for (size_t i = 0; i < kCandidates; ++i) {
      Deployment drawn = DrawRandom(draw_, times, random);
      if (!drawn.shares.empty()) {
        candidates.push_back(std::move(drawn));
      }
    }
    const Choice choice = chooser_(candidates, writer_.campaign().rows);
    error_ = choice.error;
    return candidates[so_far.size() % 2 == 0 ? 0 : choice.candidate];
  }

  std::optional<Deployment> ToRepeat(
      const std::vector<std::vector<const Measured*>>& so_far) const {
    std::map<std::string, int> repeats;
    std::vector<const std::vector<const Measured*>*> firsts;
    for (const auto& rows : so_far) {
      const std::string& first = rows.front()->repeat_of;
      if (first.empty()) {
        firsts.push_back(&rows);
      } else {
        ++repeats[first];
      }
    }
    // Those at the middle of each ten, some time after they were measured.
    for (size_t i = kRepeatEvery / 2; i + kRepeatEvery / 2 < firsts.size();
         i += kRepeatEvery) {
      const auto& rows = *firsts[i];
      const std::string& id = rows.front()->deployment;
      const bool ours =
          std::all_of(rows.begin(), rows.end(), [this](const Measured* row) {
            return TenantOf(row->tenant) != nullptr;
          });
      if (ours && repeats[id] + 1 < request_.repeat) {
        Deployment again = FromRows(rows);
        again.repeat_of = id;
        return again;
      }
    }
    return std::nullopt;
  }

  const Tenant* TenantOf(const std::string& name) const {
    const auto found = std::find_if(
        request_.tenants.begin(), request_.tenants.end(),
        [&name](const Tenant& tenant) { return tenant.name == name; });
    return found == request_.tenants.end() ? nullptr : &*found;
  }

  Deployment FromRows(const std::vector<const Measured*>& rows) const {
    Deployment deployment;
    deployment.kind = rows.front()->kind;
    const auto kind = ParseStressKind(rows.front()->stressor);
    if (!rows.front()->stressor.empty() && kind) {
      deployment.stress = StressSpec{*kind, rows.front()->dial.value_or(100)};
    }
    for (const Measured* row : rows) {
      Share share;
      if (const Tenant* tenant = TenantOf(row->tenant)) {
        share.tenant = *tenant;
      } else {
        share.tenant.name = row->tenant;
      }
      share.replicas = row->replicas;
      share.rate_per_s = row->rate_per_s;
      share.quota_cores = row->quota_cores;
      deployment.shares.push_back(std::move(share));
    }
    return deployment;
  }

  // Until the point was measured so often, also in earlier times.
  Result<void> MeasureUpTo(const Deployment& deployment, int wanted) {
    const std::string point = PointOf(deployment);
    while (!ended_ && points_[point] < wanted) {
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
    if (LeftNs() < EachNs()) {
      ended_ = CampaignEnd::kBudgetSpent;
      return {};
    }
    deployment.id = NewId(deployment.kind);
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
    const auto outcome = Deploy({{request_.server, deployment}}, conditions);
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
    ++points_[PointOf(deployment)];
    return writer_.Add(measured,
                       {deployment.id, request_.mode,
                        static_cast<double>(MonotonicNs() - start_ns) /
                            static_cast<double>(kNsPerSecond)});
  }

  const CampaignRequest& request_;
  const CampaignListener& progress_;
  CampaignWriter writer_;
  Chooser chooser_;
  DrawSettings draw_;
  int64_t began_ns_;
  int64_t spent_before_ns_ = 0;
  std::map<std::string, int> points_;
  std::map<std::string, int64_t> last_;  // number of an id, by its letter
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

#include "simulated_campaign.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <string>

#include "contention/median.h"
#include "contention/read_campaign.h"
#include "stats/moments.h"
#include "stats/random.h"

namespace edgewise::contention {
namespace {

constexpr double kStressPeriodS = 0.01;
constexpr double kNever = 1e300;
constexpr double kQuotaPeriodS = 0.1;

struct Request {
  double arrived_s;
  double work_s;
  double began_s = -1;
};

struct Replica {
  size_t tenant = 0;
  std::deque<Request> queue;  // the first is served
  double next_arrival_s = kNever;
};

class Simulation {
 public:
  Simulation(const std::vector<SimulatedApp>& apps,
             const SimulatedServer& server, const Deployment& deployment,
             uint64_t seed)
      : apps_(apps), server_(server), deployment_(deployment), random_(seed) {
    response_s_.resize(deployment.tenants.size());
    service_s_.resize(deployment.tenants.size());
    cpu_s_.resize(deployment.tenants.size());
    quota_left_s_.resize(deployment.tenants.size(), 0);
    for (size_t t = 0; t < deployment.tenants.size(); ++t) {
      for (int r = 0; r < deployment.tenants[t].replicas; ++r) {
        replicas_.push_back({t, {}, 0});
        replicas_.back().next_arrival_s = Gap(t);
      }
    }
  }

  std::vector<tenants::Measured> Run() {
    const double end_s = server_.warmup_s + server_.seconds;
    while (now_s_ < end_s) {
      Step(end_s);
    }
    std::vector<tenants::Measured> rows;
    for (size_t t = 0; t < deployment_.tenants.size(); ++t) {
      rows.push_back(RowOf(t));
    }
    return rows;
  }

 private:
  double Gap(size_t tenant) {
    return -std::log(random_.Uniform()) /
           deployment_.tenants[tenant].rate_per_s;
  }

  // Stress is a thread that works for its dial's part of every period.
  bool StressAtWork() const { return stress_left_s_ > 0; }

  // It has a request, and its tenant's quota of this period is not used up.
  bool AtWork(const Replica& replica) const {
    return !replica.queue.empty() &&
           (!deployment_.tenants[replica.tenant].quota_cores ||
            quota_left_s_[replica.tenant] > 0);
  }

  double Speed(const Replica& of) const {
    double at_work = StressAtWork() ? 1 : 0;
    double pressed =
        StressAtWork() && deployment_.stress->stressor == 1 ? 1 : 0;
    for (const Replica& replica : replicas_) {
      if (AtWork(replica)) {
        ++at_work;
        pressed += &replica == &of ? 0 : App(replica).intensity;
      }
    }
    const double share = std::min(1.0, server_.cores / at_work);
    return share / (1 + App(of).suffers * pressed);
  }

  const SimulatedApp& App(const Replica& replica) const {
    return apps_[deployment_.tenants[replica.tenant].app];
  }

  void Step(double end_s) {
    double until_s = end_s;
    std::vector<double> speeds(replicas_.size(), 0);
    double at_work = StressAtWork() ? 1 : 0;
    for (size_t r = 0; r < replicas_.size(); ++r) {
      until_s = std::min(until_s, replicas_[r].next_arrival_s);
      if (AtWork(replicas_[r])) {
        ++at_work;
        speeds[r] = Speed(replicas_[r]);
        until_s = std::min(
            until_s, now_s_ + replicas_[r].queue.front().work_s / speeds[r]);
      }
    }
    const double share = std::min(1.0, server_.cores / std::max(1.0, at_work));
    if (deployment_.stress) {
      until_s =
          std::min(until_s, StressAtWork() ? now_s_ + stress_left_s_ / share
                                           : next_period_s_);
    }
    until_s = std::min(until_s, QuotaEventS(share));
    const double passed_s = until_s - now_s_;
    now_s_ = until_s;
    if (StressAtWork()) {
      stress_left_s_ -= passed_s * share;
      if (stress_left_s_ < 1e-12) {
        stress_left_s_ = 0;
        next_period_s_ = std::max(next_period_s_, now_s_);
      }
    } else if (deployment_.stress && now_s_ >= next_period_s_) {
      stress_left_s_ = deployment_.stress->dial * kStressPeriodS;
      next_period_s_ += kStressPeriodS;
    }
    for (size_t r = 0; r < replicas_.size(); ++r) {
      if (speeds[r] > 0) {
        quota_left_s_[replicas_[r].tenant] -= passed_s * share;
      }
      Advance(replicas_[r], passed_s, speeds[r], share);
    }
    RefillQuotas();
  }

  // When a quota is used up or filled again.
  double QuotaEventS(double share) const {
    double event_s = next_refill_s_;
    for (size_t t = 0; t < quota_left_s_.size(); ++t) {
      double at_work = 0;
      for (const Replica& replica : replicas_) {
        at_work += replica.tenant == t && AtWork(replica) ? 1 : 0;
      }
      if (deployment_.tenants[t].quota_cores && at_work > 0) {
        event_s =
            std::min(event_s, now_s_ + quota_left_s_[t] / (share * at_work));
      }
    }
    return event_s;
  }

  void RefillQuotas() {
    for (double& left_s : quota_left_s_) {
      left_s = left_s < 1e-12 ? 0 : left_s;
    }
    if (now_s_ >= next_refill_s_) {
      next_refill_s_ += kQuotaPeriodS;
      for (size_t t = 0; t < quota_left_s_.size(); ++t) {
        quota_left_s_[t] =
            kQuotaPeriodS * deployment_.tenants[t].quota_cores.value_or(0);
      }
    }
  }

  void Advance(Replica& replica, double passed_s, double speed, double share) {
    const bool measured = now_s_ > server_.warmup_s;
    if (!replica.queue.empty()) {
      Request& first = replica.queue.front();
      first.work_s -= passed_s * speed;
      if (measured && speed > 0) {
        cpu_s_[replica.tenant] += passed_s * share;
      }
      if (first.work_s < 1e-12) {
        if (first.arrived_s > server_.warmup_s) {
          response_s_[replica.tenant].push_back(now_s_ - first.arrived_s);
          service_s_[replica.tenant].push_back(now_s_ - first.began_s);
        }
        replica.queue.pop_front();
        if (!replica.queue.empty()) {
          replica.queue.front().began_s = now_s_;
        }
      }
    }
    if (now_s_ >= replica.next_arrival_s) {
      const SimulatedApp& app = App(replica);
      const double variance = std::log1p(app.spread * app.spread);
      const double work_s =
          app.service_ms / 1e3 *
          std::exp(std::sqrt(variance) * random_.Normal() - variance / 2);
      replica.queue.push_back(
          {now_s_, work_s, replica.queue.empty() ? now_s_ : -1});
      replica.next_arrival_s = now_s_ + Gap(replica.tenant);
    }
  }

  tenants::Measured RowOf(size_t tenant) {
    const Tenant& of = deployment_.tenants[tenant];
    tenants::Measured row;
    row.server = "simulated";
    row.cores = server_.cores;
    row.tenant = "app" + std::to_string(of.app);
    row.replicas = of.replicas;
    row.rate_per_s = of.rate_per_s;
    if (deployment_.stress) {
      row.stressor = deployment_.stress->stressor == 0 ? "cpu" : "cache";
      row.dial = 100 * deployment_.stress->dial;
    }
    row.seconds = server_.seconds;
    const std::vector<double>& times = response_s_[tenant];
    row.completed = static_cast<int64_t>(times.size());
    for (const Replica& replica : replicas_) {
      row.censored += replica.tenant == tenant
                          ? static_cast<int64_t>(replica.queue.size())
                          : 0;
    }
    row.arrived = row.completed + row.censored;
    if (times.size() < 20) {
      return row;
    }
    row.response_mean_ms = 1e3 * *stats::MomentsOf(times).mean();
    const auto quantile = [&](double p) {
      return static_cast<double>(times.size()) * (1 - p) >= 1
                 ? std::optional(1e3 * AtPart(times, p))
                 : std::nullopt;
    };
    row.response_p50_ms = quantile(0.5);
    row.response_p75_ms = quantile(0.75);
    row.response_p95_ms = quantile(0.95);
    row.response_p99_ms = quantile(0.99);
    const auto service = stats::MomentsOf(service_s_[tenant]);
    row.service_mean_ms = 1e3 * *service.mean();
    row.service_sd_ms = 1e3 * *service.stddev();
    row.cpu_cores = cpu_s_[tenant] / server_.seconds;
    return row;
  }

  const std::vector<SimulatedApp>& apps_;
  const SimulatedServer& server_;
  const Deployment& deployment_;
  stats::Random random_;
  std::vector<Replica> replicas_;
  double now_s_ = 0;
  double stress_left_s_ = 0;
  double next_period_s_ = 0;
  double next_refill_s_ = 0;
  std::vector<double> quota_left_s_;  // by tenant
  std::vector<std::vector<double>> response_s_;
  std::vector<std::vector<double>> service_s_;
  std::vector<double> cpu_s_;
};

Deployment DrawDeployment(const std::vector<SimulatedApp>& apps, size_t known,
                          double cores, double busy, stats::Random* random) {
  Deployment deployment;
  std::vector<double> weights;
  for (size_t app = 0; app < known; ++app) {
    if (random->Uniform() < 0.6) {
      deployment.tenants.push_back(
          {app, 1 + static_cast<int>(random->Below(3)), 0, std::nullopt});
      weights.push_back(0.2 + random->Uniform());
    }
  }
  if (deployment.tenants.empty()) {
    deployment.tenants.push_back({0, 1, 0, std::nullopt});
    weights.push_back(1);
  }
  double sum = 0;
  for (const double weight : weights) {
    sum += weight;
  }
  for (size_t t = 0; t < weights.size(); ++t) {
    Tenant& tenant = deployment.tenants[t];
    tenant.rate_per_s = busy * cores * weights[t] / sum /
                        (tenant.replicas * apps[tenant.app].service_ms / 1e3);
  }
  return deployment;
}

}  // namespace

std::vector<tenants::Measured> Simulate(const std::vector<SimulatedApp>& apps,
                                        const SimulatedServer& server,
                                        const Deployment& deployment,
                                        uint64_t seed) {
  return Simulation(apps, server, deployment, seed).Run();
}

std::vector<tenants::Measured> SimulateRows(
    const std::vector<SimulatedApp>& apps, const SimulatedServer& server,
    const SimulatedPlan& plan) {
  std::vector<tenants::Measured> rows;
  stats::Random random(plan.seed);
  int count = 0;
  const auto add = [&](Kind kind, const Deployment& deployment,
                       const std::string& repeat_of) {
    const std::string id = "d" + std::to_string(count++);
    for (tenants::Measured& row :
         Simulate(apps, server, deployment, random.Next())) {
      row.deployment = id;
      row.kind = kind;
      row.repeat_of = repeat_of;
      rows.push_back(std::move(row));
    }
    return id;
  };
  for (size_t app = 0; app < apps.size(); ++app) {
    const double full = 1e3 / apps[app].service_ms;
    for (const double busy : {0.15, 0.4, 0.7}) {
      add(Kind::kBaseline, {0, {{app, 1, busy * full, std::nullopt}}, {}}, "");
    }
    for (size_t stressor = 0; stressor < 2; ++stressor) {
      for (const double dial : {0.25, 0.5, 1.0}) {
        add(Kind::kSensitivity,
            {0, {{app, 1, 0.2 * full, std::nullopt}}, Stress{stressor, dial}},
            "");
      }
    }
  }
  std::vector<std::pair<std::string, Deployment>> drawn;
  for (int i = 0; i < plan.random; ++i) {
    const double busy =
        plan.least_busy + (plan.most_busy - plan.least_busy) * random.Uniform();
    const Deployment deployment =
        DrawDeployment(apps, std::min(apps.size(), plan.newcomers_from),
                       server.cores, busy, &random);
    drawn.emplace_back(add(Kind::kRandom, deployment, ""), deployment);
  }
  for (int i = 0; i < plan.repeats; ++i) {
    const auto& [id, deployment] = drawn[static_cast<size_t>(i)];
    add(Kind::kRandom, deployment, id);
  }
  return rows;
}

Campaign SimulateCampaign(const std::vector<SimulatedApp>& apps,
                          const SimulatedServer& server,
                          const SimulatedPlan& plan) {
  Campaign campaign;
  // Tests name no tenant twice.
  (void)AddRows(SimulateRows(apps, server, plan), {}, "", &campaign).ok();
  return campaign;
}

std::vector<SimulatedApp> FourApps() {
  return {{4, 0.1, 0.03, 0.5},
          {9, 0.3, 0.1, 1.5},
          {16, 0.15, 0.05, 1},
          {30, 0.2, 0.15, 1}};
}

}  // namespace edgewise::contention

#include "orchestration/simulate.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>

#include "stats/random.h"

namespace edgewise::orchestration {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kMsPerS = 1e3;
constexpr double kNsPerS = 1e9;
// Work left below this is rounding.
constexpr double kDoneS = 1e-12;

struct Waiting {
  double arrival_s = 0;
  double work_s = 0;  // at full speed, alone
};

struct Replica {
  size_t tenant = 0;
  double next_arrival_s = 0;
  std::deque<Waiting> line;  // the first is being served
};

// A request of the placement on one server.
struct Tenant {
  size_t request = 0;
  const PressureApp* app = nullptr;
  double rate_per_s = 0;
  double demand = 0;            // of the server's cores, while a replica serves
  std::vector<double> exerted;  // by resource, while a replica serves
  double idle_felt = 0;         // of all replicas that are there, busy or not
  double log_mean = 0;          // of the work
  double log_sd = 0;
  std::vector<std::pair<double, double>> seen;  // arrival, response (s)
};

double SlowDown(const PressureApp& app, double pressure) {
  const auto& curve = app.slow_down;
  if (curve.empty()) {
    return 1;
  }
  for (size_t k = 1; k < curve.size(); ++k) {
    if (pressure <= curve[k].first) {
      const double part = (pressure - curve[k - 1].first) /
                          (curve[k].first - curve[k - 1].first);
      return curve[k - 1].second +
             part * (curve[k].second - curve[k - 1].second);
    }
  }
  return curve.back().second;
}

class OneServer {
 public:
  OneServer(const Problem& problem, const PressureFigures& figures, size_t s,
            const std::vector<size_t>& requests,
            const SimulateSettings& settings)
      : problem_(problem),
        figures_(figures),
        server_(problem.instance().servers[s]),
        settings_(settings),
        random_(settings.seed * 1'000'003 + s),
        end_s_(settings.warmup_s + settings.seconds) {
    for (const PressureRank& rank : figures.ranks) {
      rank_ = rank.rank == server_.rank ? &rank : rank_;
    }
    for (const size_t request : requests) {
      AddTenant(request);
    }
    AddIdlePressure();
  }

  void Run(std::vector<PromiseSeen>& seen) {
    while (true) {
      const auto [when, replica, arrives] = NextEvent();
      if (when > end_s_) {
        break;
      }
      Advance(when - now_s_);
      now_s_ = when;
      if (arrives) {
        Arrive(replicas_[replica]);
      } else {
        Depart(replicas_[replica]);
      }
      SetSpeeds();
    }
    for (Tenant& tenant : tenants_) {
      seen[tenant.request] = Judge(tenant);
    }
  }

 private:
  struct Event {
    double when_s;
    size_t replica;
    bool arrives;
  };

  void AddTenant(size_t request) {
    const Request& asked = problem_.instance().requests[request];
    const PressureApp& app = figures_.apps[problem_.items()[request].app];
    Tenant tenant;
    tenant.request = request;
    tenant.app = &app;
    tenant.rate_per_s = asked.rate_per_s;
    const double work_s = app.service_ms / rank_->speed / kMsPerS;
    for (size_t k = 0; k < figures_.resources.size(); ++k) {
      tenant.exerted.push_back(app.exerts[k] / (app.service_ms / kMsPerS) /
                               rank_->capacity[k]);
    }
    tenant.demand = server_.cpus.empty()
                        ? tenant.exerted.front()
                        : app.cores / static_cast<double>(server_.cpus.size());
    const double log_variance = std::log1p(app.spread * app.spread);
    tenant.log_sd = std::sqrt(log_variance);
    tenant.log_mean = std::log(work_s) - log_variance / 2;
    for (int r = 0; r < asked.replicas; ++r) {
      Replica replica;
      replica.tenant = tenants_.size();
      replica.next_arrival_s = Exponential(asked.rate_per_s);
      replicas_.push_back(std::move(replica));
    }
    tenants_.push_back(std::move(tenant));
  }

  // What replicas exert by being there.
  void AddIdlePressure() {
    for (Tenant& by : tenants_) {
      for (const Tenant& from : tenants_) {
        const int replicas =
            problem_.instance().requests[from.request].replicas;
        for (size_t k = 1; k < figures_.resources.size(); ++k) {
          by.idle_felt += by.app->feels[k] * from.app->idle[k] * replicas /
                          rank_->capacity[k];
        }
      }
    }
    speeds_.assign(tenants_.size(), 1);
    busy_.assign(tenants_.size(), 0);
  }

  double Exponential(double rate_per_s) {
    return -std::log(random_.Uniform()) / rate_per_s;
  }

  Event NextEvent() const {
    Event next{kInfinite, 0, true};
    for (size_t r = 0; r < replicas_.size(); ++r) {
      const Replica& replica = replicas_[r];
      if (replica.next_arrival_s < next.when_s) {
        next = {replica.next_arrival_s, r, true};
      }
      if (!replica.line.empty()) {
        const double done =
            now_s_ + replica.line.front().work_s / speeds_[replica.tenant];
        if (done < next.when_s) {
          next = {done, r, false};
        }
      }
    }
    return next;
  }

  void Advance(double seconds) {
    for (Replica& replica : replicas_) {
      if (!replica.line.empty()) {
        double& work = replica.line.front().work_s;
        work = std::max(0.0, work - seconds * speeds_[replica.tenant]);
      }
    }
  }

  void Arrive(Replica& replica) {
    Tenant& tenant = tenants_[replica.tenant];
    if (replica.line.size() > static_cast<size_t>(settings_.queue)) {
      See(tenant, now_s_, kInfinite);
    } else {
      replica.line.push_back(
          {now_s_,
           std::max(kDoneS, std::exp(tenant.log_mean +
                                     tenant.log_sd * random_.Normal()))});
      busy_[replica.tenant] += replica.line.size() == 1 ? 1 : 0;
    }
    replica.next_arrival_s = now_s_ + Exponential(tenant.rate_per_s);
  }

  void Depart(Replica& replica) {
    const double arrival_s = replica.line.front().arrival_s;
    See(tenants_[replica.tenant], arrival_s, now_s_ - arrival_s);
    replica.line.pop_front();
    busy_[replica.tenant] -= replica.line.empty() ? 1 : 0;
  }

  void See(Tenant& tenant, double arrival_s, double response_s) const {
    if (arrival_s >= settings_.warmup_s) {
      tenant.seen.emplace_back(arrival_s, response_s);
    }
  }

  // Of all tenants, as busy as they are now. What a request exerts in all does
  // not depend on how long it takes, so those that are slowed down exert less
  // at a time; twice around is near enough.
  void SetSpeeds() {
    double demand = 0;
    for (size_t t = 0; t < tenants_.size(); ++t) {
      demand += busy_[t] * tenants_[t].demand;
    }
    const double share = 1 / std::max(1.0, demand);
    std::fill(speeds_.begin(), speeds_.end(), share);
    for (int around = 0; around < 2 && figures_.resources.size() > 1;
         ++around) {
      std::vector<double> exerted(figures_.resources.size(), 0);
      for (size_t t = 0; t < tenants_.size(); ++t) {
        for (size_t k = 1; k < exerted.size(); ++k) {
          exerted[k] += busy_[t] * speeds_[t] * tenants_[t].exerted[k];
        }
      }
      for (size_t t = 0; t < tenants_.size(); ++t) {
        double felt = tenants_[t].idle_felt;
        for (size_t k = 1; k < exerted.size(); ++k) {
          felt += tenants_[t].app->feels[k] * exerted[k];
        }
        speeds_[t] = share / SlowDown(*tenants_[t].app, felt);
      }
    }
  }

  PromiseSeen Judge(Tenant& tenant) {
    const Sla& sla = problem_.instance().requests[tenant.request].sla;
    const double delay_s = static_cast<double>(sla.delay_ns) / kNsPerS;
    for (const Replica& replica : replicas_) {
      if (&tenants_[replica.tenant] == &tenant) {
        for (const Waiting& waiting : replica.line) {
          See(tenant, waiting.arrival_s, kInfinite);
        }
      }
    }
    std::sort(tenant.seen.begin(), tenant.seen.end());
    std::vector<double> response_ns;
    for (const auto& [arrival_s, response_s] : tenant.seen) {
      if (arrival_s + delay_s <= end_s_) {
        response_ns.push_back(response_s * kNsPerS);
      }
    }
    return SeePromise(sla, response_ns);
  }

  const Problem& problem_;
  const PressureFigures& figures_;
  const Server& server_;
  const SimulateSettings& settings_;
  stats::Random random_;
  const double end_s_;
  const PressureRank* rank_ = nullptr;
  std::vector<Tenant> tenants_;
  std::vector<Replica> replicas_;
  std::vector<double> speeds_;  // by tenant
  std::vector<int> busy_;       // replicas, by tenant
  double now_s_ = 0;
};

}  // namespace

std::vector<PromiseSeen> Simulate(const Problem& problem,
                                  const PressureFigures& figures,
                                  const Assignment& assignment,
                                  const SimulateSettings& settings) {
  std::vector<std::vector<size_t>> on(problem.instance().servers.size());
  for (size_t i = 0; i < assignment.size(); ++i) {
    if (assignment[i]) {
      on[*assignment[i]].push_back(i);
    }
  }
  std::vector<PromiseSeen> seen(assignment.size());
  for (size_t s = 0; s < on.size(); ++s) {
    if (!on[s].empty()) {
      OneServer(problem, figures, s, on[s], settings).Run(seen);
    }
  }
  return seen;
}

}  // namespace edgewise::orchestration

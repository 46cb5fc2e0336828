#include "orchestration/replay.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>

#include "orchestration/busy_cores.h"
#include "stats/random.h"

namespace edgewise::orchestration {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kMsPerS = 1e3;
// Work left below this is rounding.
constexpr double kDoneS = 1e-12;

struct Waiting {
  double arrival_s = 0;
  double work_s = 0;  // at full speed
};

enum class Phase {
  kIdle,
  kWaking,  // there is a request, and others have the cores
  kServing,
};

struct Replica {
  size_t tenant = 0;
  double next_arrival_s = 0;
  std::deque<Waiting> line;  // the first is being served
  Phase phase = Phase::kIdle;
  double wakes_s = 0;
};

struct Tenant {
  double rate_per_s = 0;
  double log_mean = 0;  // of the work
  double log_sd = 0;
  std::vector<Answer> answers;
};

class Server {
 public:
  Server(const PressureFigures& figures, const ReplayServer& server,
         const std::vector<ReplayTenant>& tenants,
         const ReplaySettings& settings)
      : settings_(settings),
        cores_(figures.resources.size(), server, tenants),
        slice_s_(figures.slice_ms / kMsPerS),
        closes_s_(settings.warmup_s + settings.seconds),
        random_(settings.seed) {
    const bool alone = tenants.size() == 1 && tenants.front().replicas == 1;
    for (const ReplayTenant& tenant : tenants) {
      const PressureApp& app = *tenant.app;
      AddTenant(tenant, app.cpu_ms.value_or(app.service_ms) *
                            (alone ? app.warm : 1) / server.rank->speed /
                            kMsPerS);
    }
  }

  std::vector<std::vector<Answer>> Run() {
    const double ends_s = closes_s_ + settings_.follow_s;
    while (now_s_ <= closes_s_ || open_ > 0) {
      const Event next = NextEvent();
      if (next.when_s > ends_s) {
        break;
      }
      Advance(next.when_s - now_s_);
      now_s_ = next.when_s;
      Handle(next);
      cores_.FillUntil(now_s_);
      cores_.Share();
      BeginWhereThereIsRoom();
    }
    return Answers();
  }

 private:
  enum class Kind { kArrives, kWakes, kDeparts, kQuotaChanges };
  struct Event {
    double when_s;
    Kind kind;
    size_t replica;  // not of quotas
  };

  void AddTenant(const ReplayTenant& asked, double work_s) {
    const double variance = std::log1p(asked.app->spread * asked.app->spread);
    for (int r = 0; r < asked.replicas; ++r) {
      Replica replica;
      replica.tenant = tenants_.size();
      replica.next_arrival_s = Exponential(1 / asked.rate_per_s);
      replicas_.push_back(std::move(replica));
    }
    tenants_.push_back({asked.rate_per_s,
                        std::log(work_s) - variance / 2,
                        std::sqrt(variance),
                        {}});
  }

  double Exponential(double mean) {
    return -std::log(random_.Uniform()) * mean;
  }

  Event NextEvent() const {
    Event next{cores_.NextChangeS(now_s_), Kind::kQuotaChanges, 0};
    const auto consider = [&next](double when_s, Kind kind, size_t replica) {
      if (when_s < next.when_s) {
        next = {when_s, kind, replica};
      }
    };
    for (size_t r = 0; r < replicas_.size(); ++r) {
      const Replica& replica = replicas_[r];
      consider(replica.next_arrival_s, Kind::kArrives, r);
      if (replica.phase == Phase::kWaking) {
        consider(replica.wakes_s, Kind::kWakes, r);
      } else if (Runs(replica)) {
        consider(
            now_s_ + replica.line.front().work_s / cores_.Speed(replica.tenant),
            Kind::kDeparts, r);
      }
    }
    return next;
  }

  bool Runs(const Replica& replica) const {
    return replica.phase == Phase::kServing && cores_.Runs(replica.tenant);
  }

  void Advance(double seconds) {
    for (Replica& replica : replicas_) {
      if (Runs(replica)) {
        double& work = replica.line.front().work_s;
        work = std::max(0.0, work - seconds * cores_.Speed(replica.tenant));
      }
    }
    cores_.Spend(seconds);
  }

  void Handle(const Event& event) {
    Replica& replica = replicas_[event.replica];
    switch (event.kind) {
      case Kind::kArrives:
        Arrive(replica);
        break;
      case Kind::kWakes:
        Begin(replica);
        break;
      case Kind::kDeparts:
        Depart(replica);
        break;
      case Kind::kQuotaChanges:
        break;
    }
  }

  void Arrive(Replica& replica) {
    Tenant& tenant = tenants_[replica.tenant];
    replica.next_arrival_s = now_s_ + Exponential(1 / tenant.rate_per_s);
    if (replica.line.size() > static_cast<size_t>(settings_.queue)) {
      See(tenant, now_s_, kInfinite);
      return;
    }
    const double work_s =
        std::exp(tenant.log_mean + tenant.log_sd * random_.Normal());
    replica.line.push_back({now_s_, std::max(kDoneS, work_s)});
    open_ += Counts(now_s_) ? 1 : 0;
    if (replica.phase == Phase::kIdle) {
      Wake(replica);
    }
  }

  // It is woken, and waits for the slices of all that are before it.
  void Wake(Replica& replica) {
    replica.wakes_s = now_s_;
    if (slice_s_ > 0 && !cores_.HasRoom(replica.tenant)) {
      replica.wakes_s += Exponential(slice_s_ * cores_.WantedByAll());
    }
    replica.phase = Phase::kWaking;
    cores_.Wait(replica.tenant);
  }

  void Begin(Replica& replica) {
    replica.phase = Phase::kServing;
    cores_.Begin(replica.tenant);
  }

  void Depart(Replica& replica) {
    const double arrival_s = replica.line.front().arrival_s;
    See(tenants_[replica.tenant], arrival_s, now_s_ - arrival_s);
    open_ -= Counts(arrival_s) ? 1 : 0;
    replica.line.pop_front();
    if (replica.line.empty()) {
      replica.phase = Phase::kIdle;
      cores_.End(replica.tenant);
    }
  }

  // No core stays free while somebody waits for one.
  void BeginWhereThereIsRoom() {
    while (cores_.AnyWaits()) {
      Replica* first = nullptr;
      for (Replica& replica : replicas_) {
        if (replica.phase == Phase::kWaking && cores_.HasRoom(replica.tenant) &&
            (first == nullptr || replica.wakes_s < first->wakes_s)) {
          first = &replica;
        }
      }
      if (first == nullptr) {
        return;
      }
      Begin(*first);
      cores_.Share();
    }
  }

  bool Counts(double arrival_s) const {
    return arrival_s >= settings_.warmup_s && arrival_s <= closes_s_;
  }

  void See(Tenant& tenant, double arrival_s, double response_s) const {
    if (Counts(arrival_s)) {
      tenant.answers.push_back({arrival_s, response_s});
    }
  }

  std::vector<std::vector<Answer>> Answers() {
    for (const Replica& replica : replicas_) {
      for (const Waiting& waiting : replica.line) {
        See(tenants_[replica.tenant], waiting.arrival_s, kInfinite);
      }
    }
    std::vector<std::vector<Answer>> all;
    for (Tenant& tenant : tenants_) {
      std::sort(tenant.answers.begin(), tenant.answers.end(),
                [](const Answer& a, const Answer& b) {
                  return a.arrival_s < b.arrival_s;
                });
      all.push_back(std::move(tenant.answers));
    }
    return all;
  }

  const ReplaySettings& settings_;
  BusyCores cores_;
  const double slice_s_;
  const double closes_s_;
  stats::Random random_;
  std::vector<Tenant> tenants_;
  std::vector<Replica> replicas_;
  int64_t open_ = 0;  // requests that count and have no answer
  double now_s_ = 0;
};

}  // namespace

std::vector<std::vector<Answer>> Replay(
    const PressureFigures& figures, const ReplayServer& server,
    const std::vector<ReplayTenant>& tenants, const ReplaySettings& settings) {
  return Server(figures, server, tenants, settings).Run();
}

}  // namespace edgewise::orchestration

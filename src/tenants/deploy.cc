#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "experiments/watch_children.h"
#include "store/store.h"
#include "tenants/account.h"
#include "tenants/deployment.h"
#include "tenants/program_end.h"
#include "tenants/request_log.h"
#include "tenants/scratch_folder.h"
#include "tenants/share_sessions.h"

namespace edgewise::tenants {
namespace {

// A share while it runs.
struct Running {
  size_t placed = 0;  // which deployment it belongs to
  const Share* share = nullptr;
  std::filesystem::path log;
  ChildSession* tenant = nullptr;
  std::vector<ChildSession*> containers;
};

double InSeconds(int64_t ns) {
  return static_cast<double>(ns) / static_cast<double>(kNsPerSecond);
}

class Deploying {
 public:
  Deploying(const std::vector<Placed>& placed,
            const DeployConditions& conditions, const Engine* engine,
            ScratchFolder scratch, SignalGuard& signals)
      : placed_(placed),
        conditions_(conditions),
        engine_(engine),
        scratch_(std::move(scratch)),
        epoch_ns_(MonotonicNs()),
        signals_(signals) {}

  Result<DeployOutcome> Run() {
    if (Result<void> started = StartAll(); !started) {
      return started.error();
    }
    WaitUntil(epoch_ns_ + conditions_.ready_within_ns,
              [this] { return AllReady() || SomeOver(); });
    late_ = !AllReady() && !SomeOver();
    int64_t begin_ns = 0;
    int64_t end_ns = 0;
    if (AllReady() && !SomeOver() && !cancelled_) {
      begin_ns = MonotonicNs() + conditions_.warmup_ns;
      end_ns = begin_ns + conditions_.measure_ns;
      WaitUntil(end_ns, [this] { return SomeOver(); });
    }
    for (const auto& child : children_) {
      if (child->over()) {
        early_.insert(child.get());
      }
    }
    for (const auto& child : children_) {
      child->Stop();
    }
    while (!AllOver(children_)) {
      WaitForNews(-1);
    }
    DeployOutcome outcome;
    outcome.cancelled = cancelled_;
    if (cancelled_) {
      return outcome;
    }
    if (Result<void> told = Tell(
            {InSeconds(begin_ns - epoch_ns_), InSeconds(end_ns - epoch_ns_)},
            &outcome);
        !told) {
      return told.error();
    }
    return outcome;
  }

 private:
  Result<ChildSession*> Start(const SessionSettings& settings) {
    auto child = ChildSession::Start(conditions_.home, {settings, 0, false});
    if (!child) {
      return child.error();
    }
    children_.push_back(std::move(*child));
    return children_.back().get();
  }

  Result<void> StartAll() {
    uint64_t seed = conditions_.seed;
    for (size_t i = 0; i < placed_.size(); ++i) {
      const Deployment& deployment = placed_[i].deployment;
      if (deployment.stress) {
        const auto child =
            Start(StressSession(placed_[i], *deployment.stress, conditions_));
        if (!child) {
          return child.error();
        }
        stressors_.emplace(i, *child);
      }
      for (const Share& share : deployment.shares) {
        if (Result<void> started = StartShare(i, share, seed++); !started) {
          return started;
        }
      }
    }
    return {};
  }

  Result<void> StartShare(size_t index, const Share& share, uint64_t seed) {
    Running running;
    running.placed = index;
    running.share = &share;
    running.log = scratch_.path() / (std::to_string(running_.size()) + ".csv");
    const auto sessions = SessionsOf(
        share, {&placed_[index], running.log, epoch_ns_, seed, engine_},
        conditions_);
    if (!sessions) {
      return sessions.error();
    }
    for (const SessionSettings& settings : sessions->containers) {
      const auto child = Start(settings);
      if (!child) {
        return child.error();
      }
      running.containers.push_back(*child);
    }
    const auto child = Start(sessions->tenant);
    if (!child) {
      return child.error();
    }
    running.tenant = *child;
    running_.push_back(std::move(running));
    return {};
  }

  // The log is there once a tenant can answer.
  bool AllReady() const {
    return std::all_of(running_.begin(), running_.end(), [](const auto& each) {
      std::error_code ignored;
      const auto size = std::filesystem::file_size(each.log, ignored);
      return !ignored && size > 0;
    });
  }
  bool SomeOver() const {
    return std::any_of(children_.begin(), children_.end(),
                       [](const auto& child) { return child->over(); });
  }
  // At most so long, -1: without end.
  void WaitForNews(int most_ms) {
    cancelled_ =
        edgewise::WaitForNews(signals_, children_, most_ms) || cancelled_;
  }

  template <typename Done>
  void WaitUntil(int64_t until_ns, Done done) {
    constexpr int64_t kLookMs = 20;
    while (!cancelled_ && !done()) {
      const int64_t left_ns = until_ns - MonotonicNs();
      if (left_ns <= 0) {
        return;
      }
      WaitForNews(static_cast<int>(std::min(kLookMs, left_ns / kNsPerMs + 1)));
    }
  }

  // Empty: there is none.
  std::string FailureOf(const Running& running, const Store& store) const {
    const std::string& name = running.share->tenant.name;
    std::vector<const ChildSession*> parts{running.tenant};
    parts.insert(parts.end(), running.containers.begin(),
                 running.containers.end());
    for (const ChildSession* part : parts) {
      if (early_.contains(part)) {
        return name + " ended too early: " + EarlyEnd(*part, store);
      }
    }
    if (late_) {
      return name + " or a neighbour did not begin to answer in time";
    }
    // What it could not write down would be missing without a trace.
    const auto bad = BadEnd(*running.tenant, store);
    return bad ? name + " did not end well: " + *bad : "";
  }

  // By deployment.
  std::vector<std::string> Failures(const Store& store) const {
    std::vector<std::string> failures(placed_.size());
    for (const auto& [index, stressor] : stressors_) {
      if (early_.contains(stressor)) {
        failures[index] =
            "the stressor ended too early: " + EarlyEnd(*stressor, store);
      }
    }
    for (const Running& running : running_) {
      std::string& failure = failures[running.placed];
      if (failure.empty()) {
        failure = FailureOf(running, store);
      }
    }
    return failures;
  }

  Result<void> Tell(const Window& window, DeployOutcome* outcome) {
    const auto store = Store::Open(conditions_.home);
    if (!store) {
      return store.error();
    }
    const std::vector<std::string> failures = Failures(*store);
    outcome->measured.resize(placed_.size());
    for (size_t i = 0; i < placed_.size(); ++i) {
      outcome->measured[i].failure = failures[i];
    }
    for (const Running& running : running_) {
      DeploymentMeasured& measured = outcome->measured[running.placed];
      if (!measured.failure.empty()) {
        continue;
      }
      if (Result<void> told = TellOf(running, *store, window, &measured);
          !told) {
        return told;
      }
    }
    for (DeploymentMeasured& measured : outcome->measured) {
      std::sort(measured.requests.begin(), measured.requests.end(),
                [](const RequestRow& a, const RequestRow& b) {
                  return a.arrival_s < b.arrival_s;
                });
    }
    return {};
  }

  Result<void> TellOf(const Running& running, const Store& store,
                      const Window& window, DeploymentMeasured* measured) {
    FinishedShare finished;
    finished.placed = &placed_[running.placed];
    finished.share = running.share;
    finished.log = running.log;
    finished.run_ids = running.tenant->run_ids();
    for (const ChildSession* container : running.containers) {
      finished.run_ids.insert(finished.run_ids.end(),
                              container->run_ids().begin(),
                              container->run_ids().end());
    }
    return AccountFor(finished, store, epoch_ns_, window, measured);
  }

  const std::vector<Placed>& placed_;
  const DeployConditions& conditions_;
  const Engine* engine_;
  ScratchFolder scratch_;
  int64_t epoch_ns_;
  SignalGuard& signals_;
  std::vector<std::unique_ptr<ChildSession>> children_;
  std::map<size_t, ChildSession*> stressors_;
  std::vector<Running> running_;
  std::set<const ChildSession*> early_;  // over before they were asked to be
  bool late_ = false;
  bool cancelled_ = false;
};

}  // namespace

Result<DeployOutcome> Deploy(const std::vector<Placed>& placed,
                             const DeployConditions& conditions,
                             SignalGuard& signals) {
  if (Result<void> checked = CheckDeployments(placed, conditions); !checked) {
    return checked.error();
  }
  const auto engine = EngineFor(placed);
  if (!engine) {
    return engine.error();
  }
  auto scratch = ScratchFolder::Make();
  if (!scratch) {
    return scratch.error();
  }
  return Deploying(placed, conditions, *engine ? &**engine : nullptr,
                   std::move(*scratch), signals)
      .Run();
}

}  // namespace edgewise::tenants

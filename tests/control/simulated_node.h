// A node with apps that obey quotas, shares and knobs, second by second: what a
// controller is tried on before it meets real ones.
#ifndef EDGEWISE_TESTS_CONTROL_SIMULATED_NODE_H_
#define EDGEWISE_TESTS_CONTROL_SIMULATED_NODE_H_

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "base/clock.h"
#include "control/controller.h"

namespace edgewise::control {

struct SimulatedApp {
  uint64_t id = 0;
  std::string name;
  AppGoal goal;
  double cost_s = 0.02;      // CPU of one item
  double offered_per_s = 0;  // 0: as many as it can
  double threads = 1;
  std::vector<KnobState> knobs;  // "stride": only each n-th item is worked on
  std::optional<double> card_cores;
  std::string only_observed;

  // What came of the last second.
  double cpu_cores = 0;
  double items_per_s = 0;
  double backlog = 0;
  AppSetting setting;
  std::deque<double> rates;  // of the last seconds
  int seconds = 0;
  int met = 0;

  double Stride() const {
    for (const auto& [name_, value] : setting.knobs) {
      if (name_ == "stride") {
        return value;
      }
    }
    return 1;
  }
};

class SimulatedNode {
 public:
  SimulatedNode(const NodeLimits& limits, int cores, unsigned seed = 1)
      : controller(limits), cores_(cores), random_(seed) {}

  SimulatedApp& Add(SimulatedApp app) {
    app.id = next_id_++;
    apps.push_back(std::move(app));
    return apps.back();
  }

  // Lets a second pass, and the controller act on it.
  void Second() {
    now_ns += kNsPerSecond;
    ShareCpu();
    NodeObservation node;
    node.now_ns = now_ns;
    node.cores = cores_;
    node.hottest_c = celsius;
    for (SimulatedApp& app : apps) {
      node.apps.push_back(Observe(app));
    }
    if (!controlled) {
      return;
    }
    const ControlStep step = controller.Step(node);
    for (const Decision& decision : step.decisions) {
      decisions.push_back(decision);
      decided_ns.push_back(now_ns);
    }
    for (const AppSetting& setting : step.settings) {
      for (SimulatedApp& app : apps) {
        if (app.id == setting.id) {
          app.setting = setting;
        }
      }
    }
  }
  void Seconds(int count) {
    for (int i = 0; i < count; ++i) {
      Second();
    }
  }

  // Counts from here on.
  void ResetScores() {
    for (SimulatedApp& app : apps) {
      app.seconds = app.met = 0;
    }
    decisions.clear();
    decided_ns.clear();
  }
  int Changes() const {
    return static_cast<int>(
        std::count_if(decisions.begin(), decisions.end(),
                      [](const Decision& d) { return IsChange(d.kind); }));
  }
  const Decision* Last(DecisionKind kind) const {
    for (size_t i = decisions.size(); i-- > 0;) {
      if (decisions[i].kind == kind) {
        return &decisions[i];
      }
    }
    return nullptr;
  }

  Controller controller;
  std::deque<SimulatedApp> apps;
  std::vector<Decision> decisions;
  std::vector<int64_t> decided_ns;
  std::optional<double> celsius;
  int64_t now_ns = 0;
  bool controlled = true;

 private:
  double Noise() {
    return std::clamp(std::normal_distribution<double>(1, 0.05)(random_), 0.8,
                      1.2);
  }
  double CostOf(const SimulatedApp& app) const {
    return app.cost_s / app.Stride();
  }

  // By shares, up to what each can use or may.
  void ShareCpu() {
    std::map<uint64_t, double> most;
    for (SimulatedApp& app : apps) {
      app.cpu_cores = 0;
      const double wanted =
          app.offered_per_s > 0
              ? (app.offered_per_s + app.backlog) * CostOf(app) * Noise()
              : app.threads;
      most[app.id] = std::min(
          {wanted, app.threads, app.setting.quota_cores.value_or(1e9)});
    }
    double left = cores_;
    for (int round = 0; round < 20 && left > 1e-6; ++round) {
      double shares = 0;
      for (const SimulatedApp& app : apps) {
        if (app.cpu_cores < most[app.id] - 1e-9) {
          shares += Shares(app);
        }
      }
      const double now = left;
      for (SimulatedApp& app : apps) {
        if (app.cpu_cores < most[app.id] - 1e-9) {
          const double more = std::min(most[app.id] - app.cpu_cores,
                                       now * Shares(app) / shares);
          app.cpu_cores += more;
          left -= more;
        }
      }
    }
    for (SimulatedApp& app : apps) {
      app.items_per_s = app.cpu_cores / (CostOf(app) * Noise());
      if (app.offered_per_s > 0) {
        app.backlog = std::clamp(
            app.backlog + app.offered_per_s - app.items_per_s, 0.0, 50.0);
      }
    }
  }
  static double Shares(const SimulatedApp& app) {
    return static_cast<double>(app.setting.shares.value_or(1024)) *
           (app.setting.shares ? 1 : app.threads);
  }

  AppObservation Observe(SimulatedApp& app) {
    app.rates.push_back(app.items_per_s);
    if (app.rates.size() > 2) {
      app.rates.pop_front();
    }
    double rate = 0;
    for (const double each : app.rates) {
      rate += each / static_cast<double>(app.rates.size());
    }
    AppObservation seen;
    seen.id = app.id;
    seen.name = app.name + "/0";
    seen.goal = app.goal;
    seen.only_observed = app.only_observed;
    seen.cpu_cores = app.cpu_cores;
    seen.items_per_s = rate;
    seen.knobs = app.knobs;
    seen.card_cores = app.card_cores;
    if (app.goal.goal && rate > 0) {
      const double speed = std::min(1.0, app.cpu_cores);
      const double latency_s =
          CostOf(app) / std::max(0.01, speed) + app.backlog / rate;
      const double now = app.goal.goal->kind == GoalKind::kRate
                             ? app.items_per_s
                             : 1e9 * latency_s;
      seen.measured =
          app.goal.goal->kind == GoalKind::kRate ? rate : 1e9 * latency_s;
      ++app.seconds;
      app.met += MissRatio(*app.goal.goal, now) <= 1 ? 1 : 0;
    }
    return seen;
  }

  int cores_;
  uint64_t next_id_ = 1;
  std::mt19937 random_;
};

}  // namespace edgewise::control

#endif  // EDGEWISE_TESTS_CONTROL_SIMULATED_NODE_H_

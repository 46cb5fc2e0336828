#include "control/allocate.h"

#include <algorithm>
#include <cmath>

namespace edgewise::control {
namespace {

constexpr double kUnitCores = 0.01;
constexpr double kSlack = 1e-9;
// How much more the goals of others must weigh before a met one is given up.
constexpr double kLoyalty = 1.1;
// An app that gets this share of what it needs gives no way.
constexpr double kEnough = 0.97;
// How much of the node may be wanted with a knob turned back.
constexpr double kRoomToReturn = 0.92;

class Allocator {
 public:
  Allocator(double capacity, const std::vector<AppNeed>& needs)
      : capacity_(capacity), needs_(needs) {
    for (const AppNeed& need : needs_) {
      grants_.push_back({need.id, 0, 0, need.best_level, false});
    }
  }

  Allocation Run() {
    for (size_t i = 0; i < needs_.size(); ++i) {
      FitBelowMax(i);
    }
    TurnKnobs(/*only_returns=*/true);
    TurnKnobs(/*only_returns=*/false);
    for (size_t i = 0; i < needs_.size(); ++i) {
      grants_[i].cores = needs_[i].min_cores;
      grants_[i].wanted_cores = needs_[i].has_goal ? Wanted(i) : 0;
    }
    ChooseGoals();
    ShareRest(/*with_goal=*/true);
    for (AppGrant& grant : grants_) {
      grant.gives_way =
          grant.gives_way && grant.cores < kEnough * grant.wanted_cores;
    }
    ShareRest(/*with_goal=*/false);
    Allocation done;
    done.capacity_cores = capacity_;
    for (const AppGrant& grant : grants_) {
      done.wanted_cores += grant.wanted_cores;
    }
    done.left_cores = std::max(0.0, Left());
    done.grants = std::move(grants_);
    return done;
  }

 private:
  double WantedAt(size_t i, size_t level) const {
    const AppNeed& need = needs_[i];
    return std::max(need.min_cores,
                    std::min(need.max_cores, need.cores_at_level[level]));
  }
  double Wanted(size_t i) const { return WantedAt(i, grants_[i].level); }

  double Left() const {
    double left = capacity_;
    for (const AppGrant& grant : grants_) {
      left -= grant.cores;
    }
    return left;
  }

  // A knob helps an app, too, that may not have what its goal takes.
  void FitBelowMax(size_t i) {
    const AppNeed& need = needs_[i];
    size_t& level = grants_[i].level;
    while (need.has_goal && need.cores_at_level[level] > need.max_cores &&
           level + 1 < need.cores_at_level.size()) {
      ++level;
    }
  }

  double Excess(double capacity) const {
    double sum = -capacity;
    for (size_t i = 0; i < needs_.size(); ++i) {
      sum += needs_[i].has_goal ? Wanted(i) : needs_[i].min_cores;
    }
    return sum;
  }

  void TurnKnobs(bool only_returns) {
    const double capacity = capacity_ * (only_returns ? kRoomToReturn : 1);
    while (Excess(capacity) > kSlack) {
      const size_t none = needs_.size();
      size_t chosen = none;
      for (size_t i = 0; i < needs_.size(); ++i) {
        const size_t next = grants_[i].level + 1;
        const bool saves = needs_[i].has_goal &&
                           next < needs_[i].cores_at_level.size() &&
                           WantedAt(i, next) < Wanted(i) - kSlack &&
                           (!only_returns || next <= needs_[i].level);
        if (saves &&
            (chosen == none || needs_[i].weight < needs_[chosen].weight)) {
          chosen = i;
        }
      }
      if (chosen == none) {
        return;
      }
      ++grants_[chosen].level;
    }
  }

  // The goals to be met: all, or those that weigh most together (a knapsack).
  void ChooseGoals() {
    const auto units = [](double cores) {
      return static_cast<size_t>(
          std::ceil(std::max(0.0, cores) / kUnitCores - 1e-6));
    };
    std::vector<size_t> goals;
    for (size_t i = 0; i < needs_.size(); ++i) {
      if (needs_[i].has_goal) {
        goals.push_back(i);
      }
    }
    std::vector<bool> met(goals.size(), true);
    if (Excess(capacity_) > kSlack) {
      const auto room = static_cast<size_t>(
          std::max(0.0, std::floor(Left() / kUnitCores + 1e-6)));
      std::vector<double> best(room + 1, 0);
      std::vector<std::vector<bool>> takes(goals.size(),
                                           std::vector<bool>(room + 1));
      for (size_t k = 0; k < goals.size(); ++k) {
        const size_t i = goals[k];
        const size_t cost = units(grants_[i].wanted_cores - grants_[i].cores);
        // Of two that weigh the same, the one that takes less.
        const double value =
            needs_[i].weight * (needs_[i].had_all ? kLoyalty : 1) -
            1e-9 * static_cast<double>(cost);
        for (size_t at = room + 1; at-- > cost;) {
          if (best[at - cost] + value > best[at]) {
            best[at] = best[at - cost] + value;
            takes[k][at] = true;
          }
        }
      }
      size_t at = room;
      for (size_t k = goals.size(); k-- > 0;) {
        met[k] = takes[k][at];
        if (met[k]) {
          at -= units(grants_[goals[k]].wanted_cores - grants_[goals[k]].cores);
        }
      }
    }
    for (size_t k = 0; k < goals.size(); ++k) {
      AppGrant& grant = grants_[goals[k]];
      grant.gives_way = !met[k];
      if (met[k]) {
        grant.cores = grant.wanted_cores;
      }
    }
  }

  // What is left, by weight, to apps that have less than they could use.
  void ShareRest(bool with_goal) {
    const auto most = [&](size_t i) {
      return needs_[i].has_goal ? grants_[i].wanted_cores : needs_[i].max_cores;
    };
    // Each round fills at least one app, or uses up what is left.
    for (size_t round = 0; round < needs_.size(); ++round) {
      const double left = Left();
      double weights = 0;
      for (size_t i = 0; i < needs_.size(); ++i) {
        if (needs_[i].has_goal == with_goal &&
            grants_[i].cores < most(i) - kSlack) {
          weights += needs_[i].weight;
        }
      }
      if (left <= kSlack || weights == 0) {
        return;
      }
      for (size_t i = 0; i < needs_.size(); ++i) {
        if (needs_[i].has_goal == with_goal &&
            grants_[i].cores < most(i) - kSlack) {
          grants_[i].cores = std::min(
              most(i), grants_[i].cores + left * needs_[i].weight / weights);
        }
      }
    }
  }

  double capacity_;
  const std::vector<AppNeed>& needs_;
  std::vector<AppGrant> grants_;
};

}  // namespace

Allocation Allocate(double capacity_cores, const std::vector<AppNeed>& needs) {
  return Allocator(capacity_cores, needs).Run();
}

}  // namespace edgewise::control

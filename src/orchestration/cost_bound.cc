#include <algorithm>
#include <cmath>
#include <set>

#include "orchestration/best_configuration.h"
#include "orchestration/server_costs.h"

namespace edgewise::orchestration {
namespace {

constexpr size_t kMostForProgram = 600;
constexpr double kInertia = 0.85;
constexpr double kLongestProgramS = 5;
constexpr double kRounding = 1e-9;
constexpr int kScales = 14;

class Bounding {
 public:
  Bounding(const Problem& problem, const ServerCosts& costs,
           const std::vector<size_t>& items,
           const std::function<bool()>& expired)
      : problem_(problem),
        costs_(costs),
        items_(items),
        expired_(expired),
        worth_(problem.items().size(), 0) {
    effort_ = items.size() <= kMostForProgram ? SearchEffort{100, 2000, true}
                                              : SearchEffort{30, 500, true};
  }

  double Go(Solver* solver) {
    for (const double share : {1.0, 0.5, 0.0, 0.75, 0.25}) {
      TryDirection(share);
    }
    if (solver != nullptr && items_.size() <= kMostForProgram) {
      WithProgram(*solver);
    }
    return best_;
  }

 private:
  // The bound that follows from what items are worth; keeps the best. Adds
  // configurations that are worth more than they cost.
  double Try(const std::vector<double>& worth, LinearProgram* program) {
    double total = 0;
    for (const size_t item : items_) {
      total += worth[item];
    }
    const double size_of_sum = total;
    for (size_t g = 0; g < costs_.classes.size(); ++g) {
      const CostClass& at = costs_.classes[g];
      std::vector<double> values(worth.size(), 0);
      for (const size_t item : items_) {
        values[item] = worth[item] - at.per_item[item];
      }
      const ConfigurationAnswer best =
          BestConfiguration(problem_, at.kind, items_, values, effort_);
      total -= static_cast<double>(at.servers.size()) *
               std::max(0.0, best.bound - at.fixed);
      for (const Configuration& found : best.found) {
        if (program != nullptr && found.value > at.fixed * (1 + kRounding)) {
          AddRow(g, found.items, *program);
        }
      }
    }
    total -= kRounding * size_of_sum;
    if (total > best_) {
      best_ = total;
      worth_ = worth;
    }
    return total;
  }

  // Worth in proportion to a mixture of pressure and memory, plus the least
  // that the item itself costs anywhere.
  void TryDirection(double pressure_share) {
    double pressure = 1e-30;
    double memory = 1;
    for (const size_t item : items_) {
      pressure += problem_.CommonPressure(0, item);
      memory += static_cast<double>(problem_.items()[item].memory_bytes);
    }
    double all = 0;
    for (const CostClass& at : costs_.classes) {
      all += at.fixed * static_cast<double>(at.servers.size());
    }
    // The bound is concave in the scale: halve towards the better end.
    double low = 0;
    double high = 2 * all;
    const auto at = [&](double scale) {
      std::vector<double> worth(worth_.size(), 0);
      for (const size_t item : items_) {
        double own = costs_.classes[0].per_item[item];
        for (const CostClass& each : costs_.classes) {
          own = std::min(own, each.per_item[item]);
        }
        worth[item] =
            own +
            scale *
                (pressure_share * problem_.CommonPressure(0, item) / pressure +
                 (1 - pressure_share) *
                     static_cast<double>(problem_.items()[item].memory_bytes) /
                     memory);
      }
      return Try(worth, nullptr);
    };
    for (int i = 0; i < kScales && !expired_(); ++i) {
      const double left = low + 0.382 * (high - low);
      const double right = low + 0.618 * (high - low);
      if (at(left) < at(right)) {
        low = left;
      } else {
        high = right;
      }
    }
  }

  void AddRow(size_t g, const std::vector<size_t>& items,
              LinearProgram& program) {
    std::vector<size_t> sorted = items;
    std::sort(sorted.begin(), sorted.end());
    if (!known_.emplace(g, sorted).second) {
      return;
    }
    const int row = static_cast<int>(program.limits.size());
    double cost = costs_.classes[g].fixed;
    for (const size_t item : items) {
      cost += costs_.classes[g].per_item[item];
      program.columns[column_of_[item]].entries.push_back({row, 1});
    }
    program.columns[items_.size() + g].entries.push_back({row, -1});
    program.limits.push_back(cost);
  }

  // Columns: what items are worth, and what a server of each class gains; rows:
  // no known configuration gains more than that.
  void WithProgram(Solver& solver) {
    LinearProgram program;
    column_of_.assign(worth_.size(), 0);
    double most = 0;
    for (const CostClass& at : costs_.classes) {
      double own = at.fixed;
      for (const size_t item : items_) {
        own = std::max(own, at.fixed + at.per_item[item]);
      }
      most = std::max(most, own);
    }
    for (size_t k = 0; k < items_.size(); ++k) {
      column_of_[items_[k]] = k;
      program.columns.push_back({1, 2 * most, {}});
    }
    for (const CostClass& at : costs_.classes) {
      program.columns.push_back({-static_cast<double>(at.servers.size()),
                                 2 * most * static_cast<double>(items_.size()),
                                 {}});
    }
    Try(worth_, &program);
    for (size_t g = 0; g < costs_.classes.size(); ++g) {
      for (const size_t item : items_) {
        if (problem_.FitsAlone(costs_.classes[g].kind, item)) {
          AddRow(g, {item}, program);
        }
      }
    }
    double inertia = kInertia;
    while (!expired_()) {
      const ProgramAnswer answer =
          solver.SolveContinuous(program, kLongestProgramS);
      if (!answer.optimal) {
        return;
      }
      std::vector<double> tried(worth_.size(), 0);
      for (size_t k = 0; k < items_.size(); ++k) {
        tried[items_[k]] =
            inertia * worth_[items_[k]] + (1 - inertia) * answer.x[k];
      }
      const size_t known = known_.size();
      const double before = best_;
      const double here = Try(tried, &program);
      const bool closer = here > before + 1e-5 * std::abs(before);
      if (known_.size() == known && !closer && inertia == 0) {
        return;
      }
      if (known_.size() == known && !closer) {
        inertia = inertia > 0.1 ? inertia / 2 : 0;
      } else if (!closer && inertia > 0.5) {
        inertia -= 0.01;
      }
    }
  }

  const Problem& problem_;
  const ServerCosts& costs_;
  const std::vector<size_t>& items_;
  const std::function<bool()>& expired_;
  SearchEffort effort_;
  std::vector<double> worth_;  // the best so far, by item
  double best_ = 0;
  std::vector<size_t> column_of_;
  std::set<std::pair<size_t, std::vector<size_t>>> known_;
};

}  // namespace

double CostBound(const Problem& problem, const ServerCosts& costs,
                 const std::vector<size_t>& items, Solver* solver,
                 const std::function<bool()>& expired) {
  return Bounding(problem, costs, items, expired).Go(solver);
}

}  // namespace edgewise::orchestration

#include "orchestration/best_configuration.h"

#include <algorithm>
#include <limits>

#include "orchestration/server_load.h"

namespace edgewise::orchestration {
namespace {

// How memory and pressure are weighed against each other.
constexpr double kPressureShares[] = {1, 0.9, 0.75, 0.5, 0.25, 0};
constexpr size_t kUnits = 4000;
// Sums in floating point may come out this much smaller than they are.
constexpr double kRounding = 1e-9;

struct Choice {
  size_t item;
  double value;
  double weight;  // of a server that is full at 1
};

// A knapsack between two ceilings.
struct Knapsack {
  double above = 0;
  double ceiling = 0;
  double bound = 0;
  double pressure_share = 1;
};

class Finder {
 public:
  Finder(const Problem& problem, size_t kind,
         const std::vector<size_t>& candidates,
         const std::vector<double>& values, const SearchEffort& effort)
      : problem_(problem),
        kind_(kind),
        rank_(problem.kinds()[kind].rank),
        values_(values),
        effort_(effort),
        server_(problem, kind) {
    for (const size_t item : candidates) {
      if (values[item] > 0 && problem.FitsAlone(kind, item)) {
        candidates_.push_back(item);
      }
    }
  }

  ConfigurationAnswer Find() {
    for (const Knapsack& knapsack : SortedKnapsacks()) {
      if (knapsack.bound <= best_) {
        break;
      }
      Fill(knapsack, knapsack.pressure_share);
      left_ = effort_.steps;
      taken_.clear();
      server_.Clear();
      Descend(0, 1, 0);
      if (left_ <= 0) {
        const double bound = effort_.tight_bound
                                 ? std::min(knapsack.bound, ByUnits(knapsack))
                                 : knapsack.bound;
        answer_.bound = std::max(answer_.bound, bound);
      }
    }
    answer_.bound = std::max(answer_.bound, best_) * (1 + kRounding);
    return std::move(answer_);
  }

 private:
  std::vector<Knapsack> SortedKnapsacks() {
    std::vector<Knapsack> knapsacks;
    double above = -1;
    for (const double ceiling :
         Ceilings(problem_, rank_, candidates_, effort_.ceilings)) {
      Knapsack knapsack{above, ceiling, std::numeric_limits<double>::infinity(),
                        1};
      for (const double share : kPressureShares) {
        Fill(knapsack, share);
        if (const double bound = Relaxed(0, 1); bound < knapsack.bound) {
          knapsack.bound = bound;
          knapsack.pressure_share = share;
        }
      }
      knapsacks.push_back(knapsack);
      above = ceiling;
    }
    std::sort(
        knapsacks.begin(), knapsacks.end(),
        [](const Knapsack& a, const Knapsack& b) { return a.bound > b.bound; });
    return knapsacks;
  }

  // The items that may stand there, best value for weight first.
  void Fill(const Knapsack& knapsack, double pressure_share) {
    choices_.clear();
    const auto memory =
        static_cast<double>(problem_.kinds()[kind_].memory_bytes);
    for (const size_t item : candidates_) {
      if (problem_.CommonTolerance(rank_, item) > knapsack.above) {
        const double pressure = problem_.CommonPressure(rank_, item);
        const double weight =
            (knapsack.ceiling > 0 ? pressure_share * pressure / knapsack.ceiling
                                  : 0) +
            (1 - pressure_share) *
                static_cast<double>(problem_.items()[item].memory_bytes) /
                memory;
        choices_.push_back({item, values_[item], weight});
      }
    }
    std::sort(choices_.begin(), choices_.end(),
              [](const Choice& a, const Choice& b) {
                return a.value * b.weight > b.value * a.weight;
              });
    sums_.assign(1, {0, 0});
    for (const Choice& choice : choices_) {
      sums_.emplace_back(sums_.back().first + choice.weight,
                         sums_.back().second + choice.value);
    }
  }

  // What the choices from `first` on can be worth in `room` if parts of items
  // were allowed.
  double Relaxed(size_t first, double room) const {
    const double until = sums_[first].first + room * (1 + kRounding);
    const auto after = std::upper_bound(
        sums_.begin() + static_cast<ptrdiff_t>(first), sums_.end(), until,
        [](double value, const auto& sum) { return value < sum.first; });
    const auto last = after - 1;
    double worth = last->second - sums_[first].second;
    if (after != sums_.end()) {
      const Choice& next = choices_[static_cast<size_t>(last - sums_.begin())];
      worth += next.value * (until - last->first) / next.weight;
    }
    return worth;
  }

  // The knapsack of pressure alone in whole units, weights rounded down: what
  // fits in truth fits here.
  double ByUnits(const Knapsack& knapsack) const {
    if (knapsack.ceiling <= 0) {
      return knapsack.bound;
    }
    std::vector<double> worth(kUnits + 1, 0);
    for (const Choice& choice : choices_) {
      const double share =
          problem_.CommonPressure(rank_, choice.item) / knapsack.ceiling;
      const auto units = static_cast<size_t>(share * (1 - kRounding) * kUnits);
      for (size_t full = kUnits; full >= units; --full) {
        worth[full] = std::max(worth[full], worth[full - units] + choice.value);
        if (full == 0) {
          break;
        }
      }
    }
    return worth[kUnits];
  }

  void Descend(size_t first, double room, double worth) {
    if (worth > best_) {
      best_ = worth;
      answer_.found.push_back({taken_, worth});
    }
    for (size_t i = first; i < choices_.size(); ++i) {
      if (--left_ <= 0 || worth + Relaxed(i, room) <= best_) {
        return;
      }
      const Choice& choice = choices_[i];
      if (server_.CanAdd(choice.item)) {
        server_.Add(choice.item);
        taken_.push_back(choice.item);
        Descend(i + 1, std::max(0.0, room - choice.weight),
                worth + choice.value);
        taken_.pop_back();
        server_.Remove(choice.item);
      }
    }
  }

  const Problem& problem_;
  size_t kind_;
  size_t rank_;
  const std::vector<double>& values_;
  SearchEffort effort_;
  ServerLoad server_;
  std::vector<size_t> candidates_;
  std::vector<Choice> choices_;
  std::vector<std::pair<double, double>> sums_;  // weight, value
  std::vector<size_t> taken_;
  ConfigurationAnswer answer_;
  double best_ = 0;
  int left_ = 0;
};

}  // namespace

std::vector<double> Ceilings(const Problem& problem, size_t rank,
                             const std::vector<size_t>& items, size_t most) {
  std::vector<double> tolerances;
  for (const size_t item : items) {
    if (problem.Tolerance(rank, item) >= 0) {
      tolerances.push_back(problem.CommonTolerance(rank, item));
    }
  }
  std::sort(tolerances.begin(), tolerances.end());
  std::vector<double> ceilings;
  for (size_t i = 1; i <= most && !tolerances.empty(); ++i) {
    const double ceiling =
        tolerances[(tolerances.size() * i + most - 1) / most - 1];
    if (ceilings.empty() || ceiling > ceilings.back()) {
      ceilings.push_back(ceiling);
    }
  }
  return ceilings;
}

ConfigurationAnswer BestConfiguration(const Problem& problem, size_t kind,
                                      const std::vector<size_t>& candidates,
                                      const std::vector<double>& values,
                                      const SearchEffort& effort) {
  return Finder(problem, kind, candidates, values, effort).Find();
}

}  // namespace edgewise::orchestration

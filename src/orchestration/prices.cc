#include "orchestration/prices.h"

#include <algorithm>
#include <numeric>

#include "orchestration/best_configuration.h"

namespace edgewise::orchestration {
namespace {

constexpr double kRounding = 1 + 1e-9;
constexpr double kGiB = 1 << 30;

bool Allowed(const Problem& problem, const PriceClass& at, size_t item) {
  return problem.CommonTolerance(problem.kinds()[at.kind].rank, item) >
             at.above &&
         problem.FitsAlone(at.kind, item);
}

// Every so-many-th of the items ordered by app, then by pay for pressure.
std::vector<size_t> Sample(const Problem& problem, size_t most) {
  std::vector<size_t> items(problem.items().size());
  std::iota(items.begin(), items.end(), 0);
  if (items.size() <= most) {
    return items;
  }
  const auto density = [&problem](size_t i) {
    return static_cast<double>(problem.items()[i].pay_micros) /
           (problem.CommonPressure(0, i) + 1e-30);
  };
  std::sort(items.begin(), items.end(), [&](size_t a, size_t b) {
    const size_t app_a = problem.items()[a].app;
    const size_t app_b = problem.items()[b].app;
    return app_a != app_b ? app_a < app_b : density(a) > density(b);
  });
  std::vector<size_t> sample;
  for (size_t i = 0; i < most; ++i) {
    sample.push_back(items[(2 * i + 1) * items.size() / (2 * most)]);
  }
  return sample;
}

std::vector<PriceClass> FirstClasses(const Problem& problem,
                                     const std::vector<size_t>& sample,
                                     size_t ceilings) {
  std::vector<PriceClass> classes;
  for (size_t kind = 0; kind < problem.kinds().size(); ++kind) {
    double above = -1;
    // Nothing bears more than the largest tolerance of all, sampled or not.
    const size_t rank = problem.kinds()[kind].rank;
    double largest = 0;
    for (size_t i = 0; i < problem.items().size(); ++i) {
      largest = std::max(largest, problem.CommonTolerance(rank, i));
    }
    std::vector<double> edges = Ceilings(problem, rank, sample, ceilings);
    if (edges.empty() || edges.back() < largest) {
      edges.push_back(largest);
    }
    for (const double ceiling : edges) {
      classes.push_back({kind, above, ceiling, 0, 0, 0});
      above = ceiling;
    }
  }
  return classes;
}

// Rows: items, then kinds, then pressure and memory of each class.
class CountingProgram {
 public:
  CountingProgram(const Problem& problem, const std::vector<size_t>& sample,
                  std::vector<PriceClass> classes)
      : problem_(problem), classes_(std::move(classes)) {
    const double share = static_cast<double>(sample.size()) /
                         static_cast<double>(problem.items().size());
    program_.limits.assign(sample.size(), 1);
    for (const ServerKind& kind : problem.kinds()) {
      program_.limits.push_back(share *
                                static_cast<double>(kind.servers.size()));
    }
    first_class_row_ = program_.limits.size();
    program_.limits.resize(first_class_row_ + 2 * classes_.size(), 0);
    for (size_t c = 0; c < classes_.size(); ++c) {
      AddServers(sample.size(), c);
    }
    for (size_t i = 0; i < sample.size(); ++i) {
      for (size_t c = 0; c < classes_.size(); ++c) {
        if (Allowed(problem, classes_[c], sample[i])) {
          AddItem(static_cast<int>(i), sample[i], c);
        }
      }
    }
  }

  std::vector<PriceClass> Solve(Solver& solver, double seconds) {
    const ProgramAnswer answer = solver.SolveContinuous(program_, seconds);
    for (size_t c = 0; c < classes_.size(); ++c) {
      PriceClass& at = classes_[c];
      const size_t row = first_class_row_ + 2 * c;
      at.per_pressure = at.ceiling > 0 ? answer.prices[row] / at.ceiling : 0;
      at.per_byte = answer.prices[row + 1] / kGiB;
      at.servers = answer.x[c];
    }
    return std::move(classes_);
  }

 private:
  // Pressure is counted in ceilings and memory in GiB, so that the numbers are
  // of like size.
  void AddServers(size_t items, size_t c) {
    const PriceClass& at = classes_[c];
    const int row = static_cast<int>(first_class_row_ + 2 * c);
    const ServerKind& kind = problem_.kinds()[at.kind];
    program_.columns.push_back(
        {0,
         static_cast<double>(kind.servers.size()),
         {{static_cast<int>(items + at.kind), 1},
          {row, -1},
          {row + 1, -static_cast<double>(kind.memory_bytes) / kGiB}}});
  }

  void AddItem(int item_row, size_t item, size_t c) {
    const PriceClass& at = classes_[c];
    const int row = static_cast<int>(first_class_row_ + 2 * c);
    const Item& asked = problem_.items()[item];
    const double pressure =
        problem_.CommonPressure(problem_.kinds()[at.kind].rank, item);
    program_.columns.push_back(
        {static_cast<double>(asked.pay_micros),
         1,
         {{item_row, 1},
          {row, at.ceiling > 0 ? pressure / at.ceiling : 0},
          {row + 1, static_cast<double>(asked.memory_bytes) / kGiB}}});
  }

  const Problem& problem_;
  std::vector<PriceClass> classes_;
  LinearProgram program_;
  size_t first_class_row_ = 0;
};

// Halves classes in use; empty neighbours of one kind become one.
std::vector<PriceClass> Refined(const std::vector<PriceClass>& classes) {
  std::vector<PriceClass> refined;
  bool joinable = false;
  for (const PriceClass& at : classes) {
    const bool used = at.servers > 1e-6;
    if (used && at.above > 0) {
      PriceClass low = at;
      PriceClass high = at;
      low.ceiling = high.above = (at.above + at.ceiling) / 2;
      refined.push_back(low);
      refined.push_back(high);
    } else if (!used && joinable && refined.back().kind == at.kind) {
      refined.back().ceiling = at.ceiling;
    } else {
      refined.push_back(at);
    }
    joinable = !used;
  }
  return refined;
}

}  // namespace

Prices FindPrices(const Problem& problem, Solver& solver, size_t sample_size,
                  size_t ceilings, double seconds,
                  const std::function<bool()>& expired) {
  const std::vector<size_t> sample = Sample(problem, sample_size);
  Prices best;
  double best_bound = 0;
  std::vector<PriceClass> classes = FirstClasses(problem, sample, ceilings);
  constexpr int kRounds = 3;
  for (int round = 0; round < kRounds && (round == 0 || !expired()); ++round) {
    Prices prices{CountingProgram(problem, sample, classes)
                      .Solve(solver, seconds / kRounds)};
    const double bound = RevenueBound(problem, prices);
    if (best.classes.empty() || bound < best_bound) {
      best_bound = bound;
      best = prices;
    }
    classes = Refined(prices.classes);
  }
  return best;
}

double Surplus(const Problem& problem, const Prices& prices, size_t item) {
  const Item& asked = problem.items()[item];
  double surplus = 0;
  for (const PriceClass& at : prices.classes) {
    if (Allowed(problem, at, item)) {
      const double cost =
          at.per_pressure *
              problem.CommonPressure(problem.kinds()[at.kind].rank, item) +
          at.per_byte * static_cast<double>(asked.memory_bytes);
      surplus = std::max(surplus, static_cast<double>(asked.pay_micros) - cost);
    }
  }
  return surplus;
}

// Weak duality: an item on a server of class c earns at most its surplus plus
// its cost there, and the costs on one server add up to at most what its
// ceiling and memory cost.
double RevenueBound(const Problem& problem, const Prices& prices) {
  double bound = 0;
  for (size_t i = 0; i < problem.items().size(); ++i) {
    bound += Surplus(problem, prices, i);
  }
  std::vector<double> server_price(problem.kinds().size(), 0);
  for (const PriceClass& at : prices.classes) {
    const double price =
        at.per_pressure * at.ceiling +
        at.per_byte *
            static_cast<double>(problem.kinds()[at.kind].memory_bytes);
    server_price[at.kind] = std::max(server_price[at.kind], price);
  }
  for (size_t kind = 0; kind < server_price.size(); ++kind) {
    bound += server_price[kind] *
             static_cast<double>(problem.kinds()[kind].servers.size());
  }
  return bound * kRounding;
}

}  // namespace edgewise::orchestration

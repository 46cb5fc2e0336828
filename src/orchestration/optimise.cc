#include "orchestration/optimise.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include "orchestration/baselines.h"
#include "orchestration/columns.h"
#include "orchestration/prices.h"
#include "orchestration/search.h"
#include "orchestration/solver.h"

namespace edgewise::orchestration {
namespace {

// Up to so many requests whole servers are priced and combined.
constexpr size_t kMostForColumns = 600;
constexpr int kFirstColumns = 40;
constexpr int kCombinations = 2;
constexpr double kBoundPart = 0.6;
constexpr double kStartPart = 0.5;
constexpr double kNoGap = 1e-9;
constexpr int kRounds = 10;
// Of an item's mean pay.
constexpr double kHeat = 0.2;
constexpr size_t kSample = 1200;
constexpr size_t kCeilings = 24;

class Run {
 public:
  Run(const Problem& problem, const OptimiseSettings& settings)
      : problem_(problem), settings_(settings) {
    bound_ = SumOfPay();
  }

  OptimiseAnswer Go() {
    Start();
    if (TimeIsOver()) {
      return Finish();
    }
    auto solver = MakeSolver();
    if (!solver) {
      answer_.no_solver = solver.error().message;
      ImproveUntil(settings_.seconds);
      return Finish();
    }
    ImproveUntil(std::min(0.05 * settings_.seconds, 1.0) + Elapsed());
    if (Settled() || Cancelled()) {
      return Finish();
    }
    const double left = std::max(0.1, settings_.seconds - Elapsed());
    const Prices prices = FindPrices(problem_, **solver, kSample, kCeilings,
                                     std::min(left, 0.4 * settings_.seconds),
                                     [this] { return TimeIsOver(); });
    bound_ = std::min(bound_, RevenueBound(problem_, prices));
    if (problem_.items().size() <= kMostForColumns && !Settled()) {
      WithColumns(**solver, prices);
    }
    ImproveUntil(settings_.seconds);
    return Finish();
  }

 private:
  double Elapsed() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() -
                                         begin_)
        .count();
  }
  bool Cancelled() const {
    return settings_.cancelled && settings_.cancelled();
  }
  bool TimeIsOver() const {
    return Elapsed() >= settings_.seconds || Cancelled();
  }
  bool Settled() const {
    return settings_.enough_micros &&
           (search_->worth() + 0.5 >
                static_cast<double>(*settings_.enough_micros) ||
            bound_ + 0.5 < static_cast<double>(*settings_.enough_micros));
  }
  double SumOfPay() const {
    double sum = 0;
    for (size_t i = 0; i < problem_.items().size(); ++i) {
      bool fits = false;
      for (size_t kind = 0; kind < problem_.kinds().size(); ++kind) {
        fits |= problem_.FitsAlone(kind, i);
      }
      sum += fits ? static_cast<double>(problem_.items()[i].pay_micros) : 0;
    }
    return sum;
  }
  double MoveCost(size_t item, size_t server) const {
    const bool moves = item < settings_.current.size() &&
                       settings_.current[item] &&
                       *settings_.current[item] != server;
    return moves ? static_cast<double>(settings_.move_cost_micros) : 0;
  }

  void Take(std::vector<ServerLoad> servers) {
    const auto worth = [this](size_t item, size_t server) {
      return static_cast<double>(problem_.items()[item].pay_micros) -
             MoveCost(item, server);
    };
    auto search = std::make_unique<Search>(problem_, std::move(servers), worth,
                                           settings_.seed);
    search->Fill();
    if (!search_) {
      answer_.first_seconds = Elapsed();
    }
    if (!search_ || search->worth() > search_->worth()) {
      search_ = std::move(search);
    }
  }

  // From where things stand (or from nothing), and as every baseline would: the
  // best of them whatever the time, which is short, the others while there is
  // enough.
  void Start() {
    std::vector<ServerLoad> now = EmptyServers(problem_);
    for (size_t i = 0; i < settings_.current.size(); ++i) {
      const auto& server = settings_.current[i];
      if (server && now[*server].CanAdd(i)) {
        now[*server].Add(i);
      }
    }
    Take(std::move(now));
    Take(PlaceBy(Baseline::kRelaxAndRound, problem_));
    const auto late = [this] {
      return Elapsed() > kStartPart * settings_.seconds || Cancelled();
    };
    if (!settings_.current.empty() && !late()) {
      Take(EmptyServers(problem_));
    }
    for (const Baseline baseline : kBaselines) {
      if (baseline != Baseline::kRelaxAndRound && !late()) {
        Take(PlaceBy(baseline, problem_));
      }
    }
  }

  double Gap() const {
    return bound_ > 0 ? std::max(0.0, 1 - search_->worth() / bound_) : 0;
  }

  void ImproveUntil(double seconds) {
    // Below a micro the worth cannot rise any more.
    while (Elapsed() < seconds && !Cancelled() && !Settled() &&
           Gap() > kNoGap && search_->worth() + 0.5 < bound_) {
      search_->Improve(kRounds);
    }
  }

  void WithColumns(Solver& solver, const Prices& prices) {
    std::vector<double> costs;
    for (size_t i = 0; i < problem_.items().size(); ++i) {
      costs.push_back(Surplus(problem_, prices, i));
    }
    Columns columns(problem_, solver);
    // The more is known at first, the fewer rounds are led astray.
    for (int i = 0; i < kFirstColumns && !Cancelled(); ++i) {
      columns.Add(search_->servers());
      search_->Improve(static_cast<int>(problem_.kinds().size()) * 4);
    }
    const double until = kBoundPart * settings_.seconds;
    bound_ = std::min(bound_, columns.Generate(std::move(costs), [&] {
      return Elapsed() > until || Cancelled();
    }));
    costs_ = columns.costs();
    search_->SetCosts(costs_);
    // Searching finds configurations, combining them finds placements.
    for (int k = kCombinations; k > 0 && !Done(); --k) {
      Wander(columns, (settings_.seconds - Elapsed()) / (2 * k));
      if (!Done()) {
        Combine(columns, 0.5 * (settings_.seconds - Elapsed()) / k);
      }
    }
  }

  bool Done() const {
    return TimeIsOver() || Settled() || Gap() <= kNoGap ||
           search_->worth() + 0.5 >= bound_;
  }

  // Cools down from keeping what is a little worse to keeping what is not.
  void Wander(Columns& columns, double seconds) {
    const double begin = Elapsed();
    const double hot =
        kHeat * search_->worth() / static_cast<double>(problem_.items().size());
    while (Elapsed() < begin + seconds && !Cancelled()) {
      const double part = (Elapsed() - begin) / seconds;
      search_->Improve(kRounds, hot * (1 - part) * (1 - part));
      columns.Add(search_->servers());
    }
    search_->TakeBest();
    columns.Add(search_->servers());
  }

  void Combine(Columns& columns, double seconds) {
    if (auto combined = columns.Combine(seconds); !combined.empty()) {
      Take(std::move(combined));
      search_->SetCosts(costs_);
    }
  }

  OptimiseAnswer Finish() {
    search_->Fill();
    answer_.assignment = AssignmentOf(problem_, search_->servers());
    answer_.revenue_micros = RevenueMicros(problem_, answer_.assignment);
    answer_.moves = CountMoves(settings_.current, answer_.assignment);
    answer_.moves_micros = answer_.moves * settings_.move_cost_micros;
    // Pay comes in whole micros, and so does any revenue.
    answer_.bound_micros =
        std::max(answer_.revenue_micros - answer_.moves_micros,
                 static_cast<int64_t>(std::floor(bound_ + 1e-3)));
    answer_.seconds = Elapsed();
    return std::move(answer_);
  }

  const Problem& problem_;
  const OptimiseSettings& settings_;
  std::chrono::steady_clock::time_point begin_ =
      std::chrono::steady_clock::now();
  std::unique_ptr<Search> search_;
  double bound_ = 0;
  std::vector<double> costs_;
  OptimiseAnswer answer_;
};

}  // namespace

double OptimiseAnswer::Gap() const {
  return bound_micros > 0 ? static_cast<double>(bound_micros - revenue_micros +
                                                moves_micros) /
                                static_cast<double>(bound_micros)
                          : 0;
}

int64_t CountMoves(const Assignment& current, const Assignment& assignment) {
  int64_t moves = 0;
  for (size_t i = 0; i < std::min(current.size(), assignment.size()); ++i) {
    moves += current[i] && assignment[i] && current[i] != assignment[i] ? 1 : 0;
  }
  return moves;
}

OptimiseAnswer Optimise(const Problem& problem,
                        const OptimiseSettings& settings) {
  return Run(problem, settings).Go();
}

}  // namespace edgewise::orchestration

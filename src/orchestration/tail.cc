#include "orchestration/tail.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace edgewise::orchestration {
namespace {

constexpr double kCloseEnough = 0.002;
constexpr double kShortestTryS = 0.3;

enum class Outcome { kFound, kImpossible, kUndecided };

class Cutting {
 public:
  Cutting(const Problem& problem, const Assignment& start,
          const OptimiseSettings& settings, double seconds)
      : problem_(problem), settings_(settings), seconds_(seconds) {
    answer_.assignment = start;
    answer_.worst_part = WorstPart(problem, start);
    revenue_ = RevenueMicros(problem, start);
  }

  TailAnswer Go() {
    double doubtful = 0;  // the largest part that was neither found nor refuted
    while (Left() > kShortestTryS && !Cancelled()) {
      const double low = std::max(answer_.bound, doubtful);
      const bool close =
          answer_.worst_part - low < kCloseEnough * answer_.worst_part;
      if (close && doubtful <= answer_.bound) {
        break;
      }
      // Where finding comes to an end, proving goes on below.
      const double part = close ? (answer_.bound + doubtful) / 2
                                : (low + answer_.worst_part) / 2;
      if (close &&
          doubtful - answer_.bound < kCloseEnough * answer_.worst_part) {
        break;
      }
      switch (Try(part)) {
        case Outcome::kFound:
          doubtful = std::min(doubtful, answer_.worst_part);
          break;
        case Outcome::kImpossible:
          answer_.bound = std::max(answer_.bound, part);
          break;
        case Outcome::kUndecided:
          doubtful = close ? part : std::max(doubtful, part);
          break;
      }
    }
    return std::move(answer_);
  }

 private:
  double Left() const {
    return seconds_ - std::chrono::duration<double>(
                          std::chrono::steady_clock::now() - begin_)
                          .count();
  }
  bool Cancelled() const {
    return settings_.cancelled && settings_.cancelled();
  }

  // Whether as much can be earned when only this part of delays may be used.
  Outcome Try(double part) {
    Instance instance = problem_.instance();
    // Rounded up, so that what is impossible here is so in truth.
    for (Request& request : instance.requests) {
      request.sla.delay_ns = std::max<int64_t>(
          1, static_cast<int64_t>(
                 std::ceil(part * static_cast<double>(request.sla.delay_ns))));
    }
    const auto stricter =
        Problem::Make(instance, problem_.predictor(), problem_.confidence());
    if (!stricter) {
      return Outcome::kUndecided;
    }
    OptimiseSettings settings = settings_;
    settings.seconds = std::max(kShortestTryS, Left() / 4);
    settings.current = answer_.assignment;
    settings.move_cost_micros = 0;
    settings.enough_micros = revenue_;
    const OptimiseAnswer found = Optimise(*stricter, settings);
    if (found.revenue_micros >= revenue_) {
      answer_.assignment = found.assignment;
      answer_.worst_part =
          std::min(answer_.worst_part, WorstPart(problem_, found.assignment));
      return Outcome::kFound;
    }
    return found.bound_micros < revenue_ ? Outcome::kImpossible
                                         : Outcome::kUndecided;
  }

  const Problem& problem_;
  const OptimiseSettings& settings_;
  const double seconds_;
  const std::chrono::steady_clock::time_point begin_ =
      std::chrono::steady_clock::now();
  int64_t revenue_ = 0;
  TailAnswer answer_;
};

}  // namespace

double WorstPart(const Problem& problem, const Assignment& assignment) {
  const Instance& instance = problem.instance();
  const Predictor& predictor = problem.predictor();
  std::vector<std::vector<size_t>> on(instance.servers.size());
  for (size_t i = 0; i < assignment.size(); ++i) {
    if (assignment[i]) {
      on[*assignment[i]].push_back(i);
    }
  }
  double worst = 0;
  for (size_t s = 0; s < on.size(); ++s) {
    std::vector<double> felt(problem.apps(), -1);  // as needed
    for (const size_t i : on[s]) {
      const Item& item = problem.items()[i];
      const int rank = instance.servers[s].rank;
      if (felt[item.app] < 0) {
        felt[item.app] = 0;
        for (const size_t j : on[s]) {
          felt[item.app] +=
              predictor.Felt(item.app, problem.items()[j].load, rank);
        }
      }
      const Sla& sla = instance.requests[i].sla;
      const auto response = predictor.Predict(
          item.load, rank, felt[item.app], sla.quantile, problem.confidence());
      worst = std::max(
          worst, response
                     ? response->high_ns / static_cast<double>(sla.delay_ns)
                     : std::numeric_limits<double>::infinity());
    }
  }
  return worst;
}

TailAnswer LowerTail(const Problem& problem, const Assignment& start,
                     const OptimiseSettings& settings, double seconds) {
  return Cutting(problem, start, settings, seconds).Go();
}

}  // namespace edgewise::orchestration

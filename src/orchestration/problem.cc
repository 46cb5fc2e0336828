#include "orchestration/problem.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/nearest.h"

namespace edgewise::orchestration {
namespace {

constexpr double kBillionth = 1e-9;
// More pressure than anything stands; sums of 100,000 such stay within 64 bits.
constexpr int64_t kTooMuch = int64_t{1} << 44;
constexpr int kHalvings = 60;

int64_t RoundedUp(double pressure) {
  const double billionths = std::ceil(pressure / kBillionth);
  return billionths < static_cast<double>(kTooMuch)
             ? static_cast<int64_t>(billionths)
             : kTooMuch;
}

// More than any server has counts as twice that: sums of 100,000 such stay
// within 64 bits.
int64_t TotalMemory(int64_t bytes, int replicas) {
  return bytes > kMostMemory / replicas ? 2 * kMostMemory : bytes * replicas;
}

}  // namespace

Result<void> Problem::AddItem(const Request& request) {
  const auto& names = predictor_->AppNames();
  const auto found = std::find(names.begin(), names.end(), request.app);
  if (found == names.end()) {
    const auto near = Nearest(request.app, names);
    return Error{ErrorCode::kInvalid,
                 "request " + request.name + ": nothing is known of the app " +
                     request.app +
                     (near ? " (did you mean " + *near + "?)" : "") +
                     ": measure how it bears pressure with edgewise contend "
                     "sensitivity and add it to the pressures"};
  }
  Item item;
  item.app = static_cast<size_t>(found - names.begin());
  item.pay_micros = request.pay_micros;
  item.load = {item.app, request.replicas, request.rate_per_s};
  const auto memory = request.memory_bytes ? request.memory_bytes
                                           : predictor_->MemoryBytes(item.app);
  if (!memory) {
    return Error{ErrorCode::kInvalid,
                 "request " + request.name + ": the memory of " + request.app +
                     " is not known: give \"memory\" in the request or in the "
                     "pressures"};
  }
  item.memory_bytes = TotalMemory(*memory, request.replicas);
  items_.push_back(item);
  return {};
}

int64_t Problem::FindTolerance(const Item& item, const Sla& sla,
                               int rank) const {
  const auto holds = [&](int64_t billionths) {
    const auto response = predictor_->Predict(
        item.load, rank, static_cast<double>(billionths) * kBillionth,
        sla.quantile, confidence_);
    return response && response->high_ns <= static_cast<double>(sla.delay_ns);
  };
  if (!holds(0)) {
    return kNoTolerance;
  }
  int64_t good = 0;
  int64_t bad = kTooMuch;
  for (int i = 0; i < kHalvings && bad - good > 1; ++i) {
    const int64_t middle = good + (bad - good) / 2;
    (holds(middle) ? good : bad) = middle;
  }
  return good;
}

void Problem::AddRank(int rank, ToleranceMemo& memo) {
  std::vector<int64_t> felt;
  std::vector<int64_t> tolerance;
  felt.reserve(items_.size() * apps_);
  for (size_t i = 0; i < items_.size(); ++i) {
    for (size_t app = 0; app < apps_; ++app) {
      felt.push_back(RoundedUp(predictor_->Felt(app, items_[i].load, rank)));
    }
    const Sla& sla = instance_->requests[i].sla;
    tolerance.push_back(memo.Get(items_[i].load, sla, rank, [&] {
      return FindTolerance(items_[i], sla, rank);
    }));
  }
  felt_.push_back(std::move(felt));
  tolerance_.push_back(std::move(tolerance));
}

// Each app's scale is divided by how much it feels on the whole, which brings
// the apps close to each other; the least of them is then on the safe side.
void Problem::AddCommonScale(size_t rank) {
  std::vector<double> scale(apps_, 0);
  std::vector<bool> asked(apps_, false);
  for (size_t i = 0; i < items_.size(); ++i) {
    asked[items_[i].app] = true;
    for (size_t app = 0; app < apps_; ++app) {
      scale[app] += static_cast<double>(Felt(rank, i)[app]);
    }
  }
  std::vector<double> pressure;
  std::vector<double> tolerance;
  for (size_t i = 0; i < items_.size(); ++i) {
    double least = std::numeric_limits<double>::infinity();
    for (size_t app = 0; app < apps_; ++app) {
      if (asked[app]) {
        const double felt = static_cast<double>(Felt(rank, i)[app]);
        least = std::min(least, scale[app] > 0 ? felt / scale[app] : 0);
      }
    }
    const double own = scale[items_[i].app];
    pressure.push_back(least);
    tolerance.push_back(own > 0 ? static_cast<double>(Tolerance(rank, i)) / own
                                : 1.0);
  }
  common_pressure_.push_back(std::move(pressure));
  common_tolerance_.push_back(std::move(tolerance));
}

bool Problem::FitsAlone(size_t kind, size_t item) const {
  const ServerKind& server = kinds_[kind];
  return items_[item].memory_bytes <= server.memory_bytes &&
         Felt(server.rank, item)[items_[item].app] <=
             Tolerance(server.rank, item);
}

Result<Problem> Problem::Make(const Instance& instance,
                              const Predictor& predictor, double confidence) {
  ToleranceMemo memo;  // requests may be alike
  return Make(instance, predictor, confidence, memo);
}

Result<Problem> Problem::Make(const Instance& instance,
                              const Predictor& predictor, double confidence,
                              ToleranceMemo& memo) {
  Problem problem;
  problem.instance_ = &instance;
  problem.predictor_ = &predictor;
  problem.confidence_ = confidence;
  problem.apps_ = predictor.AppNames().size();
  for (const Request& request : instance.requests) {
    if (const auto added = problem.AddItem(request); !added) {
      return added.error();
    }
  }
  std::map<int, size_t> rank_index;
  std::map<std::pair<int, int64_t>, size_t> kind_index;
  for (size_t s = 0; s < instance.servers.size(); ++s) {
    const Server& server = instance.servers[s];
    if (!predictor.KnowsRank(server.rank)) {
      return Error{ErrorCode::kInvalid,
                   "server " + server.name + ": nothing is known of rank " +
                       std::to_string(server.rank) +
                       ": add it to the ranks of the pressures"};
    }
    if (rank_index.emplace(server.rank, problem.ranks_.size()).second) {
      problem.ranks_.push_back(server.rank);
      problem.AddRank(server.rank, memo);
      problem.AddCommonScale(problem.ranks_.size() - 1);
    }
    const auto [at, added] = kind_index.emplace(
        std::pair(server.rank, server.memory_bytes), problem.kinds_.size());
    if (added) {
      problem.kinds_.push_back(
          {rank_index[server.rank], server.memory_bytes, {}});
    }
    problem.kinds_[at->second].servers.push_back(s);
    problem.kind_of_.push_back(at->second);
  }
  return problem;
}

}  // namespace edgewise::orchestration

#include "orchestration/server_load.h"

#include <algorithm>
#include <limits>

namespace edgewise::orchestration {
namespace {

constexpr int64_t kNone = std::numeric_limits<int64_t>::max();

}  // namespace

ServerLoad::ServerLoad(const Problem& problem, size_t kind)
    : problem_(&problem),
      kind_(kind),
      rank_(problem.kinds()[kind].rank),
      capacity_bytes_(problem.kinds()[kind].memory_bytes),
      felt_(problem.apps(), 0),
      least_tolerance_(problem.apps(), kNone) {}

bool ServerLoad::CanAdd(size_t item) const {
  const Item& candidate = problem_->items()[item];
  if (candidate.memory_bytes > free_memory_bytes()) {
    return false;
  }
  const int64_t* const more = problem_->Felt(rank_, item);
  if (felt_[candidate.app] + more[candidate.app] >
      problem_->Tolerance(rank_, item)) {
    return false;
  }
  for (size_t app = 0; app < felt_.size(); ++app) {
    if (felt_[app] + more[app] > least_tolerance_[app]) {
      return false;
    }
  }
  return true;
}

void ServerLoad::Add(size_t item) {
  const int64_t* const more = problem_->Felt(rank_, item);
  for (size_t app = 0; app < felt_.size(); ++app) {
    felt_[app] += more[app];
  }
  const Item& added = problem_->items()[item];
  memory_bytes_ += added.memory_bytes;
  least_tolerance_[added.app] =
      std::min(least_tolerance_[added.app], problem_->Tolerance(rank_, item));
  items_.push_back(item);
}

void ServerLoad::Remove(size_t item) {
  const auto at = std::find(items_.begin(), items_.end(), item);
  *at = items_.back();
  items_.pop_back();
  const int64_t* const less = problem_->Felt(rank_, item);
  for (size_t app = 0; app < felt_.size(); ++app) {
    felt_[app] -= less[app];
  }
  const size_t app = problem_->items()[item].app;
  memory_bytes_ -= problem_->items()[item].memory_bytes;
  least_tolerance_[app] = kNone;
  for (const size_t other : items_) {
    if (problem_->items()[other].app == app) {
      least_tolerance_[app] =
          std::min(least_tolerance_[app], problem_->Tolerance(rank_, other));
    }
  }
}

void ServerLoad::Clear() {
  items_.clear();
  memory_bytes_ = 0;
  std::fill(felt_.begin(), felt_.end(), 0);
  std::fill(least_tolerance_.begin(), least_tolerance_.end(), kNone);
}

double ServerLoad::Strain() const {
  double strain = 0;
  for (size_t app = 0; app < felt_.size(); ++app) {
    if (least_tolerance_[app] != kNone) {
      strain = std::max(
          strain,
          static_cast<double>(felt_[app]) /
              std::max<double>(1, static_cast<double>(least_tolerance_[app])));
    }
  }
  return strain;
}

std::vector<ServerLoad> EmptyServers(const Problem& problem) {
  std::vector<ServerLoad> servers;
  servers.reserve(problem.instance().servers.size());
  for (size_t s = 0; s < problem.instance().servers.size(); ++s) {
    servers.emplace_back(problem, problem.KindOf(s));
  }
  return servers;
}

Assignment AssignmentOf(const Problem& problem,
                        const std::vector<ServerLoad>& servers) {
  Assignment assignment(problem.items().size());
  for (size_t s = 0; s < servers.size(); ++s) {
    for (const size_t item : servers[s].items()) {
      assignment[item] = s;
    }
  }
  return assignment;
}

int64_t RevenueMicros(const Problem& problem, const Assignment& assignment) {
  int64_t micros = 0;
  for (size_t i = 0; i < assignment.size(); ++i) {
    micros += assignment[i] ? problem.items()[i].pay_micros : 0;
  }
  return micros;
}

std::string FindBrokenPromise(const Problem& problem,
                              const Assignment& assignment) {
  const Instance& instance = problem.instance();
  const Predictor& predictor = problem.predictor();
  std::vector<std::vector<size_t>> on(instance.servers.size());
  for (size_t i = 0; i < assignment.size(); ++i) {
    if (assignment[i]) {
      on[*assignment[i]].push_back(i);
    }
  }
  for (size_t s = 0; s < on.size(); ++s) {
    const Server& server = instance.servers[s];
    int64_t free = server.memory_bytes;
    for (const size_t i : on[s]) {
      if (problem.items()[i].memory_bytes > free) {
        return server.name + " has too little memory";
      }
      free -= problem.items()[i].memory_bytes;
      double felt = 0;
      for (const size_t j : on[s]) {
        felt += predictor.Felt(problem.items()[i].app, problem.items()[j].load,
                               server.rank);
      }
      const Sla& sla = instance.requests[i].sla;
      const auto response =
          predictor.Predict(problem.items()[i].load, server.rank, felt,
                            sla.quantile, problem.confidence());
      // What rounding to billionths may hide from the sum above.
      constexpr double kRounding = 1 + 1e-6;
      if (!response ||
          response->high_ns > static_cast<double>(sla.delay_ns) * kRounding) {
        return instance.requests[i].name + " would be late on " + server.name;
      }
    }
  }
  return "";
}

}  // namespace edgewise::orchestration

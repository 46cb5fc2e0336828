#include "orchestration/simulate.h"

#include <algorithm>

#include "orchestration/replay.h"

namespace edgewise::orchestration {
namespace {

constexpr double kNsPerS = 1e9;
constexpr uint64_t kSeedsApart = 1'000'003;

PromiseSeen Judge(const Sla& sla, const std::vector<Answer>& answers,
                  double end_s) {
  const double delay_s = static_cast<double>(sla.delay_ns) / kNsPerS;
  std::vector<double> response_ns;
  for (const Answer& answer : answers) {
    if (answer.arrival_s + delay_s <= end_s) {
      response_ns.push_back(answer.response_s * kNsPerS);
    }
  }
  return SeePromise(sla, response_ns);
}

void SimulateServer(const Problem& problem, const PressureFigures& figures,
                    size_t s, const std::vector<size_t>& requests,
                    const SimulateSettings& settings,
                    std::vector<PromiseSeen>* seen) {
  const Server& server = problem.instance().servers[s];
  ReplayServer replayed;
  for (const PressureRank& rank : figures.ranks) {
    replayed.rank = rank.rank == server.rank ? &rank : replayed.rank;
  }
  if (!server.cpus.empty()) {
    replayed.cores = static_cast<double>(server.cpus.size());
  }
  std::vector<ReplayTenant> tenants;
  for (const size_t request : requests) {
    const Request& asked = problem.instance().requests[request];
    tenants.push_back({&figures.apps[problem.items()[request].app],
                       asked.replicas, asked.rate_per_s, std::nullopt});
  }
  ReplaySettings replay;
  replay.seconds = settings.seconds;
  replay.warmup_s = settings.warmup_s;
  replay.queue = settings.queue;
  replay.seed = settings.seed * kSeedsApart + s;
  const auto answers = Replay(figures, replayed, tenants, replay);
  for (size_t i = 0; i < requests.size(); ++i) {
    (*seen)[requests[i]] =
        Judge(problem.instance().requests[requests[i]].sla, answers[i],
              settings.warmup_s + settings.seconds);
  }
}

}  // namespace

std::vector<PromiseSeen> Simulate(const Problem& problem,
                                  const PressureFigures& figures,
                                  const Assignment& assignment,
                                  const SimulateSettings& settings) {
  std::vector<std::vector<size_t>> on(problem.instance().servers.size());
  for (size_t i = 0; i < assignment.size(); ++i) {
    if (assignment[i]) {
      on[*assignment[i]].push_back(i);
    }
  }
  std::vector<PromiseSeen> seen(assignment.size());
  for (size_t s = 0; s < on.size(); ++s) {
    if (!on[s].empty()) {
      SimulateServer(problem, figures, s, on[s], settings, &seen);
    }
  }
  return seen;
}

}  // namespace edgewise::orchestration

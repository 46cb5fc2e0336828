#include "orchestration/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/units.h"
#include "orchestration/promise_text.h"

namespace edgewise::orchestration {
namespace {

constexpr char kTooSlow[] =
    "its queue would grow without end on every server, even alone: lower the "
    "rate of each replica";
constexpr char kTooMuchAlone[] =
    "its own replicas would press harder on each other, on every server, than "
    "was ever measured: give it fewer, or \"spread: true\"";

std::string MemoryText(int64_t bytes) {
  return (bytes > kMostMemory ? "more than " : "") +
         FormatBytes(static_cast<double>(std::min(bytes, kMostMemory)));
}

// Where there is no prediction: whether it lacks because of the pressure, not
// because of a queue. The same pressure of others on a replica that is hardly
// ever asked tells.
bool IsBeyondMeasured(const Predictor& predictor, const Load& load, int rank,
                      double pressure) {
  constexpr double kHardlyEver = 1e-9;
  const Load idle{load.app, load.replicas, kHardlyEver};
  const double others =
      pressure - predictor.Felt(load.app, {load.app, 1, load.rate_per_s}, rank);
  const double own = predictor.Felt(load.app, {load.app, 1, kHardlyEver}, rank);
  return !predictor.Predict(idle, rank, others + own, 0.5, 0.5);
}

// What stands against the item on any server even when that is empty; empty:
// nothing.
std::string WhyNotAlone(const Problem& problem, size_t item) {
  int64_t most_memory = 0;
  bool beyond_measured = false;
  std::optional<ResponseTime> best;
  const Request& request = problem.instance().requests[item];
  const Item& asked = problem.items()[item];
  for (size_t kind = 0; kind < problem.kinds().size(); ++kind) {
    if (problem.FitsAlone(kind, item)) {
      return "";
    }
    const ServerKind& servers = problem.kinds()[kind];
    most_memory = std::max(most_memory, servers.memory_bytes);
    const int rank = problem.instance().servers[servers.servers[0]].rank;
    const double felt = problem.predictor().Felt(asked.app, asked.load, rank);
    const auto alone = problem.predictor().Predict(
        asked.load, rank, felt, request.sla.quantile, problem.confidence());
    beyond_measured |=
        !alone && IsBeyondMeasured(problem.predictor(), asked.load, rank, felt);
    if (alone && (!best || alone->high_ns < best->high_ns)) {
      best = alone;
    }
  }
  if (asked.memory_bytes > most_memory) {
    return fmt::format("it needs {} and no server has more than {}",
                       MemoryText(asked.memory_bytes), MemoryText(most_memory));
  }
  if (!best) {
    return beyond_measured ? kTooMuchAlone : kTooSlow;
  }
  return fmt::format(
      "even alone on a server its p{:.6g} is {} and may be {}, above the {} "
      "that are promised",
      request.sla.quantile * 100, FormatDuration(best->estimate_ns),
      FormatDuration(best->high_ns),
      FormatDuration(static_cast<double>(request.sla.delay_ns)));
}

}  // namespace

std::string WhyRefused(const Problem& problem,
                       const std::vector<ServerLoad>& servers, size_t item) {
  if (std::string alone = WhyNotAlone(problem, item); !alone.empty()) {
    return alone;
  }
  int64_t memory = 0;
  int64_t itself = 0;
  int64_t neighbour = 0;
  const Item& asked = problem.items()[item];
  for (const ServerLoad& server : servers) {
    const size_t rank = problem.kinds()[server.kind()].rank;
    if (asked.memory_bytes > server.free_memory_bytes()) {
      ++memory;
    } else if (server.Felt(asked.app) + problem.Felt(rank, item)[asked.app] >
               problem.Tolerance(rank, item)) {
      ++itself;
    } else if (!server.CanAdd(item)) {
      ++neighbour;
    } else {
      return asked.pay_micros == 0
                 ? "it would fit, but it pays nothing"
                 : "it would fit, but moving it costs more than it pays, or it "
                   "was not tried in time";
    }
  }
  return fmt::format(
      "of {}, {} would make it late, {} would make a neighbour late and {} "
      "lack memory; no exchange that earns more was found",
      FormatCount(static_cast<int64_t>(servers.size()), "server"), itself,
      neighbour, memory);
}

std::string WhyNotOn(const Problem& problem, const ServerLoad& server,
                     size_t item) {
  if (server.CanAdd(item)) {
    return "";
  }
  const ServerKind& kind = problem.kinds()[server.kind()];
  const Item& asked = problem.items()[item];
  const Request& request = problem.instance().requests[item];
  if (asked.memory_bytes > server.free_memory_bytes()) {
    return fmt::format(
        "it needs {} and {} are free", MemoryText(asked.memory_bytes),
        MemoryText(std::max<int64_t>(0, server.free_memory_bytes())));
  }
  if (server.Felt(asked.app) + problem.Felt(kind.rank, item)[asked.app] >
      problem.Tolerance(kind.rank, item)) {
    const int rank = problem.instance().servers[kind.servers[0]].rank;
    const double felt =
        static_cast<double>(server.Felt(asked.app) +
                            problem.Felt(kind.rank, item)[asked.app]) *
        1e-9;
    const auto then = problem.predictor().Predict(
        asked.load, rank, felt, request.sla.quantile, problem.confidence());
    if (!then) {
      return IsBeyondMeasured(problem.predictor(), asked.load, rank, felt)
                 ? "it would feel more pressure than was ever measured"
                 : "its queue would grow without end";
    }
    return fmt::format(
        "its {} would be {} and may be {}, above {}",
        QuantileText(request.sla.quantile), FormatDuration(then->estimate_ns),
        FormatDuration(then->high_ns),
        FormatDuration(static_cast<double>(request.sla.delay_ns)));
  }
  for (const size_t other : server.items()) {
    const size_t app = problem.items()[other].app;
    if (server.Felt(app) + problem.Felt(kind.rank, item)[app] >
        problem.Tolerance(kind.rank, other)) {
      return problem.instance().requests[other].name +
             " would break its promise";
    }
  }
  return "a promise would be broken";
}

Result<void> CheckEachFits(const Problem& problem) {
  int64_t least = std::numeric_limits<int64_t>::max();
  for (const Item& item : problem.items()) {
    least = std::min(least, item.memory_bytes);
  }
  for (const Server& server : problem.instance().servers) {
    if (server.memory_bytes < least) {
      return Error{
          ErrorCode::kInvalid,
          fmt::format("server {} has {}, less than any request needs ({}): "
                      "correct its memory or leave it out",
                      server.name,
                      FormatBytes(static_cast<double>(server.memory_bytes)),
                      FormatBytes(static_cast<double>(least)))};
    }
  }
  for (size_t i = 0; i < problem.items().size(); ++i) {
    if (const std::string why = WhyNotAlone(problem, i); !why.empty()) {
      return Error{ErrorCode::kInvalid,
                   "no server can hold the request " +
                       problem.instance().requests[i].name + ": " + why};
    }
  }
  return {};
}

std::optional<size_t> Admit(const std::vector<ServerLoad>& servers,
                            size_t item) {
  std::optional<size_t> best;
  double least_strain = 0;
  for (size_t s = 0; s < servers.size(); ++s) {
    if (servers[s].CanAdd(item)) {
      ServerLoad with = servers[s];
      with.Add(item);
      if (const double strain = with.Strain(); !best || strain < least_strain) {
        best = s;
        least_strain = strain;
      }
    }
  }
  return best;
}

std::vector<ServerLoad> ServersOf(const Problem& problem,
                                  const Assignment& assignment) {
  std::vector<ServerLoad> servers = EmptyServers(problem);
  for (size_t i = 0; i < assignment.size(); ++i) {
    if (assignment[i]) {
      servers[*assignment[i]].Add(i);
    }
  }
  return servers;
}

}  // namespace edgewise::orchestration

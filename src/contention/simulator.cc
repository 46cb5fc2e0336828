#include "contention/simulator.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "contention/median.h"
#include "orchestration/replay.h"

namespace edgewise::contention {
namespace {

using orchestration::Answer;

constexpr double kMsPerS = 1e3;
constexpr int kReplays = 25;
constexpr double kWarmupS = 1;  // as campaigns have it
// Where nobody says how long a deployment was measured.
constexpr double kUsualSeconds = 10;

// Of one replay; nullopt: it did not keep up.
std::optional<Figures> FiguresOf(const std::vector<Answer>& answers,
                                 double end_s) {
  std::vector<double> response_ms;
  int64_t late = 0;
  for (const Answer& answer : answers) {
    late += answer.arrival_s + answer.response_s > end_s ? 1 : 0;
    response_ms.push_back(answer.response_s * kMsPerS);
  }
  if (response_ms.empty() ||
      IsSaturated(late, static_cast<int64_t>(answers.size()))) {
    return std::nullopt;
  }
  std::sort(response_ms.begin(), response_ms.end());
  Figures figures{std::accumulate(response_ms.begin(), response_ms.end(), 0.0) /
                  static_cast<double>(response_ms.size())};
  for (size_t f = 1; f < kFigures; ++f) {
    figures[f] = AtPart(response_ms, kQuantiles[f]);
  }
  return std::isfinite(figures[kMean]) ? std::optional(figures) : std::nullopt;
}

// Figure by figure, if most replays kept up.
std::optional<Figures> MedianOf(const std::vector<Figures>& replays) {
  if (2 * replays.size() <= kReplays) {
    return std::nullopt;
  }
  Figures figures{};
  for (size_t f = 0; f < kFigures; ++f) {
    std::vector<double> values;
    for (const Figures& replay : replays) {
      values.push_back(replay[f]);
    }
    figures[f] = Median(std::move(values));
  }
  return figures;
}

}  // namespace

Simulator::Simulator(orchestration::PressureFigures figures,
                     std::vector<int> ranks, std::vector<double> cores)
    : figures_(std::move(figures)),
      ranks_(std::move(ranks)),
      cores_(std::move(cores)) {}

std::vector<std::optional<Figures>> Simulator::Predict(
    const Deployment& deployment) const {
  orchestration::ReplayServer server;
  server.cores = cores_[deployment.server];
  for (const orchestration::PressureRank& rank : figures_.ranks) {
    server.rank = rank.rank == ranks_[deployment.server] ? &rank : server.rank;
  }
  std::vector<orchestration::ReplayTenant> tenants;
  for (const Tenant& tenant : deployment.tenants) {
    tenants.push_back({&figures_.apps[tenant.app], tenant.replicas,
                       tenant.rate_per_s, tenant.quota_cores});
  }
  orchestration::ReplaySettings settings;
  settings.warmup_s = kWarmupS;
  settings.seconds = deployment.seconds.value_or(kUsualSeconds);
  settings.follow_s = settings.seconds;
  std::vector<std::vector<Figures>> seen(tenants.size());
  for (int replay = 0; replay < kReplays; ++replay) {
    settings.seed = static_cast<uint64_t>(replay + 1);
    const auto answers = Replay(figures_, server, tenants, settings);
    for (size_t t = 0; t < tenants.size(); ++t) {
      if (const auto figures =
              FiguresOf(answers[t], kWarmupS + settings.seconds)) {
        seen[t].push_back(*figures);
      }
    }
  }
  std::vector<std::optional<Figures>> predictions;
  for (const std::vector<Figures>& replays : seen) {
    predictions.push_back(deployment.stress ? std::nullopt : MedianOf(replays));
  }
  return predictions;
}

}  // namespace edgewise::contention

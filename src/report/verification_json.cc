#include "report/json_writer.h"
#include "report/verification_text.h"

namespace edgewise {
namespace {

using namespace orchestration;  // NOLINT(google-build-using-namespace)

std::string SeenJson(const PromiseSeen& seen) {
  const auto ms = [](std::optional<double> ns) {
    return ns ? std::optional(*ns / 1e6) : std::nullopt;
  };
  return JsonObject()
      .AddInt("requests", seen.requests)
      .AddInt("late", seen.late)
      .AddNumber("quantile_ms", ms(seen.quantile_ns))
      .AddNumber("low_ms", ms(seen.low_ns))
      .AddNumber("high_ms", ms(seen.high_ns))
      .AddString("verdict", VerdictName(seen.verdict))
      .text();
}

}  // namespace

std::optional<ResponseTime> PredictedOf(const Problem& problem,
                                        const Assignment& assignment,
                                        size_t request) {
  const size_t server = *assignment[request];
  const int rank = problem.instance().servers[server].rank;
  const Item& item = problem.items()[request];
  double felt = 0;
  for (size_t j = 0; j < assignment.size(); ++j) {
    if (assignment[j] == server) {
      felt += problem.predictor().Felt(item.app, problem.items()[j].load, rank);
    }
  }
  return problem.predictor().Predict(
      item.load, rank, felt, problem.instance().requests[request].sla.quantile,
      problem.confidence());
}

VerdictCount CountVerdicts(const Verification& verification,
                           const VerifiedPlacement& placement) {
  VerdictCount count;
  for (size_t i = 0; i < placement.assignment.size(); ++i) {
    if (!placement.assignment[i]) {
      continue;
    }
    switch (placement.seen()[i].verdict) {
      case Verdict::kKept:
        ++count.kept;
        count.kept_micros += verification.problem.items()[i].pay_micros;
        break;
      case Verdict::kBroken:
        ++count.broken;
        break;
      case Verdict::kClose:
      case Verdict::kUnknown:
        ++count.unknown;
    }
  }
  return count;
}

std::string VerificationJson(const Verification& verification) {
  JsonArray placements;
  for (const VerifiedPlacement& placement : verification.placements) {
    const VerdictCount count = CountVerdicts(verification, placement);
    JsonArray promises;
    for (size_t i = 0; i < placement.assignment.size(); ++i) {
      if (!placement.assignment[i]) {
        continue;
      }
      const Request& request = verification.problem.instance().requests[i];
      const auto predicted =
          PredictedOf(verification.problem, placement.assignment, i);
      JsonObject promise;
      promise.AddString("request", request.name)
          .AddString("server", verification.problem.instance()
                                   .servers[*placement.assignment[i]]
                                   .name)
          .AddNumber("quantile", request.sla.quantile)
          .AddNumber("delay_ms",
                     static_cast<double>(request.sla.delay_ns) / 1e6)
          .AddNumber("predicted_ms",
                     predicted ? std::optional(predicted->estimate_ns / 1e6)
                               : std::nullopt)
          .AddNumber("predicted_high_ms",
                     predicted ? std::optional(predicted->high_ns / 1e6)
                               : std::nullopt)
          .Add("simulated", SeenJson(placement.simulated[i]))
          .Add("measured", placement.measured.empty()
                               ? "null"
                               : SeenJson(placement.measured[i]));
      promises.Add(promise.text());
    }
    placements.Add(JsonObject()
                       .AddString("placed_by", placement.placed_by)
                       .AddInt("kept", count.kept)
                       .AddInt("broken", count.broken)
                       .AddInt("not_known", count.unknown)
                       .Add("promises", promises.text())
                       .text());
  }
  return JsonObject()
      .Add("measured", verification.only_simulated.empty() ? "true" : "false")
      .AddString("only_simulated", verification.only_simulated)
      .AddNumber("seconds", verification.seconds)
      .AddNumber("seconds_needed", verification.SecondsNeeded())
      .AddNumber("risk", verification.risk())
      .Add("placements", placements.text())
      .text();
}

}  // namespace edgewise

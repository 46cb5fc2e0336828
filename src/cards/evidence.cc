#include "cards/evidence.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <utility>

#include "base/units.h"

namespace edgewise {
namespace {

template <typename T>
void Put(std::vector<std::pair<std::string, std::string>>& pairs,
         const char* key, const T& value) {
  std::string text = fmt::format("{}", value);
  if (!text.empty()) {
    pairs.emplace_back(key, std::move(text));
  }
}

template <typename T>
void PutKnown(std::vector<std::pair<std::string, std::string>>& pairs,
              const char* key, const std::optional<T>& value) {
  if (value) {
    Put(pairs, key, *value);
  }
}

}  // namespace

std::optional<double> WholeNsAsMs(std::optional<double> ns) {
  return ns ? std::optional(std::round(*ns) / 1e6) : std::nullopt;
}

CardEvidence EvidenceOf(std::span<const Run> runs, const std::string& span,
                        const stats::SpanSummary& summary) {
  CardEvidence evidence;
  for (const Run& run : runs) {
    evidence.runs.push_back(run.id);
  }
  evidence.span = span;
  evidence.n = summary.count;
  if (summary.n_effective) {
    evidence.n_effective = std::round(*summary.n_effective * 10) / 10;
  }
  const std::array<std::pair<double, const std::optional<stats::Estimate>*>, 5>
      quantiles{{{0.5, &summary.p50},
                 {0.9, &summary.p90},
                 {0.95, &summary.p95},
                 {0.99, &summary.p99},
                 {0.999, &summary.p999}}};
  for (const auto& [p, estimate] : quantiles) {
    if (*estimate && (*estimate)->value > 0) {
      evidence.quantiles.push_back({p, *WholeNsAsMs((*estimate)->value),
                                    WholeNsAsMs((*estimate)->low),
                                    WholeNsAsMs((*estimate)->high)});
    }
  }
  const Conditions& conditions = runs.front().conditions;
  auto& asked = evidence.conditions;
  Put(asked, "cpus", FormatCpuList(conditions.cpus));
  PutKnown(asked, "frequency_khz", conditions.frequency_khz);
  PutKnown(asked, "threads", conditions.threads);
  PutKnown(asked, "nice", conditions.nice);
  Put(asked, "policy", conditions.policy);
  PutKnown(asked, "cpu_quota_cores", conditions.cpu_quota_cores);
  PutKnown(asked, "memory_limit_bytes", conditions.memory_limit_bytes);
  PutKnown(asked, "warmup_ns", conditions.warmup_ns);
  const Machine& machine = runs.front().machine;
  auto& node = evidence.machine;
  Put(node, "hostname", machine.hostname);
  Put(node, "board", machine.board);
  Put(node, "cpu_model", machine.cpu_model);
  Put(node, "architecture", machine.architecture);
  if (machine.cores > 0) {
    Put(node, "cores", machine.cores);
  }
  if (machine.memory_bytes > 0) {
    Put(node, "memory_bytes", machine.memory_bytes);
  }
  Put(node, "kernel", machine.kernel);
  Put(node, "governor", machine.governor);
  Put(node, "virtualization", machine.virtualization);
  Put(node, "fingerprint", machine.fingerprint);
  return evidence;
}

}  // namespace edgewise

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/yaml_scalar.h"
#include "cards/card.h"
#include "cards/card_keys.h"

namespace edgewise {
namespace {

constexpr std::string_view kUnits =
    "# What this app needs on this kind of machine (edgewise card).\n"
    "# *_ms: milliseconds. rss_mb: MiB, largest process. cpu_share_percent: "
    "CPU time\n"
    "# over wall time x 100, all threads (200 is two cores kept busy).\n";
constexpr std::string_view kGpuUnits =
    "# gpu_memory_mb: MiB, peak. gpu_bandwidth_gbs: 10^9 bytes a second of GPU "
    "memory.\n";

class YamlLines {
 public:
  void Number(std::string_view key, std::optional<double> value) {
    if (value) {
      text_ += fmt::format("{}: {}\n", key, *value);
    }
  }
  void Text(std::string_view key, std::string_view value) {
    if (!value.empty()) {
      text_ += fmt::format("{}: {}\n", key, YamlScalar(value));
    }
  }
  void Raw(std::string_view line) { text_ += line; }
  std::string Take() { return std::move(text_); }

 private:
  std::string text_;
};

void WritePairs(YamlLines& out, std::string_view key,
                const std::vector<std::pair<std::string, std::string>>& pairs) {
  if (pairs.empty()) {
    return;
  }
  out.Raw(fmt::format("  {}:\n", key));
  for (const auto& [name, value] : pairs) {
    out.Raw(fmt::format("    {}: {}\n", YamlScalar(name), YamlScalar(value)));
  }
}

void WriteEvidence(YamlLines& out, const CardEvidence& evidence) {
  std::vector<std::string> runs;
  for (const std::string& run : evidence.runs) {
    runs.push_back(YamlScalar(run));
  }
  out.Raw(fmt::format("evidence:\n  runs: [{}]\n", Join(runs, ", ")));
  out.Text("  span", evidence.span);
  if (evidence.n > 0) {
    out.Raw(fmt::format("  n: {}\n", evidence.n));
  }
  out.Number("  n_effective", evidence.n_effective);
  if (!evidence.quantiles.empty()) {
    out.Raw("  quantiles:  # with 95% intervals where samples suffice\n");
    for (const CardQuantile& quantile : evidence.quantiles) {
      std::string line = fmt::format("    - {{p: {}, value_ms: {}", quantile.p,
                                     quantile.value_ms);
      if (quantile.low_ms) {
        line += fmt::format(", low_ms: {}", *quantile.low_ms);
      }
      if (quantile.high_ms) {
        line += fmt::format(", high_ms: {}", *quantile.high_ms);
      }
      out.Raw(line + "}\n");
    }
  }
  WritePairs(out, "conditions", evidence.conditions);
  WritePairs(out, "machine", evidence.machine);
}

void WriteContention(YamlLines& out, std::string_view key,
                     const CardContention& contention) {
  std::vector<std::string> parts;
  if (contention.p50_ms) {
    parts.push_back(fmt::format("p50_ms: {}", *contention.p50_ms));
  }
  if (contention.p95_ms) {
    parts.push_back(fmt::format("p95_ms: {}", *contention.p95_ms));
  }
  if (!contention.beside.empty()) {
    parts.push_back("beside: " + YamlScalar(contention.beside));
  }
  if (!contention.runs.empty()) {
    std::vector<std::string> runs;
    for (const std::string& run : contention.runs) {
      runs.push_back(YamlScalar(run));
    }
    parts.push_back(fmt::format("runs: [{}]", Join(runs, ", ")));
  }
  out.Raw(fmt::format("{}: {{{}}}\n", key, Join(parts, ", ")));
}

}  // namespace

std::string WriteCard(const Card& card) {
  YamlLines out;
  out.Raw(kUnits);
  if (card.gpu_memory_mb || card.gpu_bandwidth_gbs) {
    out.Raw(kGpuUnits);
  }
  out.Text("name", card.name);
  for (const NumberKey& key : kNeedKeys) {
    out.Number(key.key, card.*key.field);
  }
  out.Text("notes", card.notes);
  for (const NumberKey& key : kGpuKeys) {
    out.Number(key.key, card.*key.field);
  }
  out.Text("command", card.command);
  out.Text("falsified", card.falsified);
  out.Text(kWcetKindKey, WcetKindName(card.wcet_kind));
  out.Text("wcet_time", card.wcet_time);
  for (const NumberKey& key : kWcetKeys) {
    out.Number(key.key, card.*key.field);
  }
  for (const ContentionKey& key : kContentionKeys) {
    if (const auto& contention = card.*key.field) {
      WriteContention(out, key.key, *contention);
    }
  }
  if (card.evidence) {
    WriteEvidence(out, *card.evidence);
  }
  if (card.resources) {
    out.Raw(ResourcesYaml(*card.resources, YamlScalar));
  }
  for (const auto& [key, yaml] : card.others) {
    out.Raw(fmt::format("{}: {}\n", YamlScalar(key), yaml));
  }
  return out.Take();
}

}  // namespace edgewise

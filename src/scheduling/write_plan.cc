#include <fmt/format.h>

#include "base/text.h"
#include "base/units.h"
#include "base/yaml_scalar.h"
#include "scheduling/plan_file.h"

namespace edgewise {
namespace {

constexpr std::string_view kUnits =
    "# Which task runs where and how, and why it meets its deadlines (edgewise "
    "plan).\n"
    "# *_ms: milliseconds. utilisation, reserve: share of a core. memory_mb: "
    "MiB.\n";

// Lines of one block, all indented alike, the first with a dash.
class Block {
 public:
  explicit Block(std::string indent) : indent_(std::move(indent)) {}

  void Raw(std::string_view key, std::string_view value) {
    text_ += fmt::format("{}{}{}: {}\n", indent_, text_.empty() ? "- " : "  ",
                         key, value);
  }
  void Text(std::string_view key, std::string_view value) {
    if (!value.empty()) {
      Raw(key, YamlScalar(value));
    }
  }
  void Time(std::string_view key, const std::optional<int64_t>& ns) {
    if (ns) {
      Raw(key, FormatMs(*ns));
    }
  }
  template <typename T>
  void Number(std::string_view key, const std::optional<T>& value) {
    if (value) {
      Raw(key, fmt::format("{}", *value));
    }
  }
  void Texts(std::string_view key, const std::vector<std::string>& texts) {
    if (texts.empty()) {
      return;
    }
    text_ += fmt::format("{}  {}:\n", indent_, key);
    for (const std::string& text : texts) {
      text_ += fmt::format("{}    - {}\n", indent_, YamlScalar(text));
    }
  }
  const std::string& text() const { return text_; }

 private:
  std::string indent_;
  std::string text_;
};

std::string TaskYaml(const PlannedTask& task) {
  Block block("  ");
  block.Raw("name", YamlScalar(task.name));
  if (!task.command.empty()) {
    block.Text("command", ShellQuote(task.command));
  }
  block.Raw("executor", ExecutorName(task.executor));
  block.Raw("cores", YamlScalar(FormatCpuList(task.cores)));
  block.Raw("wcet_ms", FormatMs(task.wcet_ns));
  block.Raw("period_ms", FormatMs(task.period_ns));
  block.Raw("deadline_ms", FormatMs(task.deadline_ns));
  if (task.jitter_ns > 0) {
    block.Raw("jitter_ms", FormatMs(task.jitter_ns));
  }
  block.Number("priority", task.priority);
  block.Time("runtime_ms", task.runtime_ns);
  block.Number("quota_cores", task.quota_cores);
  if (task.memory_bytes) {
    block.Raw("memory_mb",
              fmt::format("{}", static_cast<double>(*task.memory_bytes) /
                                    (1024.0 * 1024)));
  }
  if (task.on_miss != MissPolicy::kFinish) {
    block.Raw("on_miss", MissPolicyName(task.on_miss));
  }
  if (task.process_per_job) {
    block.Raw("process_per_job", "true");
  }
  block.Text("wcet_source", task.wcet_source);
  block.Text("card", task.card);
  block.Time("response_bound_ms", task.response_bound_ns);
  block.Time("slack_ms", task.slack_ns);
  block.Time("wcet_slack_ms", task.wcet_slack_ns);
  return block.text();
}

std::string CoreYaml(const PlannedCore& core) {
  Block block("  ");
  block.Raw("cores", YamlScalar(FormatCpuList(core.cores)));
  block.Raw("utilisation", fmt::format("{}", core.utilisation));
  block.Text("test", core.proof.test);
  block.Raw("schedulable", core.proof.schedulable ? "true" : "false");
  block.Text("verdict", core.proof.verdict);
  block.Time("witness_ms", core.proof.witness_ns);
  block.Text("witness", core.proof.witness);
  block.Number("growth", core.proof.growth);
  block.Texts("assumptions", core.proof.assumptions);
  return block.text();
}

}  // namespace

std::string WritePlan(const Plan& plan) {
  std::string yaml(kUnits);
  const auto text = [&yaml](std::string_view key, std::string_view value) {
    if (!value.empty()) {
      yaml += fmt::format("{}: {}\n", key, YamlScalar(value));
    }
  };
  text("created", plan.created);
  text("machine", plan.machine);
  text("machine_name", plan.machine_name);
  if (plan.reserve > 0) {
    yaml += fmt::format("reserve: {}\n", plan.reserve);
  }
  if (plan.latency_ns > 0) {
    yaml += fmt::format("latency_ms: {}\n", FormatMs(plan.latency_ns));
  }
  if (plan.overhead_ns > 0) {
    yaml += fmt::format("overhead_ms: {}\n", FormatMs(plan.overhead_ns));
  }
  if (!plan.notes.empty()) {
    yaml += "notes:\n";
    for (const std::string& note : plan.notes) {
      yaml += fmt::format("  - {}\n", YamlScalar(note));
    }
  }
  yaml += plan.tasks.empty() ? "tasks: []\n" : "tasks:\n";
  for (const PlannedTask& task : plan.tasks) {
    yaml += TaskYaml(task);
  }
  if (!plan.cores.empty()) {
    yaml += "proofs:\n";
    for (const PlannedCore& core : plan.cores) {
      yaml += CoreYaml(core);
    }
  }
  return yaml;
}

}  // namespace edgewise

#include "scheduling/prove_global.h"

#include <algorithm>
#include <string>

#include "base/units.h"
#include "scheduling/edf.h"
#include "scheduling/edf_response.h"
#include "scheduling/global_edf.h"
#include "scheduling/sched_deadline.h"

namespace edgewise::scheduling {
namespace {

Result<std::vector<DeadlineParameters>> Parameters(std::span<const Task> tasks,
                                                   const CoreRules& rules) {
  Result<std::vector<Task>> loaded = AddOverheads(tasks, rules.overheads);
  if (!loaded.ok()) return loaded.error();
  std::vector<DeadlineParameters> all;
  for (const Task& task : *loaded) {
    Result<DeadlineParameters> parameters = ParametersFor(task);
    if (!parameters.ok()) return parameters.error();
    all.push_back(*parameters);
  }
  return all;
}

Admission Admit(std::span<const DeadlineParameters> parameters,
                const CoreRules& rules, int cores) {
  const Throttling whole{1, 1};
  const Throttling& limit = rules.throttling ? *rules.throttling : whole;
  return AdmitDeadlineTasks(parameters, cores, limit.runtime_ns,
                            limit.period_ns);
}

std::string ShareText(double cores) {
  const auto percent = static_cast<int64_t>(cores * 100 + 0.5);
  return FormatCount(percent) + "%";
}

Result<bool> MeetsDeadlines(std::span<const Task> charged, int cores) {
  if (cores == 1) return IsEdfSchedulable(charged);
  Result<GlobalEdf> verdict = AnalyseGlobalEdf(charged, cores);
  if (!verdict.ok()) return verdict.error();
  return verdict->gfb == GlobalVerdict::kSchedulable ||
         verdict->density == GlobalVerdict::kSchedulable;
}

// Why several cores do not do.
Result<std::string> WhyOpen(std::span<const Task> charged, int cores) {
  Result<GlobalEdf> verdict = AnalyseGlobalEdf(charged, cores);
  if (!verdict.ok()) return verdict.error();
  if (verdict->density == GlobalVerdict::kOverloaded ||
      verdict->gfb == GlobalVerdict::kOverloaded) {
    return std::string(
        "The tasks need more than the cores, or one more than its deadline "
        "leaves.");
  }
  std::string why =
      "Global EDF on several cores is proven only while the load, less what "
      "the largest task takes of all but one core, is small enough; it is not "
      "here, which leaves open whether deadlines are missed";
  Result<std::optional<std::vector<int64_t>>> late =
      TardinessBounds(charged, cores);
  if (late.ok() && *late) {
    const int64_t most_ns = *std::max_element((**late).begin(), (**late).end());
    why += " (no job is later than " +
           FormatDuration(static_cast<double>(most_ns)) + ")";
  }
  return why + ".";
}

}  // namespace

CoreTest GlobalTest(const CoreRules& rules, int cores) {
  return [rules, cores](std::span<const Task> tasks) -> Result<bool> {
    Result<std::vector<Task>> charged = Charged(tasks, rules);
    if (!charged.ok()) return charged.error();
    Result<std::vector<DeadlineParameters>> parameters =
        Parameters(tasks, rules);
    // Too much for the kernel to take: sensitivity asks for such times.
    if (!parameters.ok()) return false;
    if (!Admit(*parameters, rules, cores).admitted) return false;
    return MeetsDeadlines(*charged, cores);
  };
}

Result<void> ProveGlobal(std::span<const Task> tasks, const CoreRules& rules,
                         int cores, CoreProof& core) {
  core.proof.test = cores == 1
                        ? "processor demand (QPA), preemptive EDF; exact"
                        : "Goossens-Funk-Baruah and density, global EDF on " +
                              FormatCount(cores, "core") +
                              "; sufficient: a no leaves it open";
  Result<std::vector<Task>> charged = Charged(tasks, rules);
  if (!charged.ok()) return charged.error();
  Result<std::vector<DeadlineParameters>> parameters = Parameters(tasks, rules);
  if (!parameters.ok()) return parameters.error();
  for (size_t i = 0; i < tasks.size(); ++i) {
    core.tasks[i].runtime_ns = (*parameters)[i].runtime_ns;
  }
  Result<bool> holds = MeetsDeadlines(*charged, cores);
  if (!holds.ok()) return holds.error();
  const Admission admission = Admit(*parameters, rules, cores);
  core.proof.schedulable = *holds && admission.admitted;
  if (!admission.admitted) {
    core.proof.witness = "The kernel admits at most " +
                         ShareText(admission.limit) +
                         " of a core to SCHED_DEADLINE here, and the tasks "
                         "need " +
                         ShareText(admission.load) + ".";
    return {};
  }
  if (*holds) {
    for (size_t i = 0; i < tasks.size(); ++i) {
      core.tasks[i].response_bound_ns = tasks[i].deadline_ns;
    }
    Result<ResponseBounds> bounds = EdfResponses(*charged, true);
    for (size_t i = 0; cores == 1 && bounds.ok() && i < tasks.size(); ++i) {
      core.tasks[i].response_bound_ns = (*bounds)[i];
    }
    return {};
  }
  if (cores > 1) {
    Result<std::string> why = WhyOpen(*charged, cores);
    if (!why.ok()) return why.error();
    core.proof.witness = *why;
    return {};
  }
  Result<EdfVerdict> verdict = AnalyseEdf(*charged);
  if (!verdict.ok()) return verdict.error();
  if (verdict->witness) {
    core.proof.witness_ns = verdict->witness->t_ns;
    core.proof.witness = Explain(*verdict->witness);
  }
  return {};
}

}  // namespace edgewise::scheduling

#include "project/chosen_runs.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "base/text.h"
#include "execution/read_execution.h"
#include "experiments/sweep_plan.h"

namespace edgewise {
namespace {

bool IsSweep(const Run& run) { return !KnobsOfSweep(run.experiment).empty(); }
bool IsExecution(const Run& run) { return run.experiment.starts_with("exec "); }
bool IsMqtt(const Run& run) {
  return run.experiment.starts_with(kMqttExperiment);
}

// Two sweeps of one program over the same knobs are one curve, made twice.
std::string SweepKey(const Run& run) {
  std::string key = ProgramOf(run.command);
  for (const Knob& knob : KnobsOfSweep(run.experiment)) {
    key += '\n' + knob.name;
  }
  return key;
}

template <typename T>
void AddOnce(std::vector<T>* all, const T& one) {
  if (std::find(all->begin(), all->end(), one) == all->end()) {
    all->push_back(one);
  }
}

void AddRunOnce(std::vector<Run>* all, const Run& run) {
  const bool known =
      std::any_of(all->begin(), all->end(),
                  [&](const Run& each) { return each.id == run.id; });
  if (!known) {
    all->push_back(run);
  }
}

class Chooser {
 public:
  // `all`: the last stored first.
  Chooser(const ProjectFolder& folder, const std::vector<Run>& all)
      : folder_(folder), all_(all) {}

  ChosenRuns Choose(const std::vector<Run>& named) {
    TakeEvidence();
    for (const Run& run : named) {
      TakeNamed(run);
    }
    TakeExecutions();
    TakeSweeps();
    TakeSampled();
    if (chosen_.mqtt.empty()) {
      TakeMqtt();
    }
    return std::move(chosen_);
  }

 private:
  void TakeEvidence() {
    for (const ProjectCard& each : folder_.cards) {
      if (const auto command = ShellSplit(each.card.command);
          command && !command->empty()) {
        programs_.insert(ProgramOf(*command));
      }
      if (!each.card.evidence) {
        continue;
      }
      for (const std::string& id : each.card.evidence->runs) {
        const auto run =
            std::find_if(all_.begin(), all_.end(),
                         [&](const Run& one) { return one.id == id; });
        if (run == all_.end()) {
          AddOnce(&chosen_.gone, id);
        } else {
          AddRunOnce(&chosen_.evidence, *run);
          programs_.insert(ProgramOf(run->command));
        }
      }
    }
  }

  void TakeNamed(const Run& run) {
    if (IsSweep(run)) {
      AddOnce(&chosen_.sweeps, run.group);
      sweep_keys_.insert(SweepKey(run));
    } else if (IsExecution(run)) {
      AddOnce(&chosen_.executions, run.group);
    } else if (IsMqtt(run)) {
      TakeMqttOf(run);
    } else {
      AddRunOnce(&chosen_.named, run);
      if (run.conditions.stack_hz) {
        AddRunOnce(&chosen_.sampled, run);
      }
    }
  }

  void TakeExecutions() {
    std::vector<std::string> one_way;
    for (const Run& run : all_) {
      if (run.kind != kExecutionKind) {
        continue;
      }
      const bool both =
          std::any_of(all_.begin(), all_.end(), [&](const Run& o) {
            return o.kind == kExecutionKind && o.group == run.group &&
                   o.group_role != run.group_role;
          });
      AddOnce(both ? &chosen_.executions : &one_way, run.group);
    }
    for (const std::string& group : one_way) {
      AddOnce(&chosen_.executions, group);
    }
  }

  bool IsOurs(const Run& run) const {
    return programs_.empty() || programs_.contains(ProgramOf(run.command));
  }

  void TakeSweeps() {
    const bool named = !chosen_.sweeps.empty();
    for (const Run& run : all_) {
      if (!IsSweep(run) || !IsOurs(run) ||
          !sweep_keys_.insert(SweepKey(run)).second) {
        continue;
      }
      if (programs_.empty() && (named || !chosen_.sweeps.empty())) {
        return;
      }
      AddOnce(&chosen_.sweeps, run.group);
    }
  }

  void TakeSampled() {
    std::set<std::string> programs;
    for (const Run& run : chosen_.sampled) {
      programs.insert(ProgramOf(run.command));
    }
    for (const Run& run : all_) {
      if (!run.conditions.stack_hz || run.state != RunState::kDone ||
          !IsOurs(run) || !run.experiment.empty() ||
          !programs.insert(ProgramOf(run.command)).second) {
        continue;
      }
      if (programs_.empty() && !chosen_.sampled.empty()) {
        return;
      }
      AddRunOnce(&chosen_.sampled, run);
    }
  }

  void TakeMqtt() {
    const auto latest = std::find_if(all_.begin(), all_.end(), IsMqtt);
    if (latest != all_.end()) {
      TakeMqttOf(*latest);
    }
  }

  void TakeMqttOf(const Run& run) {
    for (auto each = all_.rbegin(); each != all_.rend(); ++each) {
      if (each->id == run.id ||
          (!run.group.empty() && each->group == run.group)) {
        AddRunOnce(&chosen_.mqtt, *each);
      }
    }
  }

  const ProjectFolder& folder_;
  const std::vector<Run>& all_;
  ChosenRuns chosen_;
  std::set<std::string> programs_;  // that cards are about
  std::set<std::string> sweep_keys_;
};

}  // namespace

std::string ProgramOf(const std::vector<std::string>& command) {
  const auto name = [](const std::string& word) {
    return std::filesystem::path(word).filename().string();
  };
  if (command.empty()) {
    return "";
  }
  const std::string first = name(command.front());
  if (first.starts_with("python") || first == "sh" || first == "bash") {
    const auto script =
        std::find_if(command.begin() + 1, command.end(),
                     [](const std::string& w) { return !w.starts_with("-"); });
    return script == command.end() ? first : name(*script);
  }
  return first;
}

Result<ChosenRuns> ChooseRuns(const Store& store, const ProjectFolder& folder,
                              const std::vector<std::string>& references) {
  std::vector<Run> named;
  for (const std::string& reference : references) {
    auto run = store.Find(reference);
    if (!run) {
      return run.error();
    }
    named.push_back(std::move(*run));
  }
  const auto all = store.List({});
  if (!all) {
    return all.error();
  }
  return Chooser(folder, *all).Choose(named);
}

}  // namespace edgewise

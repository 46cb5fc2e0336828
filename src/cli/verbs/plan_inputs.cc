#include "cli/verbs/plan_inputs.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/text.h"
#include "base/units.h"
#include "cards/card.h"
#include "cli/option_values.h"
#include "execution/calibrate_timers.h"
#include "planning/card_task.h"
#include "planning/rtapp.h"
#include "probes/machine.h"
#include "scheduling/real_time_limits.h"
#include "sessions/settings.h"

namespace edgewise::cli {
namespace {

using scheduling::PlanRequest;
using scheduling::TaskWish;

Error Invalid(std::string message) {
  return Error{ErrorCode::kInvalid, std::move(message)};
}

Result<TaskWish> ReadCardFile(const std::string& path,
                              const PlanOptions& options,
                              std::vector<std::string>* notes) {
  const auto yaml = ReadFile(path);
  if (!yaml) {
    return yaml.error();
  }
  const auto card = ReadCard(*yaml, path);
  if (!card) {
    return card.error();
  }
  return WishFrom(*card, path, options.wcet, notes);
}

Result<std::vector<TaskWish>> ReadTaskFile(const std::string& path,
                                           const PlanOptions& options,
                                           std::vector<std::string>* notes) {
  if (std::filesystem::path(path).extension() == ".json") {
    const auto json = ReadFile(path);
    return json ? ReadRtApp(*json, path, notes)
                : Result<std::vector<TaskWish>>(json.error());
  }
  auto wish = ReadCardFile(path, options, notes);
  if (!wish) {
    return wish.error();
  }
  return std::vector<TaskWish>{std::move(*wish)};
}

Result<int64_t> ReservePermille(const std::string& text) {
  if (text == "0" || text == "0%") {
    return int64_t{0};
  }
  const auto share = ParseCpuQuota(text);
  if (!share || *share > 0.9) {
    return Invalid("--reserve " + text +
                   ": give a share of each core from 0% to 90%");
  }
  return std::llround(*share * 1000);
}

Result<void> ReadCores(const PlanOptions& options, PlanInputs& inputs) {
  const std::vector<int> usable = UsableCpus();
  inputs.request.cores = usable;
  if (options.cores.empty()) {
    return usable.empty() ? Result<void>(Invalid(
                                "the kernel does not say which cores may be "
                                "used: name them with --cores"))
                          : Result<void>();
  }
  auto cores = ParseCpuList(options.cores);
  if (!cores) {
    return Invalid("--cores: " + cores.error().message);
  }
  for (const int core : *cores) {
    if (!usable.empty() && std::ranges::count(usable, core) == 0) {
      return Invalid("--cores names core " + std::to_string(core) +
                     ", which this process may not use: choose from " +
                     FormatCpuList(usable));
    }
  }
  inputs.request.cores = std::move(*cores);
  std::ranges::copy_if(
      usable, std::back_inserter(inputs.spare_cores), [&](int core) {
        return std::ranges::count(inputs.request.cores, core) == 0;
      });
  return {};
}

// What was measured on this machine, if it was: what is given by hand counts
// more.
void ReadMeasuredTimers(const PlanOptions& options, PlanInputs& inputs) {
  if (!options.latency.empty() || !options.overhead.empty()) {
    return;
  }
  const std::filesystem::path file = TimersFile(options.home);
  const auto yaml = TryReadFile(file);
  if (!yaml) {
    return;
  }
  const auto timers = ReadTimers(*yaml, file.string());
  const std::string again = "; edgewise calibrate --timers measures them again";
  if (!timers) {
    inputs.notes.push_back("timers are not counted: " + timers.error().message +
                           again);
  } else if (timers->machine != ReadMachine().fingerprint) {
    inputs.notes.push_back("timers are not counted: " + file.string() +
                           " was measured on another machine" + again);
  } else {
    inputs.request.rules.overheads = OverheadsOf(*timers);
    inputs.notes.push_back(
        "latency and overhead as measured here on " + timers->created +
        (timers->realtime ? "" : ", without real-time policies"));
  }
}

Result<void> ReadRules(const PlanOptions& options, PlanRequest& request) {
  const auto executor = ParseExecutor(options.executor);
  if (!executor) {
    return Invalid("--executor " + options.executor +
                   ": choose edf, edf-preemptive, fifo, rr, deadline or other");
  }
  request.rules.executor = *executor;
  const auto reserve = ReservePermille(options.reserve);
  if (!reserve) {
    return reserve.error();
  }
  request.rules.reserve_permille = *reserve;
  const auto latency = DurationOrZeroOption("--latency", options.latency);
  const auto overhead = DurationOrZeroOption("--overhead", options.overhead);
  for (const auto* time : {&latency, &overhead}) {
    if (!*time) {
      return time->error();
    }
  }
  request.rules.overheads = {overhead->value_or(0), latency->value_or(0)};
  request.rules.throttling = scheduling::ReadThrottling();
  return {};
}

Result<void> ReadAlternative(const std::string& text,
                             const PlanOptions& options, PlanInputs& inputs) {
  const auto& tasks = inputs.request.tasks;
  const auto find = [&tasks](const std::string& name) {
    return std::ranges::find_if(
        tasks, [&](const TaskWish& wish) { return wish.task.name == name; });
  };
  std::string path = text;
  auto task = tasks.end();
  if (const size_t equals = text.find('='); equals != std::string::npos) {
    task = find(text.substr(0, equals));
    path = text.substr(equals + 1);
  }
  auto instead = ReadCardFile(path, options, &inputs.notes);
  if (!instead) {
    return instead.error();
  }
  if (path == text) {
    task = find(instead->task.name);
  }
  if (task == tasks.end()) {
    return Invalid("--or " + text +
                   ": no task is called so; write --or TASK=CARD");
  }
  inputs.alternatives.push_back(
      {static_cast<size_t>(task - tasks.begin()), std::move(*instead), path});
  return {};
}

}  // namespace

Result<PlanInputs> ReadPlanInputs(const PlanOptions& options) {
  PlanInputs inputs;
  inputs.request.fewest_cores = options.optimal;
  if (const Result<void> read = ReadCores(options, inputs); !read) {
    return read.error();
  }
  if (const Result<void> read = ReadRules(options, inputs.request); !read) {
    return read.error();
  }
  ReadMeasuredTimers(options, inputs);
  for (const std::string& path : options.files) {
    auto wishes = ReadTaskFile(path, options, &inputs.notes);
    if (!wishes) {
      return wishes.error();
    }
    for (TaskWish& wish : *wishes) {
      for (const TaskWish& other : inputs.request.tasks) {
        if (other.task.name == wish.task.name) {
          return Invalid(
              path + ": another task is called \"" + wish.task.name + "\"" +
              (other.task.card.empty() ? "" : " (" + other.task.card + ")") +
              "; give each its own name");
        }
      }
      inputs.request.tasks.push_back(std::move(wish));
    }
  }
  for (const std::string& text : options.alternatives) {
    if (const Result<void> read = ReadAlternative(text, options, inputs);
        !read) {
      return read.error();
    }
  }
  const Machine machine = ReadMachine();
  if (machine.memory_bytes > 0) {
    inputs.request.memory_bytes = machine.memory_bytes;
  }
  return inputs;
}

}  // namespace edgewise::cli

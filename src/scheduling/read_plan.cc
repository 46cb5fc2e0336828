#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <utility>

#include "base/nearest.h"
#include "base/text.h"
#include "base/units.h"
#include "base/yaml_tree.h"
#include "scheduling/plan_file.h"

namespace edgewise {
namespace {

constexpr size_t kMaxEntries = 4096;
// About a year: sums of many such times stay far from overflow.
constexpr double kMostMs = 3.2e10;
constexpr double kBytesPerMb = 1024.0 * 1024;

// Reads one plan; the first problem is kept, and what follows is ignored.
class PlanReader {
 public:
  explicit PlanReader(std::string_view origin) : origin_(origin) {}

  Result<Plan> Read(const YamlNode& root) {
    Plan plan;
    ReadMap(root, "a plan",
            {{"created", Text(plan.created)},
             {"machine", Text(plan.machine)},
             {"machine_name", Text(plan.machine_name)},
             {"reserve", Number(plan.reserve, 0, 1)},
             {"notes", Texts(plan.notes)},
             {"tasks", Each([&](const YamlNode& at) {
                plan.tasks.push_back(ReadTask(at));
              })},
             {"proofs", Each([&](const YamlNode& at) {
                plan.cores.push_back(ReadCore(at));
              })}});
    if (plan.tasks.empty()) {
      Refuse(root, "the plan has no `tasks`");
    }
    std::set<std::string> names;
    for (const PlannedTask& task : plan.tasks) {
      if (!names.insert(task.name).second) {
        Refuse(root, fmt::format("two tasks are called `{}`", task.name));
      }
    }
    if (problem_) {
      return *problem_;
    }
    return plan;
  }

 private:
  using Take = std::function<void(std::string_view key, const YamlNode& value)>;
  using Keys = std::vector<std::pair<std::string, Take>>;

  void Refuse(const YamlNode& node, std::string_view what) {
    if (!problem_) {
      problem_ = Error{ErrorCode::kInvalid,
                       fmt::format("{}:{}: {}", origin_, node.line(), what)};
    }
  }

  void ReadMap(const YamlNode& map, std::string_view what, const Keys& keys) {
    if (!map.IsMap()) {
      Refuse(map, fmt::format("{} is a list of `key: value` lines", what));
      return;
    }
    std::set<std::string> seen;
    for (const auto& [key, value] : map.entries()) {
      if (!key.IsScalar() || !seen.insert(key.Scalar()).second ||
          seen.size() > kMaxEntries) {
        Refuse(key, key.IsScalar() ? fmt::format("the key `{}` is there twice",
                                                 key.Scalar().substr(0, 80))
                                   : "a key must be a plain word");
        return;
      }
      const auto known = std::find_if(
          keys.begin(), keys.end(),
          [&](const auto& each) { return each.first == key.Scalar(); });
      if (known != keys.end()) {
        known->second(known->first, value);
        continue;
      }
      std::vector<std::string> names;
      for (const auto& each : keys) {
        names.push_back(each.first);
      }
      const auto meant = Nearest(key.Scalar(), names);
      Refuse(key, fmt::format("there is no key `{}` in {}{}",
                              key.Scalar().substr(0, 80), what,
                              meant ? "; did you mean `" + *meant + "`?" : ""));
    }
  }

  Take Text(std::string& text) {
    return [this, &text](std::string_view key, const YamlNode& value) {
      if (!value.IsNull() && !value.IsScalar()) {
        Refuse(value, fmt::format("`{}` must be a text", key));
      }
      text = value.Scalar();
    };
  }
  Take Each(std::function<void(const YamlNode&)> take) {
    return [this, take](std::string_view key, const YamlNode& value) {
      if (!value.IsSequence() || value.items().size() > kMaxEntries) {
        Refuse(value, fmt::format("`{}` must be a list", key));
        return;
      }
      std::for_each(value.items().begin(), value.items().end(), take);
    };
  }
  Take Texts(std::vector<std::string>& texts) {
    return Each([this, &texts](const YamlNode& value) {
      if (!value.IsScalar()) {
        Refuse(value, "this must be a text");
      }
      texts.push_back(value.Scalar());
    });
  }
  // Calls take(number) with one within the limits.
  Take WithNumber(double least, double most, std::function<void(double)> take) {
    return [this, least, most, take](std::string_view key,
                                     const YamlNode& value) {
      const auto number =
          value.IsScalar() ? ParseDouble(value.Scalar()) : std::nullopt;
      if (!number || !std::isfinite(*number)) {
        Refuse(value, fmt::format("`{}` must be a number without a unit", key));
      } else if (*number < least || *number > most) {
        Refuse(value, fmt::format("`{}` must be from {} to {}, not {}", key,
                                  least, most, value.Scalar().substr(0, 40)));
      } else {
        take(*number);
      }
    };
  }
  template <typename T>  // double or optional of it
  Take Number(T& field, double least, double most) {
    return WithNumber(least, most, [&field](double number) { field = number; });
  }
  Take Priority(std::optional<int>& field) {
    return WithNumber(
        1, 99, [&field](double number) { field = static_cast<int>(number); });
  }
  template <typename T>  // int64_t or optional of it
  Take Time(T& ns, double least_ms = 1e-6) {
    return WithNumber(least_ms, kMostMs, [&ns](double ms) {
      ns = static_cast<int64_t>(std::llround(ms * 1e6));
    });
  }
  Take Flag(bool& flag) {
    return [this, &flag](std::string_view key, const YamlNode& value) {
      flag = value.Scalar() == "true";
      if (!flag && value.Scalar() != "false") {
        Refuse(value, fmt::format("`{}` must be true or false", key));
      }
    };
  }
  Take Cores(std::vector<int>& cores) {
    return [this, &cores](std::string_view key, const YamlNode& value) {
      auto list = ParseCpuList(value.Scalar());
      if (!list) {
        Refuse(value, fmt::format("`{}` must be cores such as 0 or \"2-3\": {}",
                                  key, list.error().message));
        return;
      }
      cores = std::move(*list);
    };
  }
  Take Command(std::vector<std::string>& words) {
    return [this, &words](std::string_view key, const YamlNode& value) {
      auto split = ShellSplit(value.Scalar());
      if (!value.IsScalar() || !split || split->empty()) {
        Refuse(value, fmt::format("`{}` must be a command line", key));
        return;
      }
      words = std::move(*split);
    };
  }
  template <typename T>
  Take Word(T& field, std::optional<T> (*parse)(std::string_view),
            std::string_view choices) {
    return [this, &field, parse, choices](std::string_view key,
                                          const YamlNode& value) {
      if (const auto parsed = parse(value.Scalar())) {
        field = *parsed;
      } else {
        Refuse(value, fmt::format("`{}` must be {}, not `{}`", key, choices,
                                  value.Scalar().substr(0, 40)));
      }
    };
  }

  PlannedTask ReadTask(const YamlNode& at) {
    PlannedTask task;
    std::optional<double> memory_mb;
    ReadMap(
        at, "a task",
        {{"name", Text(task.name)},
         {"command", Command(task.command)},
         {"executor", Word(task.executor, &ParseExecutor,
                           "edf, edf-preemptive, fifo, rr, deadline or other")},
         {"cores", Cores(task.cores)},
         {"wcet_ms", Time(task.wcet_ns)},
         {"period_ms", Time(task.period_ns)},
         {"deadline_ms", Time(task.deadline_ns)},
         {"jitter_ms", Time(task.jitter_ns, 0)},
         {"priority", Priority(task.priority)},
         {"runtime_ms", Time(task.runtime_ns)},
         {"quota_cores", Number(task.quota_cores, 0.001, 4096)},
         {"memory_mb", Number(memory_mb, 1e-6, 1e9)},
         {"on_miss",
          Word(task.on_miss, &ParseMissPolicy, "finish, skip or abort")},
         {"process_per_job", Flag(task.process_per_job)},
         {"wcet_source", Text(task.wcet_source)},
         {"card", Text(task.card)},
         {"response_bound_ms", Time(task.response_bound_ns)},
         {"slack_ms", Time(task.slack_ns, -kMostMs)},
         {"wcet_slack_ms", Time(task.wcet_slack_ns, 0)}});
    if (memory_mb) {
      task.memory_bytes =
          static_cast<int64_t>(std::llround(*memory_mb * kBytesPerMb));
    }
    if (task.deadline_ns == 0) {
      task.deadline_ns = task.period_ns;
    }
    const auto need = [&](bool is_there, std::string_view key) {
      if (!is_there) {
        Refuse(at, fmt::format("the task needs `{}`", key));
      }
    };
    need(!task.name.empty(), "name");
    need(!task.cores.empty(), "cores");
    need(task.wcet_ns > 0, "wcet_ms");
    need(task.period_ns > 0, "period_ms");
    if (task.wcet_ns > task.deadline_ns) {
      Refuse(at, fmt::format("task {}: wcet_ms is above deadline_ms, so no "
                             "job could be in time",
                             task.name));
    }
    return task;
  }

  PlannedCore ReadCore(const YamlNode& at) {
    PlannedCore core;
    ReadMap(at, "a proof",
            {{"cores", Cores(core.cores)},
             {"utilisation", Number(core.utilisation, 0, 1e6)},
             {"test", Text(core.proof.test)},
             {"schedulable", Flag(core.proof.schedulable)},
             {"verdict", Text(core.proof.verdict)},
             {"witness_ms", Time(core.proof.witness_ns, 0)},
             {"witness", Text(core.proof.witness)},
             {"growth", Number(core.proof.growth, 0, 1e9)},
             {"assumptions", Texts(core.proof.assumptions)}});
    if (core.cores.empty()) {
      Refuse(at, "the proof needs `cores`");
    }
    return core;
  }

  std::string origin_;
  std::optional<Error> problem_;
};

}  // namespace

Result<Plan> ReadPlan(std::string_view yaml, std::string_view origin) {
  const auto root = ReadYaml(yaml, origin, "plan");
  if (!root) {
    return root.error();
  }
  return PlanReader(origin).Read(*root);
}

}  // namespace edgewise

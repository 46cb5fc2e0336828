#include "control/goals.h"

#include <fmt/format.h>

#include <set>

#include "base/text.h"
#include "base/units.h"
#include "base/yaml_reader.h"

namespace edgewise::control {
namespace {

constexpr size_t kMostKnobs = 24;
constexpr size_t kMostKnobValues = 64;

// Reads one file of goals; the first problem is kept.
class GoalsReader : private YamlReader {
 public:
  explicit GoalsReader(std::string_view origin) : YamlReader(origin) {}

  Result<Goals> Read(const YamlNode& root) {
    Goals goals;
    ReadMap(root, "a file of goals",
            {{"apps",
              [&](std::string_view, const YamlNode& value) {
                EachEntry(value, "apps",
                          [&](const YamlNode& name, const YamlNode& app) {
                            goals.apps.emplace(name.Scalar(), ReadApp(app));
                          });
              }},
             {"node", [&](std::string_view, const YamlNode& value) {
                goals.node = ReadNode(value);
              }}});
    if (goals.apps.empty()) {
      Refuse(root, "there are no `apps`, so there is nothing to control");
    }
    if (problem()) {
      return *problem();
    }
    return goals;
  }

 private:
  // Calls `take` for each pair of a map whose keys are names.
  template <typename Function>
  void EachEntry(const YamlNode& map, std::string_view what, Function take) {
    if (!map.IsMap()) {
      Refuse(map, fmt::format("`{}` is a list of `name: …` lines", what));
      return;
    }
    std::set<std::string> seen;
    for (const auto& [key, value] : map.entries()) {
      if (!key.IsScalar() || key.Scalar().empty()) {
        Refuse(key, fmt::format("a name in `{}` must be a plain word", what));
      } else if (!seen.insert(key.Scalar()).second) {
        Refuse(key, fmt::format("`{}` is there twice", key.Scalar()));
      } else {
        take(key, value);
      }
    }
  }

  Take Cpu(std::optional<double>& cores) {
    return [this, &cores](std::string_view key, const YamlNode& value) {
      const auto parsed = ParseCpuQuota(value.Scalar());
      if (!parsed) {
        Refuse(value, fmt::format("`{}`: {}", key, parsed.error().message));
      } else {
        cores = *parsed;
      }
    };
  }

  Take Memory(std::optional<int64_t>& bytes) {
    return [this, &bytes](std::string_view key, const YamlNode& value) {
      const auto parsed = ParseBytes(value.Scalar());
      if (!parsed) {
        Refuse(value, fmt::format("`{}`: {}", key, parsed.error().message));
      } else {
        bytes = *parsed;
      }
    };
  }

  AppGoal ReadApp(const YamlNode& at) {
    AppGoal app;
    const auto amounts = [this](std::optional<double>& cpu,
                                std::optional<int64_t>& memory) -> Take {
      return
          [this, &cpu, &memory](std::string_view key, const YamlNode& value) {
            ReadMap(value, fmt::format("`{}`", key),
                    {{"cpu", Cpu(cpu)}, {"memory", Memory(memory)}});
          };
    };
    ReadMap(at, "the goal of an app",
            {{"goal",
              [&](std::string_view, const YamlNode& value) {
                auto goal = ParseGoal(value.Scalar());
                if (goal) {
                  app.goal = std::move(*goal);
                } else {
                  Refuse(value, goal.error().message);
                }
              }},
             {"weight", Number(app.weight, 0.001, 1e6)},
             {"min", amounts(app.min_cpu_cores, app.min_memory_bytes)},
             {"max", amounts(app.max_cpu_cores, app.max_memory_bytes)},
             {"cpus", Cores(app.cpus)},
             {"knobs", [&](std::string_view, const YamlNode& value) {
                EachEntry(value, "knobs",
                          [&](const YamlNode& name, const YamlNode& values) {
                            app.knobs.push_back(ReadKnob(name, values));
                          });
              }}});
    if (app.min_cpu_cores && app.max_cpu_cores &&
        *app.min_cpu_cores > *app.max_cpu_cores) {
      Refuse(at, "`min` has more cpu than `max`");
    }
    if (app.min_memory_bytes && app.max_memory_bytes &&
        *app.min_memory_bytes > *app.max_memory_bytes) {
      Refuse(at, "`min` has more memory than `max`");
    }
    if (app.knobs.size() > kMostKnobs) {
      Refuse(at, fmt::format("an app has at most {} knobs", kMostKnobs));
    }
    return app;
  }

  KnobChoice ReadKnob(const YamlNode& name, const YamlNode& at) {
    KnobChoice knob;
    knob.name = name.Scalar();
    for (const YamlNode& item : at.items()) {
      if (const auto value = ParseDouble(item.Scalar())) {
        knob.values.push_back(*value);
      } else {
        Refuse(item,
               fmt::format("a value of knob {} must be a number", knob.name));
      }
    }
    const std::set<double> different(knob.values.begin(), knob.values.end());
    if (knob.values.size() < 2 || knob.values.size() > kMostKnobValues ||
        different.size() != knob.values.size()) {
      Refuse(at, fmt::format("knob {} needs a list of different values, the "
                             "best first, such as [1, 2, 4]",
                             knob.name));
    }
    return knob;
  }

  NodeLimits ReadNode(const YamlNode& at) {
    NodeLimits node;
    const Take share = [&](std::string_view, const YamlNode& value) {
      const std::string& text = value.Scalar();
      const auto number = text.ends_with('%')
                              ? ParseDouble(text.substr(0, text.size() - 1))
                              : std::nullopt;
      if (!number || *number < 0 || *number > 90) {
        Refuse(value, "`cpu` of the reserve must be from 0% to 90%");
      } else {
        node.reserve_cpu_share = *number / 100;
      }
    };
    std::optional<int64_t> memory;
    ReadMap(at, "`node`",
            {{"reserve",
              [&](std::string_view, const YamlNode& value) {
                ReadMap(value, "`reserve`",
                        {{"cpu", share}, {"memory", Memory(memory)}});
              }},
             {"thermal_limit", [&](std::string_view, const YamlNode& value) {
                std::string_view text = value.Scalar();
                const bool has_unit = text.ends_with('C');
                text = Trim(text.substr(0, text.size() - (has_unit ? 1 : 0)));
                const auto celsius =
                    has_unit ? ParseDouble(text) : std::nullopt;
                if (!celsius || *celsius < 20 || *celsius > 150) {
                  Refuse(value,
                         "`thermal_limit` must be a temperature such as 80C");
                } else {
                  node.thermal_limit_c = *celsius;
                }
              }}});
    node.reserve_memory_bytes = memory.value_or(0);
    return node;
  }
};

}  // namespace

const AppGoal* Goals::Find(const std::string& name,
                           const std::string& instance) const {
  for (const std::string& key :
       {name + "/" + instance, name, std::string("*")}) {
    if (const auto found = apps.find(key); found != apps.end()) {
      return &found->second;
    }
  }
  return nullptr;
}

Result<Goals> ReadGoals(std::string_view yaml, std::string_view origin) {
  const auto root = ReadYaml(yaml, origin, "file of goals");
  if (!root) {
    return root.error();
  }
  return GoalsReader(origin).Read(*root);
}

}  // namespace edgewise::control

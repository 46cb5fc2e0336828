#include "planning/rtapp.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "planning/card_task.h"

namespace edgewise {
namespace {

using Json = nlohmann::ordered_json;

constexpr int64_t kMostInstances = 1024;
constexpr size_t kMostBytes = 1 << 20;

// "run", "run0", "run12".
bool IsEvent(std::string_view key, std::string_view event) {
  return key.starts_with(event) &&
         std::all_of(key.begin() + static_cast<ptrdiff_t>(event.size()),
                     key.end(),
                     [](unsigned char c) { return std::isdigit(c) != 0; });
}

class RtAppReader {
 public:
  RtAppReader(std::string_view origin, std::vector<std::string>* notes)
      : origin_(origin), notes_(notes) {}

  Result<std::vector<scheduling::TaskWish>> Read(const Json& root) {
    const auto tasks = root.is_object() ? root.find("tasks") : root.end();
    if (!root.is_object() || tasks == root.end() || !tasks->is_object() ||
        tasks->empty()) {
      return Refused("is no rt-app file: it needs an object `tasks`");
    }
    std::vector<scheduling::TaskWish> wishes;
    for (const auto& [name, task] : tasks->items()) {
      ReadTask(name, task, wishes);
    }
    if (problem_) {
      return *problem_;
    }
    for (const std::string& event : ignored_) {
      notes_->push_back(origin_ + ": `" + event +
                        "` of rt-app has no place in a plan and is left out");
    }
    return wishes;
  }

 private:
  struct Times {
    double run_us = 0;
    std::optional<double> period_us;
  };

  Error Refused(const std::string& what) const {
    return Error{ErrorCode::kInvalid, origin_ + ": " + what};
  }
  void Refuse(const std::string& task, const std::string& what) {
    if (!problem_) {
      problem_ = Refused("task " + task + " " + what);
    }
  }

  double Number(const std::string& task, const std::string& key,
                const Json& value) {
    if (!value.is_number()) {
      Refuse(task, "has a `" + key + "` that is no number of microseconds");
      return 0;
    }
    return value.get<double>();
  }

  // The events of one loop.
  Times ReadEvents(const std::string& name, const Json& events) {
    Times times;
    for (const auto& [key, value] : events.items()) {
      if (IsEvent(key, "run") || IsEvent(key, "runtime")) {
        times.run_us += Number(name, key, value);
      } else if (IsEvent(key, "timer")) {
        const auto period =
            value.is_object() ? value.find("period") : value.end();
        if (!value.is_object() || period == value.end()) {
          Refuse(name, "has a `timer` without a period");
          continue;
        }
        const double us = Number(name, "period", *period);
        times.period_us = std::min(times.period_us.value_or(us), us);
      } else {
        for (const std::string_view event :
             {"sleep", "lock", "unlock", "wait", "signal", "broad", "sync",
              "barrier", "suspend", "resume", "mem", "iorun", "yield",
              "fork"}) {
          if (IsEvent(key, event)) {
            ignored_.insert(std::string(event));
          }
        }
      }
    }
    return times;
  }

  void ReadTask(const std::string& name, const Json& task,
                std::vector<scheduling::TaskWish>& wishes) {
    if (!task.is_object()) {
      Refuse(name, "is no object");
      return;
    }
    Times times = ReadEvents(name, task);
    const auto phases = task.find("phases");
    if (phases != task.end() && phases->is_object()) {
      for (const auto& [phase, events] : phases->items()) {
        if (!events.is_object()) {
          Refuse(name, "has a phase that is no object");
          continue;
        }
        const Times of = ReadEvents(name, events);
        times.run_us = std::max(times.run_us, of.run_us);
        if (of.period_us) {
          times.period_us =
              std::min(times.period_us.value_or(*of.period_us), *of.period_us);
        }
      }
    }
    const auto optional = [&](const char* key) -> std::optional<double> {
      const auto value = task.find(key);
      return value == task.end() ? std::nullopt
                                 : std::optional(Number(name, key, *value));
    };
    times.run_us = optional("dl-runtime").value_or(times.run_us);
    const auto period = optional("dl-period");
    times.period_us = period ? period : times.period_us;
    if (!times.period_us) {
      Refuse(name, "has no period: give it a `timer` with one");
      return;
    }
    const auto deadline_us = optional("dl-deadline").value_or(*times.period_us);
    const auto wcet_ns = TaskTimeNs(times.run_us / 1000);
    const auto period_ns = TaskTimeNs(*times.period_us / 1000);
    const auto deadline_ns = TaskTimeNs(deadline_us / 1000);
    if (!wcet_ns || !period_ns || !deadline_ns) {
      Refuse(name,
             "needs a `run`, a period and a deadline above 0 and below a year");
      return;
    }
    scheduling::TaskWish wish;
    wish.task.name = name;
    wish.task.wcet_ns = *wcet_ns;
    wish.task.period_ns = *period_ns;
    wish.task.deadline_ns = *deadline_ns;
    wish.task.wcet_source = origin_ + ": run of rt-app, as written";
    ReadCores(name, task, wish);
    AddInstances(name, task, wish, wishes);
  }

  void ReadCores(const std::string& name, const Json& task,
                 scheduling::TaskWish& wish) {
    const auto cpus = task.find("cpus");
    if (cpus == task.end()) {
      return;
    }
    for (const Json& cpu : *cpus) {
      if (!cpu.is_number_integer() || cpu.get<int64_t>() < 0 ||
          cpu.get<int64_t>() > std::numeric_limits<int>::max()) {
        Refuse(name, "has `cpus` that are no list of cores");
        return;
      }
      wish.allowed_cores.push_back(cpu.get<int>());
    }
  }

  void AddInstances(const std::string& name, const Json& task,
                    const scheduling::TaskWish& wish,
                    std::vector<scheduling::TaskWish>& wishes) {
    const auto instance = task.find("instance");
    if (instance == task.end()) {
      wishes.push_back(wish);
      return;
    }
    if (!instance->is_number_integer() || instance->get<int64_t>() < 0 ||
        instance->get<int64_t>() > kMostInstances) {
      Refuse(name, "has an `instance` that is no number up to 1024");
      return;
    }
    const auto copies = instance->get<int64_t>();
    for (int64_t i = 0; i < copies; ++i) {
      wishes.push_back(wish);
      if (copies > 1) {
        wishes.back().task.name += "-" + std::to_string(i);
      }
    }
  }

  std::string origin_;
  std::vector<std::string>* notes_;
  std::set<std::string> ignored_;
  std::optional<Error> problem_;
};

}  // namespace

Result<std::vector<scheduling::TaskWish>> ReadRtApp(
    std::string_view json, std::string_view origin,
    std::vector<std::string>* notes) {
  if (json.size() > kMostBytes) {
    return Error{ErrorCode::kInvalid,
                 std::string(origin) + ": the file is larger than 1 MiB"};
  }
  const Json root = Json::parse(json, nullptr, /*allow_exceptions=*/false,
                                /*ignore_comments=*/true);
  if (root.is_discarded()) {
    return Error{ErrorCode::kInvalid,
                 std::string(origin) +
                     ": this is no JSON; tasks are cards (YAML) or rt-app "
                     "files (JSON)"};
  }
  return RtAppReader(origin, notes).Read(root);
}

}  // namespace edgewise

#include "execution/active_plan.h"

#include <unistd.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "base/text.h"
#include "controls/journal.h"
#include "execution/running_program.h"
#include "scheduling/plan_file.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kHeading = "edgewise active plan 1";
constexpr char kFolder[] = "active-plans";

Error Corrupt(const std::string& what) {
  return Error{ErrorCode::kCorrupt, "a plan in force is damaged: " + what};
}

}  // namespace

std::string FormatActivePlan(const ActivePlan& active,
                             std::string_view boot_id) {
  std::string text(kHeading);
  text += "\nboot " + std::string(boot_id) + "\n";
  for (const auto& [task, process] : active.processes) {
    text += "task " + std::to_string(process.pid) + " " +
            std::to_string(process.start_ticks) + " " + task + "\n";
  }
  return text + "plan\n" + WritePlan(active.plan);
}

Result<std::optional<ActivePlan>> ParseActivePlan(std::string_view text,
                                                  std::string_view boot_id) {
  ActivePlan active;
  bool first = true;
  while (true) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) {
      return Corrupt("it has no plan");
    }
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    if (first && line != kHeading) {
      return Corrupt("it does not start with \"" + std::string(kHeading) +
                     "\"");
    }
    if (first) {
      first = false;
      continue;
    }
    if (line == "plan") {
      break;
    }
    const auto fields = SplitFields(line);
    if (fields.size() == 2 && fields[0] == "boot") {
      if (fields[1] != boot_id) {
        return std::optional<ActivePlan>();
      }
      continue;
    }
    const auto pid = fields.size() >= 4 ? ParseInt(fields[1]) : std::nullopt;
    const auto start = fields.size() >= 4 ? ParseUint(fields[2]) : std::nullopt;
    if (!pid || !start || *pid <= 0 || fields[0] != "task" ||
        *pid > std::numeric_limits<pid_t>::max()) {
      return Corrupt("the line \"" + std::string(line) + "\" makes no sense");
    }
    const std::string task(
        line.substr(static_cast<size_t>(fields[3].data() - line.data())));
    active.processes[task] = {static_cast<pid_t>(*pid), *start};
  }
  auto plan = ReadPlan(text, "the plan in force");
  if (!plan) {
    return Corrupt(plan.error().message);
  }
  active.plan = std::move(*plan);
  return std::optional(std::move(active));
}

Result<void> AddActivePlan(const fs::path& home, const ActivePlan& active) {
  const fs::path folder = home / kFolder;
  std::error_code error;
  fs::create_directories(folder, error);
  int number = 1;
  while (fs::exists(folder / std::to_string(number))) {
    ++number;
  }
  const fs::path path = folder / std::to_string(number);
  const fs::path next = path.string() + ".tmp";
  if (auto written = WriteFile(next, FormatActivePlan(active, CurrentBootId()));
      !written) {
    return written;
  }
  fs::rename(next, path, error);
  if (error) {
    return Error{ErrorCodeFromErrno(error.value()),
                 "cannot write " + path.string() + ": " + error.message()};
  }
  return {};
}

void RemoveActivePlans(const fs::path& home) {
  std::error_code ignored;
  fs::remove_all(home / kFolder, ignored);
}

Result<std::vector<ActivePlan>> ReadActivePlans(const fs::path& home) {
  std::vector<ActivePlan> plans;
  std::error_code error;
  for (fs::directory_iterator at(home / kFolder, error), end;
       !error && at != end; at.increment(error)) {
    if (!ParseInt(at->path().filename().string())) {
      continue;
    }
    const auto text = ReadFile(at->path());
    if (!text) {
      return text.error();
    }
    auto active = ParseActivePlan(*text, CurrentBootId());
    if (!active) {
      return Error{active.error().code, active.error().message + "; look at " +
                                            at->path().string() +
                                            " and remove it"};
    }
    const auto runs = [](const auto& process) {
      return StartTicks(process.second.pid) == process.second.start_ticks;
    };
    if (*active && std::ranges::any_of((*active)->processes, runs)) {
      plans.push_back(std::move(**active));
    }
  }
  return plans;
}

}  // namespace edgewise

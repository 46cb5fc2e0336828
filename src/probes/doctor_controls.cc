// What the kernel lets us control.
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/cgroups.h"
#include "base/text.h"
#include "base/units.h"
#include "probes/doctor.h"
#include "probes/small_files.h"

namespace edgewise {
namespace {

Ability Control(std::string what, AbilityState state, std::string detail,
                std::string remedy = {}) {
  return {"control", std::move(what), state, std::move(detail),
          std::move(remedy)};
}

bool Writable(const std::filesystem::path& path) {
  return ::access(path.c_str(), W_OK) == 0;
}

constexpr char kDelegate[] =
    "run as root, or under: systemd-run --user --scope -p Delegate=yes";

// The folder in which a group with this controller could be made; empty if
// there is none that may be written to.
std::filesystem::path FolderFor(const CgroupLayout& layout,
                                const std::string& controller) {
  if (layout.unified) {
    const auto& names = layout.unified->controllers;
    if (std::find(names.begin(), names.end(), controller) != names.end() &&
        Writable(layout.unified->own)) {
      return layout.unified->own;
    }
  }
  const auto v1 = layout.v1.find(controller);
  return v1 != layout.v1.end() && Writable(v1->second)
             ? v1->second
             : std::filesystem::path();
}

void Cgroups(const DoctorInput& input, std::vector<Ability>* out) {
  const auto layout = FindCgroups(input.root);
  if (!layout) {
    out->push_back(Control("cgroup of its own", AbilityState::kMissing,
                           layout.error().message));
    return;
  }
  std::vector<std::string> places;
  if (layout->unified && Writable(layout->unified->own)) {
    places.push_back(layout->unified->own.string());
  }
  for (const auto& [name, folder] : layout->v1) {
    if (Writable(folder) && std::find(places.begin(), places.end(),
                                      folder.string()) == places.end()) {
      places.push_back(folder.string());
    }
  }
  out->push_back(
      places.empty()
          ? Control("cgroup of its own", AbilityState::kMissing,
                    "no cgroup folder may be written to; run falls back to a "
                    "process group",
                    kDelegate)
          : Control(
                "cgroup of its own", AbilityState::kAvailable,
                "may be made in " + places.front() +
                    (places.size() > 1
                         ? " and " + std::to_string(places.size() - 1) + " more"
                         : "")));
  for (const auto& [what, controller] :
       {std::pair{"CPU quota", "cpu"}, std::pair{"memory limit", "memory"}}) {
    const auto folder = FolderFor(*layout, controller);
    out->push_back(
        folder.empty()
            ? Control(what, AbilityState::kMissing,
                      "the " + std::string(controller) +
                          " controller is not here, or not ours to use",
                      kDelegate)
            : Control(what, AbilityState::kAvailable,
                      "through " + folder.string()));
  }
}

void RealTime(const DoctorInput& input, std::vector<Ability>* out) {
  const KernelAnswers& kernel = input.kernel;
  const std::filesystem::path settings = input.root / "proc/sys/kernel";
  const auto runtime_us = ReadNumber(settings / "sched_rt_runtime_us");
  const auto period_us = ReadNumber(settings / "sched_rt_period_us");
  const auto layout = FindCgroups(input.root);
  const bool group_budgets = layout && layout->v1.contains("cpu") &&
                             Exists(layout->v1.at("cpu") / "cpu.rt_runtime_us");
  std::string detail;
  if (runtime_us && period_us && *runtime_us >= 0) {
    detail = "real-time tasks share " + std::to_string(*runtime_us / 1000) +
             " of every " + std::to_string(*period_us / 1000) +
             " ms (sched_rt_runtime_us)";
  }
  if (group_budgets) {
    detail += std::string(detail.empty() ? "" : "; ") +
              "a new cpu cgroup has no real-time budget (RT_GROUP_SCHED), so "
              "real-time programs stay out of one";
  }
  if (kernel.fifo_errno == 0) {
    out->push_back(Control(
        "real-time policies",
        group_budgets ? AbilityState::kLimited : AbilityState::kAvailable,
        detail.empty() ? "fifo and rr" : "fifo and rr; " + detail));
  } else {
    const bool no_budget = group_budgets && kernel.root_user;
    out->push_back(Control(
        "real-time policies", AbilityState::kMissing,
        no_budget ? "this cpu cgroup has no real-time budget "
                    "(cpu.rt_runtime_us is 0)"
                  : "not permitted to this user (RLIMIT_RTPRIO is " +
                        std::to_string(kernel.realtime_priority_limit) + ")",
        no_budget ? "start edgewise from the root cpu cgroup"
                  : "run as root, or: echo \"$USER - rtprio 95\" | sudo tee "
                    "/etc/security/limits.d/edgewise.conf, and log in again"));
  }
  switch (kernel.deadline_errno) {
    case 0:
      out->push_back(Control("SCHED_DEADLINE", AbilityState::kAvailable,
                             "global over all cores; refused to programs with "
                             "an affinity"));
      break;
    case EPERM:
      out->push_back(
          Control("SCHED_DEADLINE", AbilityState::kMissing,
                  "not permitted to this user, or this process has an affinity "
                  "or a cpuset",
                  "run as root without taskset"));
      break;
    default:
      out->push_back(Control(
          "SCHED_DEADLINE", AbilityState::kMissing,
          "the kernel refused it: " + ErrnoText(kernel.deadline_errno)));
  }
}

Ability Nice(const DoctorInput& input) {
  if (input.kernel.negative_nice_errno == 0) {
    return Control("nice", AbilityState::kAvailable, "-20 to 19");
  }
  return Control(
      "nice", AbilityState::kLimited,
      "0 to 19: values below " +
          std::to_string(std::min<int64_t>(0, input.kernel.nice_limit)) +
          " are not permitted to this user",
      "run as root, or raise RLIMIT_NICE in /etc/security/limits.d");
}

Ability Affinity(const DoctorInput& input) {
  const auto cpu = input.root / "sys/devices/system/cpu";
  const std::string online = ReadName(cpu / "online");
  const std::string isolated = ReadName(cpu / "isolated");
  const auto cores = ParseCpuList(online);
  std::string detail =
      online.empty() ? "cores unknown" : "cores " + online + " online";
  if (!isolated.empty()) {
    detail += ", " + isolated + " isolated";
  }
  const int allowed = input.kernel.allowed_cores;
  const bool restricted =
      cores && allowed > 0 && allowed < static_cast<int>(cores->size());
  if (restricted) {
    detail += ", only " + std::to_string(allowed) + " of them ours to use";
  }
  return Control(
      "affinity",
      restricted ? AbilityState::kLimited : AbilityState::kAvailable, detail,
      restricted ? "start edgewise without taskset and outside of cpusets"
                 : "");
}

Ability Containers(const DoctorInput& input) {
  std::vector<std::string> found;
  for (const std::string engine : {"podman", "docker", "nerdctl"}) {
    if (const auto program = FindProgram(engine, input.search_path)) {
      found.push_back(program->string());
    }
  }
  return found.empty() ? Control("containers", AbilityState::kMissing,
                                 "no podman or docker in PATH",
                                 "sudo apt-get install podman")
                       : Control("containers", AbilityState::kAvailable,
                                 Join(found, ", "));
}

}  // namespace

void DiagnoseControls(const DoctorInput& input, std::vector<Ability>* out) {
  Cgroups(input, out);
  out->push_back(Affinity(input));
  out->push_back(Nice(input));
  RealTime(input, out);
  out->push_back(Containers(input));
}

}  // namespace edgewise

// What the kernel lets us measure of processes.
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "base/cgroups.h"
#include "base/text.h"
#include "base/units.h"
#include "probes/doctor.h"
#include "probes/perf_counters.h"
#include "probes/pressure.h"

namespace edgewise {
namespace {

Ability Measure(std::string what, AbilityState state, std::string detail,
                std::string remedy = {}) {
  return {"measure", std::move(what), state, std::move(detail),
          std::move(remedy)};
}

bool Readable(const std::filesystem::path& path) {
  return ::access(path.c_str(), R_OK) == 0;
}

// Whether this process holds a capability, by its number.
bool HasCapability(const std::filesystem::path& root, int number) {
  const auto status = TryReadFile(root / "proc/self/status");
  if (!status) {
    return false;
  }
  for (const std::string_view line : Split(*status, '\n')) {
    if (line.starts_with("CapEff:")) {
      const std::string digits(Trim(line.substr(7)));
      const unsigned long long bits =
          std::strtoull(digits.c_str(), nullptr, 16);
      return (bits >> number & 1) != 0;
    }
  }
  return false;
}
constexpr int kCapSysPtrace = 19;

Ability CpuAndMemory(const DoctorInput& input) {
  if (!Readable(input.root / "proc/self/stat")) {
    return Measure("CPU time and memory", AbilityState::kMissing,
                   "/proc is not mounted", "sudo mount -t proc proc /proc");
  }
  return Measure("CPU time and memory", AbilityState::kAvailable,
                 "of every process, to the nanosecond and the page");
}

Ability PerThread(const DoctorInput& input) {
  if (Readable(input.root / "proc/self/schedstat")) {
    return Measure("threads", AbilityState::kAvailable,
                   "CPU time, run-queue wait, switches and affinity of each");
  }
  return Measure("threads", AbilityState::kLimited,
                 "CPU time in ticks of 10 ms and no run-queue wait: the kernel "
                 "keeps no scheduler statistics",
                 "use a kernel with CONFIG_SCHED_INFO");
}

Ability Pss(const DoctorInput& input) {
  if (!Readable(input.root / "proc/self/smaps_rollup")) {
    return Measure("proportional memory (PSS)", AbilityState::kMissing,
                   "the kernel has no /proc/PID/smaps_rollup",
                   "use Linux 4.14 or later with CONFIG_PROC_PAGE_MONITOR");
  }
  if (HasCapability(input.root, kCapSysPtrace)) {
    return Measure("proportional memory (PSS)", AbilityState::kAvailable,
                   "of every process");
  }
  return Measure("proportional memory (PSS)", AbilityState::kLimited,
                 "of this user's processes only; the same holds for block I/O",
                 "run edgewise as root to attach to others' processes");
}

Ability CgroupAccount(const DoctorInput& input) {
  const auto layout = FindCgroups(input.root);
  if (!layout || (!layout->unified && layout->v1.empty())) {
    return Measure("cgroup accounts", AbilityState::kMissing,
                   "no cgroup file system is mounted",
                   "sudo mount -t cgroup2 none /sys/fs/cgroup");
  }
  std::string detail;
  if (layout->unified) {
    detail = "v2 at " + layout->unified->mount.string() +
             (layout->unified->controllers.empty()
                  ? " without controllers"
                  : " with " + Join(layout->unified->controllers, ", "));
  }
  if (!layout->v1.empty()) {
    std::vector<std::string> names;
    for (const auto& [name, folder] : layout->v1) {
      names.push_back(name);
    }
    detail += (detail.empty() ? "v1 with " : "; v1 with ") + Join(names, ", ");
  }
  return Measure("cgroup accounts", AbilityState::kAvailable, detail);
}

void PerfEvents(const DoctorInput& input, std::vector<Ability>* out) {
  const KernelAnswers& kernel = input.kernel;
  const auto paranoid = ReadPerfParanoid(input.root / "proc");
  const auto software = FindPerfEvent("context-switches");
  const auto hardware = FindPerfEvent("cycles");
  if (kernel.perf_software_errno == 0) {
    out->push_back(Measure(
        "software events",
        kernel.perf_user_only ? AbilityState::kLimited
                              : AbilityState::kAvailable,
        kernel.perf_user_only
            ? "page faults of the program itself; no switches, no migrations"
            : "switches, migrations, faults",
        kernel.perf_user_only ? "sudo sysctl kernel.perf_event_paranoid=1"
                              : ""));
  } else {
    out->push_back(Measure(
        "software events", AbilityState::kMissing,
        ExplainPerfRefusal(*software, kernel.perf_software_errno, paranoid),
        "sudo sysctl kernel.perf_event_paranoid=1"));
  }
  if (kernel.perf_hardware_errno == 0) {
    out->push_back(Measure("hardware counters", AbilityState::kAvailable,
                           "cycles, instructions, cache and branch misses"));
  } else {
    const bool refused = kernel.perf_hardware_errno == EACCES ||
                         kernel.perf_hardware_errno == EPERM;
    out->push_back(Measure(
        "hardware counters", AbilityState::kMissing,
        ExplainPerfRefusal(*hardware, kernel.perf_hardware_errno, paranoid),
        refused ? "sudo sysctl kernel.perf_event_paranoid=1"
                : "measure on the board itself, or ask the host of the "
                  "virtual machine for a virtual PMU"));
  }
  out->push_back(
      kernel.sampling_errno == 0
          ? Measure("call stacks", AbilityState::kAvailable,
                    "by the CPU clock: run --stacks 99")
          : Measure("call stacks", AbilityState::kMissing,
                    ExplainPerfRefusal(*FindPerfEvent("cpu-clock"),
                                       kernel.sampling_errno, paranoid),
                    "sudo sysctl kernel.perf_event_paranoid=1"));
}

// Python frames are read from the process's memory, as a debugger would.
Ability PythonFunctions(const DoctorInput& input) {
  const auto text =
      TryReadFile(input.root / "proc/sys/kernel/yama/ptrace_scope");
  const int64_t scope = text ? ParseInt(Trim(*text)).value_or(0) : 0;
  const bool may_trace = HasCapability(input.root, kCapSysPtrace);
  if (scope >= 3 || (scope == 2 && !may_trace)) {
    return Measure("Python functions in stacks", AbilityState::kMissing,
                   "kernel.yama.ptrace_scope is " + std::to_string(scope),
                   scope >= 3 ? "boot without it: it cannot be lowered again"
                              : "sudo sysctl kernel.yama.ptrace_scope=1");
  }
  if (!may_trace && scope == 1) {
    return Measure("Python functions in stacks", AbilityState::kLimited,
                   "CPython 3.11 and 3.12, of programs that edgewise starts",
                   "run edgewise as root to attach to running ones");
  }
  return Measure("Python functions in stacks", AbilityState::kAvailable,
                 "CPython 3.11 and 3.12");
}

Ability PressureStalls(const DoctorInput& input) {
  const auto reading = SystemPressure(input.root / "proc").Read();
  if (reading.cpu && reading.memory && reading.io) {
    return Measure("pressure stalls (PSI)", AbilityState::kAvailable,
                   "CPU, memory and I/O");
  }
  const bool some = reading.cpu || reading.memory || reading.io;
  return Measure("pressure stalls (PSI)",
                 some ? AbilityState::kLimited : AbilityState::kMissing,
                 some ? "only some of CPU, memory and I/O"
                      : "the kernel was built or booted without them",
                 "add psi=1 to the kernel command line (CONFIG_PSI)");
}

}  // namespace

void DiagnoseMeasuring(const DoctorInput& input, std::vector<Ability>* out) {
  out->push_back(CpuAndMemory(input));
  out->push_back(PerThread(input));
  out->push_back(Pss(input));
  out->push_back(CgroupAccount(input));
  PerfEvents(input, out);
  out->push_back(PythonFunctions(input));
  out->push_back(PressureStalls(input));
  if (input.kernel.store_free_bytes) {
    const int64_t free_bytes = *input.kernel.store_free_bytes;
    constexpr int64_t kComfortable = int64_t{256} << 20;
    const bool enough = free_bytes >= kComfortable;
    out->push_back(
        Measure("room for Runs",
                enough ? AbilityState::kAvailable : AbilityState::kLimited,
                FormatBytes(static_cast<double>(free_bytes)) + " free for " +
                    input.store_folder.string(),
                enough ? "" : "edgewise gc --keep 7d, or set EDGEWISE_HOME"));
  }
}

}  // namespace edgewise

#include "probes/perf_events.h"

#include <linux/perf_event.h>

#include <cerrno>
#include <charconv>

#include "base/nearest.h"
#include "base/text.h"

namespace edgewise {
namespace {

struct NamedEvent {
  std::string_view name;
  uint32_t type;
  uint64_t config;
};

constexpr NamedEvent kEvents[] = {
    {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {"cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
    {"cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    {"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    {"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
    {"bus-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES},
    {"ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES},
    {"stalled-cycles-frontend", PERF_TYPE_HARDWARE,
     PERF_COUNT_HW_STALLED_CYCLES_FRONTEND},
    {"stalled-cycles-backend", PERF_TYPE_HARDWARE,
     PERF_COUNT_HW_STALLED_CYCLES_BACKEND},
    {"task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
    {"cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK},
    {"context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
    {"cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
    {"page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    {"minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN},
    {"major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ},
    {"alignment-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS},
    {"emulation-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS},
};

std::optional<uint64_t> ParseRawCode(std::string_view name) {
  if (name.size() < 2 || name.front() != 'r') {
    return std::nullopt;
  }
  uint64_t code = 0;
  const char* const end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + 1, end, code, 16);
  if (error != std::errc() || stop != end) {
    return std::nullopt;
  }
  return code;
}

}  // namespace

std::vector<std::string> PerfEventNames() {
  std::vector<std::string> names;
  for (const NamedEvent& event : kEvents) {
    names.emplace_back(event.name);
  }
  return names;
}

Result<PerfEvent> FindPerfEvent(std::string_view name) {
  for (const NamedEvent& known : kEvents) {
    if (known.name == name) {
      PerfEvent event;
      event.name = name;
      event.type = known.type;
      event.config = known.config;
      event.hardware = known.type == PERF_TYPE_HARDWARE;
      event.nanoseconds = name == "task-clock" || name == "cpu-clock";
      event.only_in_kernel =
          name == "context-switches" || name == "cpu-migrations";
      return event;
    }
  }
  if (const auto code = ParseRawCode(name)) {
    return PerfEvent{std::string(name), PERF_TYPE_RAW, *code, true};
  }
  const std::vector<std::string> known = PerfEventNames();
  const auto nearest = Nearest(name, known);
  return Error{ErrorCode::kInvalid,
               "unknown event '" + std::string(name) + "'" +
                   (nearest ? "; did you mean '" + *nearest + "'?" : "") +
                   " Known are " + Join(known, ", ") +
                   ", and raw codes as rHEX."};
}

Result<std::vector<PerfEvent>> FindPerfEvents(
    const std::vector<std::string>& names) {
  std::vector<PerfEvent> events;
  for (const std::string& name : names) {
    Result<PerfEvent> event = FindPerfEvent(name);
    if (!event) {
      return event.error();
    }
    events.push_back(std::move(*event));
  }
  return events;
}

std::string ExplainPerfRefusal(const PerfEvent& event, int errno_value,
                               std::optional<int64_t> paranoid) {
  switch (errno_value) {
    case EACCES:
    case EPERM: {
      std::string why =
          "the kernel does not permit it to this user or for this process";
      if (paranoid && *paranoid > 1) {
        why += " (kernel.perf_event_paranoid is " + std::to_string(*paranoid) +
               "); run: sudo sysctl kernel.perf_event_paranoid=1";
      } else {
        why += "; run edgewise as root, or with CAP_PERFMON";
      }
      return why;
    }
    case ENOENT:
    case EOPNOTSUPP:
    case ENODEV:
      if (event.hardware) {
        return "this CPU or virtual machine has no such hardware counter "
               "(perf list hw shows what there is)";
      }
      return "this kernel does not have the event";
    case ENOSYS:
      return "this kernel was built without performance events "
             "(CONFIG_PERF_EVENTS), or the container forbids them";
    case EINVAL:
      return event.hardware ? "this CPU does not know the event"
                            : "this kernel does not know the event";
    case ESRCH:
      return "the process has ended";
    case EBUSY:
      return "another program holds the hardware counters";
    case EMFILE:
    case ENFILE:
      return "too many open files; raise the limit with ulimit -n";
    default:
      return "the kernel refused it: " + ErrnoText(errno_value);
  }
}

}  // namespace edgewise

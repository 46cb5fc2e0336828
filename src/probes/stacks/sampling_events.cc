#include "probes/stacks/sampling_events.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/text.h"
#include "base/units.h"
#include "probes/perf_counters.h"
#include "probes/process_members.h"

namespace edgewise {
namespace {

// All buffers together; the samples of a tenth of a second fit in each.
constexpr size_t kAllRingsBytes = size_t{4} << 20;
constexpr size_t kMostRingBytes = size_t{512} << 10;
constexpr size_t kLeastRingBytes = size_t{128} << 10;
// Threads times CPUs; each is a descriptor.
constexpr size_t kMostEvents = 800;

UniqueFd OpenEvent(perf_event_attr attr, int target, int cpu, uint64_t flags) {
  return UniqueFd(static_cast<int>(::syscall(SYS_perf_event_open, &attr, target,
                                             cpu, /*group_fd=*/-1,
                                             flags | PERF_FLAG_FD_CLOEXEC)));
}

std::vector<int> OnlineCpus() {
  const auto text = TryReadFile("/sys/devices/system/cpu/online");
  auto cpus = ParseCpuList(Trim(text.value_or("")));
  return cpus && !cpus->empty() ? *cpus : std::vector<int>{0};
}

bool Refused(int error) { return error == EACCES || error == EPERM; }

size_t RingBytes(size_t cpus) {
  return std::clamp(kAllRingsBytes / std::max<size_t>(cpus, 1), kLeastRingBytes,
                    kMostRingBytes);
}

// Samples of everything in a cgroup, or of the whole machine (target -1).
// Returns 0, or why the kernel refused.
int OpenOnCpus(const std::vector<int>& cpus, int target, uint64_t flags,
               const SamplingOptions& options, std::vector<PerfRing>* rings,
               Error* no_ring) {
  for (const int cpu : cpus) {
    UniqueFd event = OpenEvent(SamplingAttributes(options), target, cpu, flags);
    if (!event.valid()) {
      const int error = errno;
      rings->clear();
      return error;
    }
    auto ring = PerfRing::Create(std::move(event), RingBytes(cpus.size()));
    if (!ring) {
      *no_ring = ring.error();
      rings->clear();
      return EPERM;
    }
    rings->push_back(std::move(*ring));
  }
  return 0;
}

std::vector<pid_t> ThreadsOf(const SamplingTarget& target) {
  if (!target.attached) {
    return {target.pid};
  }
  std::vector<pid_t> threads;
  for (const pid_t pid : target.processes) {
    const std::vector<pid_t> of_process = NumberedEntries(
        std::filesystem::path("/proc") / std::to_string(pid) / "task");
    threads.insert(threads.end(), of_process.begin(), of_process.end());
  }
  return threads;
}

// One event per thread and CPU; those of a CPU share a buffer.
int OpenOnThreads(const std::vector<int>& cpus,
                  const std::vector<pid_t>& threads,
                  const SamplingOptions& options, std::vector<PerfRing>* rings,
                  Error* no_ring) {
  for (const int cpu : cpus) {
    std::optional<PerfRing> ring;
    for (const pid_t thread : threads) {
      UniqueFd event = OpenEvent(SamplingAttributes(options), thread, cpu, 0);
      if (!event.valid()) {
        if (errno == ESRCH && threads.size() > 1) {
          continue;  // ended meanwhile
        }
        const int error = errno;
        rings->clear();
        return error;
      }
      if (ring) {
        (void)ring->AddEvent(std::move(event));
        continue;
      }
      auto made = PerfRing::Create(std::move(event), RingBytes(cpus.size()));
      if (!made) {
        *no_ring = made.error();
        rings->clear();
        return EPERM;
      }
      ring.emplace(std::move(*made));
    }
    if (ring) {
      rings->push_back(std::move(*ring));
    }
  }
  return rings->empty() ? ESRCH : 0;
}

}  // namespace

Result<SamplingEvents> OpenSamplingEvents(const SamplingTarget& target,
                                          SamplingOptions options) {
  const std::vector<int> cpus = OnlineCpus();
  SamplingEvents events;
  Error no_ring;
  int error = EACCES;
  const bool filters = !target.processes.empty();
  if (!target.cgroup.empty()) {
    const UniqueFd folder(
        ::open(target.cgroup.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    error = folder.valid()
                ? OpenOnCpus(cpus, folder.get(), PERF_FLAG_PID_CGROUP, options,
                             &events.rings, &no_ring)
                : errno;
  }
  // The machine's root group is no group to perf: everything is in it.
  if (error != 0 && target.attached) {
    error = OpenOnCpus(cpus, -1, 0, options, &events.rings, &no_ring);
  }
  if (error == 0) {
    events.tree = filters ? SampledTree(target.processes) : SampledTree();
    return events;
  }

  const std::vector<pid_t> threads = ThreadsOf(target);
  if (threads.size() * cpus.size() > kMostEvents) {
    return Error{ErrorCode::kUnsupported,
                 "the program has too many threads to sample each of them: "
                 "run edgewise as root, which samples all at once"};
  }
  options.inherit = true;
  options.enable_on_exec = !target.attached;
  events.by_inheritance = true;
  error = OpenOnThreads(cpus, threads, options, &events.rings, &no_ring);
  if (Refused(error) && no_ring.message.empty()) {
    options.with_kernel = false;
    events.user_only = true;
    error = OpenOnThreads(cpus, threads, options, &events.rings, &no_ring);
  }
  if (error == 0) {
    return events;
  }
  if (!no_ring.message.empty()) {
    return no_ring;
  }
  return Error{ErrorCodeFromErrno(error),
               ExplainPerfRefusal(*FindPerfEvent("cpu-clock"), error,
                                  ReadPerfParanoid())};
}

}  // namespace edgewise

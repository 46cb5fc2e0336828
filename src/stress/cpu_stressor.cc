#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>

#include "base/clock.h"
#include "base/text.h"
#include "stress/stressors.h"

namespace edgewise {
namespace {

constexpr int64_t kPieceNs = 50'000;

// Spins for a moment; returns the CPU time it took.
double SpinAWhile() {
  const int64_t begin_ns = ThreadCpuNs();
  int64_t now_ns = begin_ns;
  while (now_ns - begin_ns < kPieceNs) {
    uint64_t value = static_cast<uint64_t>(now_ns) | 1;
    for (int i = 0; i < 20'000; ++i) {
      value = value * 6364136223846793005u + 1442695040888963407u;
      asm volatile("" : "+r"(value));
    }
    now_ns = ThreadCpuNs();
  }
  return static_cast<double>(now_ns - begin_ns);
}

// How long this thread was ready but not running; nullopt where the kernel
// does not tell.
std::optional<int64_t> RunQueueWaitNs(const std::filesystem::path& proc_root) {
  const auto text = TryReadFile(proc_root / "thread-self/schedstat");
  if (!text) {
    return std::nullopt;
  }
  const auto fields = SplitFields(*text);
  return fields.size() < 2 ? std::nullopt : ParseInt(fields[1]);
}

struct ThreadTime {
  double cpu_ns = 0;
  std::optional<double> wait_ns;
};

class CpuStressor : public Stressor {
 public:
  explicit CpuStressor(const StressSettings& settings) : settings_(settings) {}

  Result<StressOutcome> Press(const StopClock& stop) override {
    const double cores =
        settings_.spec.dial_percent / 100 * static_cast<double>(UsableCores());
    // As few threads as can do it, one after the other full; with more asked
    // for, all of them the same.
    const bool even = settings_.threads > 1 && cores > 0;
    const auto count = static_cast<size_t>(
        even
            ? std::max(std::ceil(cores), static_cast<double>(settings_.threads))
            : std::ceil(cores));
    std::vector<ThreadTime> times(count);
    const int64_t begin_ns = MonotonicNs();
    std::vector<std::thread> threads;
    for (size_t i = 0; i < times.size(); ++i) {
      const double share = even ? cores / static_cast<double>(count)
                                : std::min(1.0, cores - static_cast<double>(i));
      threads.emplace_back(
          [this, &stop, share, time = &times[i]] { Spin(stop, share, time); });
    }
    if (threads.empty()) {
      stop.SleepUntil(stop.deadline_ns());
    }
    for (std::thread& thread : threads) {
      thread.join();
    }
    const auto wall_ns = static_cast<double>(MonotonicNs() - begin_ns);
    return Judge(times, cores, wall_ns);
  }

 private:
  void Spin(const StopClock& stop, double share, ThreadTime* time) const {
    const auto wait_before = RunQueueWaitNs(settings_.proc_root);
    time->cpu_ns = DoAtRate(
        stop, share < 1 ? share * 1e9 : std::numeric_limits<double>::infinity(),
        SpinAWhile);
    const auto wait_after = RunQueueWaitNs(settings_.proc_root);
    if (wait_before && wait_after) {
      time->wait_ns = static_cast<double>(*wait_after - *wait_before);
    }
  }

  // What a thread waited for a core is pressure too: others had the core.
  static StressOutcome Judge(const std::vector<ThreadTime>& times, double cores,
                             double wall_ns) {
    double cpu_ns = 0;
    double wait_ns = 0;
    for (const ThreadTime& time : times) {
      cpu_ns += time.cpu_ns;
      wait_ns += time.wait_ns.value_or(0);
    }
    StressOutcome outcome;
    outcome.figures.push_back({"CPU time", "cores", cores, cpu_ns / wall_ns});
    outcome.figures.push_back(
        {"waited for a core", "cores", std::nullopt, wait_ns / wall_ns});
    outcome.applied = cpu_ns + wait_ns >= kReachedShare * cores * wall_ns;
    if (!outcome.applied) {
      outcome.reason =
          "it got less CPU time than it asked for: another limit (a quota, a "
          "hypervisor) holds it back";
    }
    return outcome;
  }

  StressSettings settings_;
};

}  // namespace

MadeStressor MakeCpuStressor(const StressSettings& settings) {
  return std::unique_ptr<Stressor>(std::make_unique<CpuStressor>(settings));
}

}  // namespace edgewise

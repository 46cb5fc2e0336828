// What a GpuSummary suggests to change.
#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"
#include "gpu/summary.h"

namespace edgewise {
namespace {

// Below these shares a change would not be worth the work.
constexpr double kWorthwhile = 0.10;
constexpr double kMuchIdle = 0.30;
constexpr int64_t kMany = 100;

double Share(int64_t part, int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

std::string Percent(double share) {
  return fmt::format("{:.0f}%", 100 * share);
}

std::string Time(int64_t ns) { return FormatDuration(static_cast<double>(ns)); }

// Names of templates go on for lines.
std::string ShortName(const std::string& name) {
  constexpr size_t kMostBytes = 80;
  return name.size() <= kMostBytes ? name
                                   : name.substr(0, kMostBytes - 3) + "...";
}

void AdvisePinning(const GpuSummary& summary,
                   std::vector<std::string>* advice) {
  int64_t pageable_ns = 0;
  for (const GpuCopyUse& copies : summary.copies) {
    pageable_ns += copies.pageable_ns;
  }
  if (const double share = Share(pageable_ns, summary.busy_ns);
      share >= kWorthwhile) {
    advice->push_back(fmt::format(
        "{} of GPU time is copies of pageable memory: pin it (cudaHostAlloc, "
        "cudaHostRegister, or pin_memory=True in PyTorch)",
        Percent(share)));
  }
}

void AdviseOverlap(const GpuSummary& summary,
                   std::vector<std::string>* advice) {
  // Where one of the two is short there is little to hide.
  const int64_t hideable_ns =
      std::min(summary.copy_ns, summary.kernel_ns) - summary.overlap_ns;
  if (const double share = Share(hideable_ns, summary.busy_ns);
      share >= kWorthwhile) {
    advice->push_back(fmt::format(
        "copies and kernels take turns; up to {} of GPU time could be hidden: "
        "copy the next input on a second stream (cudaMemcpyAsync from pinned "
        "memory) while a kernel runs",
        Percent(share)));
  }
}

bool UsesGraphs(const GpuSummary& summary) {
  return std::any_of(
      summary.calls.begin(), summary.calls.end(), [](const GpuCallUse& call) {
        return call.name.find("GraphLaunch") != std::string::npos;
      });
}

void AdviseIdle(const GpuSummary& summary, std::vector<std::string>* advice) {
  const double idle = Share(summary.span_ns - summary.busy_ns, summary.span_ns);
  if (idle < kMuchIdle) {
    return;
  }
  if (summary.kernel_count >= kMany && summary.launch_mean_ns &&
      !UsesGraphs(summary) &&
      summary.kernel_ns / summary.kernel_count < 3 * *summary.launch_mean_ns) {
    advice->push_back(fmt::format(
        "the GPU was idle {} of the time: {} kernels take {} on average, and "
        "launching one takes {}; fuse them, or capture the sequence as a CUDA "
        "graph",
        Percent(idle), FormatCount(summary.kernel_count),
        Time(summary.kernel_ns / summary.kernel_count),
        Time(*summary.launch_mean_ns)));
    return;
  }
  advice->push_back(fmt::format(
      "the GPU was idle {} of the time between its first and last work, at "
      "most {} at once: the program prepares the next item too late; prepare "
      "it on another thread, or use larger batches",
      Percent(idle), Time(summary.longest_gap_ns)));
}

void AdviseSmallCopies(const GpuSummary& summary,
                       std::vector<std::string>* advice) {
  constexpr int64_t kSmallBytes = 64 * 1024;
  for (const GpuCopyUse& copies : summary.copies) {
    const bool crosses_the_bus =
        copies.way == "host to device" || copies.way == "device to host";
    if (copies.count < kMany || !crosses_the_bus ||
        Share(copies.total_ns, summary.busy_ns) < kWorthwhile) {
      continue;
    }
    const int64_t bytes_each = copies.bytes / copies.count;
    if (bytes_each < kSmallBytes) {
      advice->push_back(fmt::format(
          "{} copies {} move {} each: gather them into few large ones",
          FormatCount(copies.count), copies.way,
          FormatBytes(static_cast<double>(bytes_each))));
    }
  }
}

void AdviseKernel(const GpuSummary& summary, std::vector<std::string>* advice) {
  if (summary.kernels.empty()) {
    return;
  }
  const GpuKernelUse& top = summary.kernels.front();
  const double share = Share(top.total_ns, summary.busy_ns);
  if (share < kWorthwhile) {
    return;
  }
  if (summary.multiprocessors > 0 &&
      top.blocks <= summary.multiprocessors / 2) {
    advice->push_back(fmt::format(
        "{} takes {} of GPU time and uses {} of {} multiprocessors: give it "
        "more blocks",
        ShortName(top.name), Percent(share), top.blocks,
        summary.multiprocessors));
  }
  constexpr double kLowPercent = 50;
  if (top.occupancy_percent && *top.occupancy_percent < kLowPercent) {
    std::string remedy = "try another block size";
    if (top.occupancy_limit == "registers") {
      remedy = fmt::format(
          "it uses {} registers a thread; fewer (__launch_bounds__, "
          "-maxrregcount) may help",
          top.thread_registers);
    } else if (top.occupancy_limit == "shared memory") {
      remedy = fmt::format("it uses {} of shared memory a block; less may help",
                           FormatBytes(static_cast<double>(top.shared_bytes)));
    } else if (top.block_threads > 0) {
      remedy =
          fmt::format("its blocks have {} threads; a multiple of 128 may help",
                      top.block_threads);
    }
    advice->push_back(fmt::format(
        "{} takes {} of GPU time and can fill at most {:.0f}% of a "
        "multiprocessor: {}",
        ShortName(top.name), Percent(share), *top.occupancy_percent, remedy));
  }
}

}  // namespace

std::vector<std::string> GpuAdvice(const GpuSummary& summary) {
  std::vector<std::string> advice;
  AdvisePinning(summary, &advice);
  AdviseIdle(summary, &advice);
  AdviseOverlap(summary, &advice);
  AdviseSmallCopies(summary, &advice);
  AdviseKernel(summary, &advice);
  return advice;
}

}  // namespace edgewise

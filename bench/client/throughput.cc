// Spans through rings into a counting sink: what is lost at a steady rate
// above one million per second, what the collector pays for it, and how many
// per second get through at most.
#include <algorithm>
#include <cstdlib>

#include "counting_collector.h"
#include "edgewise/edgewise.hpp"

namespace edgewise {
namespace {

constexpr uint64_t kPaceNs = 800;  // 1.25 million per second
constexpr uint64_t kSteadySpans = 5'000'000;
constexpr uint64_t kBlock = 64;
constexpr uint64_t kCatchUpNs = 2'000'000;
constexpr uint64_t kBurstNs = 2'000'000'000;

// Timers at a steady rate. When the machine holds the thread up it makes up for
// two milliseconds at most: a longer burst would be another rate.
double RunSteadily(edgewise_name name) {
  const uint64_t start_ns = edgewise_now_ns();
  uint64_t next_ns = start_ns;
  for (uint64_t done = 0; done < kSteadySpans; done += kBlock) {
    uint64_t now_ns = edgewise_now_ns();
    while (now_ns < next_ns) {
      now_ns = edgewise_now_ns();
    }
    next_ns = std::max(next_ns + kBlock * kPaceNs, now_ns - kCatchUpNs);
    for (uint64_t i = 0; i < kBlock; ++i) {
      edgewise_span span;
      edgewise_timer_begin(&span, name);
      edgewise_span_end(&span);
    }
  }
  return static_cast<double>(edgewise_now_ns() - start_ns) / 1e9;
}

// As fast as the thread can; returns how many it has written.
uint64_t RunFlatOut(edgewise_name name) {
  const uint64_t start_ns = edgewise_now_ns();
  uint64_t written = 0;
  for (uint64_t now_ns = start_ns; now_ns - start_ns < kBurstNs; ++written) {
    now_ns = edgewise_now_ns();
    edgewise_span_record(name, now_ns, 1, EDGEWISE_NO_CPU_TIME, nullptr, 0);
  }
  return written;
}

}  // namespace
}  // namespace edgewise

int main() {
  using namespace edgewise;
  setenv("EDGEWISE_RING_BYTES", "1048576", 1);
  const edgewise_name name = edgewise_intern("bench_span");
  {
    CountingCollector collector;
    if (edgewise_connect() != 1) {
      return 1;
    }
    const double seconds = RunSteadily(name);
    const CollectorTotals totals = collector.Stop();
    const double rate = static_cast<double>(totals.spans) / seconds;
    PrintFigure("spans_through_rings", rate, "1/s", ">=1e6", rate >= 1e6);
    const double lost = static_cast<double>(kSteadySpans - totals.spans);
    PrintFigure("spans_lost_at_that_rate", lost, "spans", "==0", lost == 0);
    PrintFigure("collector_cpu_at_that_rate", 100 * totals.cpu_s / seconds, "%",
                "-", true);
  }
  {
    CountingCollector collector;
    if (edgewise_connect() != 1) {
      return 1;
    }
    const uint64_t written = RunFlatOut(name);
    const CollectorTotals totals = collector.Stop();
    PrintFigure("spans_collected_flat_out",
                static_cast<double>(totals.spans) / (kBurstNs / 1e9), "1/s",
                "-", true);
    PrintFigure("collector_ns_per_span",
                1e9 * totals.cpu_s / static_cast<double>(totals.spans), "ns",
                "-", true);
    const bool all_accounted = totals.spans + totals.dropped == written;
    PrintFigure("spans_unaccounted_flat_out",
                static_cast<double>(written) -
                    static_cast<double>(totals.spans + totals.dropped),
                "spans", "==0", all_accounted);
  }
}

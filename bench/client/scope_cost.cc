// What a measured scope costs, as a ratio to the bare clock calls it contains.
//
// Rounds of both are interleaved and the median of the rounds' ratios counts,
// so that a busy neighbour disturbs both sides alike.
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "counting_collector.h"
#include "edgewise/edgewise.hpp"

namespace edgewise {
namespace {

constexpr int kRounds = 401;
// As many as a program may measure before it does something else.
constexpr int kCalls = 1000;

double NowNs() { return static_cast<double>(edgewise_now_ns()); }

inline void ReadClock(clockid_t clock) {
  timespec now;
  clock_gettime(clock, &now);
  asm volatile("" : : "r"(&now) : "memory");
}

template <typename Body>
double NsPerCall(int calls, Body body) {
  const double start = NowNs();
  for (int i = 0; i < calls; ++i) {
    body();
  }
  return (NowNs() - start) / calls;
}

struct Cost {
  double ratio = 0;
  double measured_ns = 0;
  double bare_ns = 0;
};

double Median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2,
                   values.end());
  return values[values.size() / 2];
}

template <typename Measured, typename Bare>
Cost Compare(int calls, Measured measured, Bare bare) {
  std::vector<double> ratios, measured_ns, bare_ns;
  for (int round = 0; round < kRounds; ++round) {
    const bool bare_first = round % 2 == 0;
    double bare_cost = bare_first ? NsPerCall(calls, bare) : 0;
    const double measured_cost = NsPerCall(calls, measured);
    if (!bare_first) {
      bare_cost = NsPerCall(calls, bare);
    }
    ratios.push_back(measured_cost / bare_cost);
    measured_ns.push_back(measured_cost);
    bare_ns.push_back(bare_cost);
    // Lets the collector catch up, as it does at any rate a real program has.
    usleep(3000);
  }
  return {Median(ratios), Median(measured_ns), Median(bare_ns)};
}

void Print(const char* name, const Cost& cost, double bar) {
  PrintFigure(std::string(name) + "_ratio", cost.ratio, "x",
              "<=" + std::to_string(bar).substr(0, 3), cost.ratio <= bar);
  PrintFigure(std::string(name) + "_ns", cost.measured_ns, "ns", "-", true);
  PrintFigure(std::string(name) + "_bare_ns", cost.bare_ns, "ns", "-", true);
}

}  // namespace
}  // namespace edgewise

int main() {
  using namespace edgewise;
  setenv("EDGEWISE_RING_BYTES", "1048576", 1);
  static Name timer_name("bench_timer");
  const auto two_clocks = [] {
    ReadClock(CLOCK_MONOTONIC);
    ReadClock(CLOCK_MONOTONIC);
  };
  {
    setenv("EDGEWISE_SOCKET", "/nonexistent/edgewise.sock", 1);
    const Cost none = Compare(
        kCalls, [] { Timer timer(timer_name); }, two_clocks);
    Print("timer_without_collector", none, 1.0);
  }
  CountingCollector collector;
  if (edgewise_connect() != 1) {
    return 1;
  }
  Print("timer",
        Compare(
            kCalls, [] { Timer timer(timer_name); }, two_clocks),
        1.3);
  Print("timer_by_text",
        Compare(
            kCalls, [] { Timer timer("bench_timer_by_text"); }, two_clocks),
        1.3);
  Print("measure",
        Compare(
            kCalls, [] { EDGEWISE_MEASURE("bench_measure"); },
            [] {
              ReadClock(CLOCK_THREAD_CPUTIME_ID);
              ReadClock(CLOCK_MONOTONIC);
              ReadClock(CLOCK_MONOTONIC);
              ReadClock(CLOCK_THREAD_CPUTIME_ID);
            }),
        1.2);
  const CollectorTotals totals = collector.Stop();
  const double written = 3.0 * kRounds * kCalls;
  const double lost = written - static_cast<double>(totals.spans);
  PrintFigure("scope_spans_lost", lost, "spans", "==0", lost == 0);
}

// Speed of the verdicts: how many task sets a second can be proven or refuted.
// Load 95%, periods from 1 ms to 1 s spread evenly by magnitude, deadlines
// short enough that some sets are schedulable and some are not.
//
// Prints one line per figure: name, value, unit, bar, pass|fail|-.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "scheduling/edf.h"
#include "scheduling/edf_response.h"
#include "scheduling/task.h"
#include "stats/random.h"

namespace edgewise::scheduling {
namespace {

constexpr double kLoad = 0.95;
constexpr double kBarMs = 1;

// Deadlines are between `shortest` periods and half a period more.
std::vector<Task> RandomSet(int count, double shortest, stats::Random* random) {
  std::vector<Task> tasks;
  double left = kLoad;
  for (int i = count; i > 0; --i) {
    const double rest =
        i == 1 ? 0 : left * std::pow(random->Uniform(), 1.0 / (i - 1));
    const double period_ns = 1e6 * std::pow(1000, random->Uniform());
    Task task;
    task.name = "t" + std::to_string(i);
    task.period_ns = std::llround(period_ns / 1e5) * 100'000;
    task.wcet_ns = std::max<int64_t>(
        1, static_cast<int64_t>((left - rest) *
                                static_cast<double>(task.period_ns)));
    task.deadline_ns =
        std::max(task.wcet_ns,
                 static_cast<int64_t>(static_cast<double>(task.period_ns) *
                                      (shortest + 0.5 * random->Uniform())));
    tasks.push_back(std::move(task));
    left = rest;
  }
  return tasks;
}

struct Spent {
  double mean_ms = 0;
  double yes_percent = 0;
};

template <typename Verdict>
Spent Measure(std::span<const std::vector<Task>> sets, const Verdict& verdict) {
  int64_t yes = 0;
  const auto start = std::chrono::steady_clock::now();
  for (const std::vector<Task>& set : sets) yes += verdict(set) ? 1 : 0;
  const std::chrono::duration<double, std::milli> took =
      std::chrono::steady_clock::now() - start;
  const double count = static_cast<double>(sets.size());
  return {took.count() / count, 100 * static_cast<double>(yes) / count};
}

void Print(const std::string& name, double value, const char* unit,
           const char* bar, const char* verdict) {
  std::printf("%s\t%.3g\t%s\t%s\t%s\n", name.c_str(), value, unit, bar,
              verdict);
}

int Main() {
  stats::Random random(1);
  struct Size {
    int count;
    double shortest;
  };
  for (const auto [count, shortest] :
       {Size{10, 0.4}, Size{100, 0.28}, Size{1000, 0.2}}) {
    std::vector<std::vector<Task>> sets(20'000 / static_cast<size_t>(count));
    for (auto& set : sets) set = RandomSet(count, shortest, &random);
    const std::string of = " of " + std::to_string(count) + " tasks";
    const Spent plain = Measure(sets, [](const std::vector<Task>& set) {
      return *IsEdfSchedulable(set);
    });
    const bool bar = count == 100;
    Print("scheduling: EDF verdict" + of, plain.mean_ms, "ms",
          bar ? "<= 1" : "-",
          bar ? (plain.mean_ms <= kBarMs ? "pass" : "fail") : "-");
    Print("scheduling: EDF verdicts" + of, 1000 / plain.mean_ms, "sets/s", "-",
          "-");
    const Spent witnessed = Measure(sets, [](const std::vector<Task>& set) {
      return AnalyseEdf(set)->schedulable;
    });
    Print("scheduling: EDF verdict with witness" + of, witnessed.mean_ms, "ms",
          "-", "-");
    const Spent blocked = Measure(sets, [](const std::vector<Task>& set) {
      return *IsEdfSchedulable(set, {.preemptive = false});
    });
    Print("scheduling: non-preemptive EDF verdict" + of, blocked.mean_ms, "ms",
          "-", "-");
    if (count <= 100) {
      const auto few = std::span(sets).first(20);
      const Spent responses = Measure(few, [](const std::vector<Task>& set) {
        return EdfResponses(set, true).ok();
      });
      Print("scheduling: EDF response times" + of, responses.mean_ms, "ms", "-",
            "-");
    }
    Print("scheduling: schedulable sets" + of, plain.yes_percent, "%", "-",
          "-");
  }
  return 0;
}

}  // namespace
}  // namespace edgewise::scheduling

int main() { return edgewise::scheduling::Main(); }

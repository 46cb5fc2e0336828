// Speed of the verdicts: how many task sets a second can be proven or refuted.
// Load 95%, periods from 1 ms to 1 s spread evenly by magnitude, deadlines
// between half a period and the whole: about half of the sets are schedulable.
//
// Prints one line per figure: name, value, unit, bar, pass|fail|-.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
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

std::vector<Task> RandomSet(int count, stats::Random* random) {
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
    task.deadline_ns = std::max(
        task.wcet_ns, static_cast<int64_t>(static_cast<double>(task.period_ns) *
                                           (0.5 + 0.5 * random->Uniform())));
    tasks.push_back(std::move(task));
    left = rest;
  }
  return tasks;
}

struct Spent {
  double mean_ms = 0;
  double longest_ms = 0;  // of the means of a tenth of the sets
  double yes_percent = 0;
};

template <typename Verdict>
Spent Measure(const std::vector<std::vector<Task>>& sets,
              const Verdict& verdict) {
  constexpr size_t kParts = 10;
  const size_t part = sets.size() / kParts;
  Spent spent;
  for (size_t i = 0; i < kParts; ++i) {
    const auto start = std::chrono::steady_clock::now();
    for (size_t j = i * part; j < (i + 1) * part; ++j) {
      spent.yes_percent += verdict(sets[j]) ? 1 : 0;
    }
    const std::chrono::duration<double, std::milli> took =
        std::chrono::steady_clock::now() - start;
    const double each_ms = took.count() / static_cast<double>(part);
    spent.mean_ms += each_ms / kParts;
    spent.longest_ms = std::max(spent.longest_ms, each_ms);
  }
  spent.yes_percent *= 100.0 / static_cast<double>(part * kParts);
  return spent;
}

void Print(const std::string& name, double value, const char* unit,
           const char* bar, const char* verdict) {
  std::printf("%s\t%.3g\t%s\t%s\t%s\n", name.c_str(), value, unit, bar,
              verdict);
}

int Main() {
  stats::Random random(1);
  for (const int count : {10, 100, 1000}) {
    std::vector<std::vector<Task>> sets(20'000 / static_cast<size_t>(count));
    for (auto& set : sets) set = RandomSet(count, &random);
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
    Print("scheduling: schedulable sets" + of, plain.yes_percent, "%", "-",
          "-");
  }
  return 0;
}

}  // namespace
}  // namespace edgewise::scheduling

int main() { return edgewise::scheduling::Main(); }

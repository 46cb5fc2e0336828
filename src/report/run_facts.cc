#include "report/run_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "base/units.h"
#include "report/figures.h"
#include "report/gpu_tables.h"
#include "report/utf8.h"

namespace edgewise {
namespace {

// A sampled series by name; nullptr if this Run has none.
const SeriesAnalysis* FindSystem(const RunAnalysis& analysis,
                                 std::string_view name) {
  for (const SeriesAnalysis& series : analysis.series) {
    if (series.kind == SeriesKind::kSystem && series.name == name) {
      return &series;
    }
  }
  return nullptr;
}

std::vector<double> TrendOf(const RunAnalysis& analysis,
                            std::string_view name) {
  std::vector<double> values;
  if (const SeriesAnalysis* series = FindSystem(analysis, name)) {
    for (const Point& point : series->trend) {
      values.push_back(point.value);
    }
  }
  return values;
}

Fact CpuFact(const Run& run, const RunAnalysis& analysis) {
  const Totals& totals = run.totals;
  return {"CPU",
          {PercentText(analysis.cpu_percent) + " of one core",
           "user " + SecondsText(totals.cpu_user_s),
           "system " + SecondsText(totals.cpu_system_s)},
          TrendOf(analysis, "cpu_percent")};
}

Fact WallFact(const Totals& totals) {
  Fact fact{"wall", {SecondsText(totals.wall_s)}, {}};
  if (totals.max_threads || totals.max_processes) {
    fact.pieces.push_back(fmt::format(
        "{} thread{} in {} process{}", CountText(totals.max_threads),
        totals.max_threads == 1 ? "" : "s", CountText(totals.max_processes),
        totals.max_processes == 1 ? "" : "es"));
  }
  return fact;
}

Fact ThrottlingFact(const Totals& totals) {
  Fact fact{
      "waiting", {SecondsText(totals.run_queue_wait_s) + " for a core"}, {}};
  if (totals.throttled_periods == 0 || totals.throttled_s == 0.0) {
    fact.pieces.push_back("never throttled");
  } else if (totals.throttled_periods) {
    fact.pieces.push_back(
        fmt::format("throttled {} in {}", SecondsText(totals.throttled_s),
                    FormatCount(*totals.throttled_periods, "period")));
  } else {
    fact.pieces.push_back("throttled " + SecondsText(totals.throttled_s));
  }
  fact.pieces.push_back("stolen by the host " + SecondsText(totals.steal_s));
  return fact;
}

// Frequency, temperature and power: the sensors that a board may lack.
Fact BoardFact(const Run& run, const RunAnalysis& analysis) {
  Fact fact{"board", {}, {}};
  const SeriesAnalysis* frequency = FindSystem(analysis, "cpu_frequency");
  fact.pieces.push_back(frequency != nullptr && frequency->mean
                            ? ScaledText(*frequency->mean * 1e6) + "Hz mean"
                            : "frequency --");
  const SeriesAnalysis* temperature = FindSystem(analysis, "temperature");
  fact.pieces.push_back(
      temperature != nullptr && temperature->max
          ? fmt::format("at most {:.1f} °C", *temperature->max)
          : "temperature --");
  const SeriesAnalysis* power = FindSystem(analysis, "power");
  std::string power_text = power != nullptr && power->mean
                               ? Figure(*power->mean) + " W mean"
                               : "power --";
  if (run.totals.energy_j) {
    power_text += fmt::format(" ({} J)", Figure(*run.totals.energy_j));
  }
  fact.pieces.push_back(std::move(power_text));
  return fact;
}

bool IsMultiplexed(const CounterValue& counter) {
  return counter.value && counter.running_share < 0.999;
}

// "≈" before what rests on a counter that was not on the hardware all the time.
std::string ScaledMark(const Run& run, std::string_view counter_name) {
  for (const CounterValue& counter : run.counters) {
    if (counter.name == counter_name && IsMultiplexed(counter)) {
      return "≈";
    }
  }
  return "";
}

// The kernel's clock events count nanoseconds.
std::string CounterText(const CounterValue& counter) {
  const bool is_clock =
      counter.name == "task-clock" || counter.name == "cpu-clock";
  return is_clock && counter.value ? SecondsText(*counter.value * 1e-9)
                                   : ScaledText(counter.value);
}

// Rates instead of the counts behind them; all other counters as they are.
Fact CounterFact(const Run& run, const RunAnalysis& analysis) {
  Fact fact{"counters", {}, {}};
  std::vector<std::string_view> told;
  const auto add_rate = [&](std::string_view part, std::string_view whole,
                            const std::string& text) {
    std::string mark = ScaledMark(run, part);
    fact.pieces.push_back((mark.empty() ? ScaledMark(run, whole) : mark) +
                          text);
    told.insert(told.end(), {part, whole});
  };
  if (analysis.instructions_per_cycle) {
    const std::string mark = ScaledMark(run, "instructions");
    fact.pieces.push_back((mark.empty() ? ScaledMark(run, "cycles") : mark) +
                          "IPC " + Figure(*analysis.instructions_per_cycle));
  }
  if (analysis.cache_miss_percent) {
    add_rate("cache-misses", "cache-references",
             PercentText(analysis.cache_miss_percent) + " cache misses");
  }
  if (analysis.branch_miss_percent) {
    add_rate("branch-misses", "branches",
             PercentText(analysis.branch_miss_percent) + " branch misses");
  }
  for (const CounterValue& counter : run.counters) {
    if (std::find(told.begin(), told.end(), counter.name) == told.end()) {
      fact.pieces.push_back(
          fmt::format("{}{} {}", IsMultiplexed(counter) ? "≈" : "",
                      CounterText(counter), Printable(counter.name)));
    }
  }
  if (fact.pieces.empty()) {
    fact.pieces.emplace_back(kUnknown);
  }
  return fact;
}

Fact ProfilerFact(const Run& run) {
  Fact fact{"profiler", {}, {}};
  if (run.profiler.cpu_s <= 0 && run.profiler.max_rss_bytes <= 0) {
    fact.pieces.emplace_back(kUnknown);
    return fact;
  }
  std::string cpu = SecondsText(run.profiler.cpu_s) + " CPU";
  if (run.totals.wall_s && *run.totals.wall_s > 0) {
    cpu +=
        fmt::format(" ({} of one core)",
                    PercentText(run.profiler.cpu_s / *run.totals.wall_s * 100));
  }
  fact.pieces = {cpu, BytesText(run.profiler.max_rss_bytes) + " RSS"};
  return fact;
}

}  // namespace

std::vector<Fact> RunFacts(const Run& run, const RunAnalysis& analysis) {
  const Totals& totals = run.totals;
  std::vector<Fact> facts{
      WallFact(totals),
      CpuFact(run, analysis),
      {"memory",
       {"max RSS " + BytesText(totals.max_rss_bytes),
        "tree peak " + BytesText(totals.tree_peak_bytes),
        "PSS " + BytesText(totals.max_pss_bytes)},
       TrendOf(analysis, "rss")},
      {"faults",
       {CountText(totals.minor_faults) + " minor",
        CountText(totals.major_faults) + " major"},
       {}},
      {"switches",
       {CountText(totals.voluntary_switches) + " voluntary",
        CountText(totals.involuntary_switches) + " involuntary",
        CountText(totals.migrations) +
            (totals.migrations == 1 ? " migration" : " migrations")},
       {}},
      ThrottlingFact(totals),
      {"pressure",
       {"CPU " + SecondsText(totals.psi_cpu_some_s),
        "memory " + SecondsText(totals.psi_memory_some_s),
        "I/O " + SecondsText(totals.psi_io_some_s)},
       {}},
      {"I/O",
       {"read " + BytesText(totals.block_read_bytes),
        "written " + BytesText(totals.block_write_bytes),
        "received " + BytesText(totals.net_receive_bytes),
        "sent " + BytesText(totals.net_transmit_bytes)},
       {}},
      BoardFact(run, analysis),
      CounterFact(run, analysis),
      ProfilerFact(run),
  };
  if (run.gpu && !run.gpu->devices.empty()) {
    // After the board.
    facts.insert(facts.end() - 2, GpuFact(*run.gpu, analysis));
  }
  if (!run.details.empty()) {
    Fact fact{"details", {}, {}};
    for (const auto& [name, value] : run.details) {
      fact.pieces.push_back(Printable(name) + " " + Printable(value));
    }
    facts.push_back(std::move(fact));
  }
  return facts;
}

Table ThreadTable(const Run& run, size_t most) {
  std::vector<ThreadUse> threads = run.threads;
  std::stable_sort(
      threads.begin(), threads.end(),
      [](const ThreadUse& a, const ThreadUse& b) { return a.cpu_s > b.cpu_s; });
  threads.resize(std::min(threads.size(), most));
  Table table{{{"thread", false, true},
               {"tid"},
               {"pid"},
               {"CPU"},
               {"of one core"},
               {"waited"},
               {"may run on", false}},
              {}};
  for (const ThreadUse& thread : threads) {
    std::optional<double> percent;
    if (run.totals.wall_s && *run.totals.wall_s > 0) {
      percent = thread.cpu_s / *run.totals.wall_s * 100;
    }
    table.rows.push_back(
        {{Printable(thread.name)},
         {std::to_string(thread.tid)},
         {std::to_string(thread.pid)},
         {SecondsText(thread.cpu_s)},
         {PercentText(percent)},
         {SecondsText(thread.run_queue_wait_s)},
         {thread.affinity.empty() ? std::string(kUnknown)
                                  : "CPU " + Printable(thread.affinity)}});
  }
  return table;
}

std::vector<std::string> RunWarnings(const Run& run,
                                     const RunAnalysis& analysis) {
  std::vector<std::string> warnings;
  for (const auto* list : {&run.warnings, &analysis.warnings}) {
    for (const std::string& warning : *list) {
      std::string text = Printable(warning);
      if (std::find(warnings.begin(), warnings.end(), text) == warnings.end()) {
        warnings.push_back(std::move(text));
      }
    }
  }
  return warnings;
}

std::vector<std::string> UnavailableText(const Run& run) {
  std::vector<std::pair<std::string, std::vector<std::string>>> by_reason;
  for (const Unavailable& missing : run.unavailable) {
    const std::string why = Printable(missing.why);
    const std::string what = Printable(missing.what);
    auto found =
        std::find_if(by_reason.begin(), by_reason.end(),
                     [&](const auto& known) { return known.first == why; });
    if (found == by_reason.end()) {
      found = by_reason.insert(by_reason.end(), {why, {}});
    }
    if (std::find(found->second.begin(), found->second.end(), what) ==
        found->second.end()) {
      found->second.push_back(what);
    }
  }
  std::vector<std::string> sentences;
  for (const auto& [why, what] : by_reason) {
    sentences.push_back(Join(what, ", ") + ": " + why);
  }
  return sentences;
}

}  // namespace edgewise

#include "report/history_tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/clock.h"
#include "base/text.h"
#include "base/units.h"
#include "cards/resources.h"
#include "history/version_changes.h"
#include "report/figures.h"
#include "report/interval_text.h"
#include "report/outcome.h"
#include "report/total_names.h"
#include "report/utf8.h"

namespace edgewise {
namespace {

std::string Day(int64_t utc_ns) { return FormatUtc(utc_ns).substr(0, 10); }

// "0.52 [0.50–0.54]", "0.52 [1 Run]"; "--" if unknown.
template <typename Format>
std::string WithInterval(const std::optional<RunFigure>& figure,
                         Format format) {
  if (!figure) {
    return std::string(kUnknown);
  }
  const stats::Estimate& mean = figure->mean;
  return format(mean.value) +
         (mean.sufficient()
              ? fmt::format(" [{}–{}]", format(*mean.low), format(*mean.high))
              : " [" + FormatCount(figure->runs, "Run") + "]");
}

std::string Bytes(double bytes) { return FormatBytes(bytes); }
std::string Seconds(double s) { return FormatDuration(s * 1e9); }

template <typename Member>
bool Any(const HistoryLine& line, Member member) {
  return std::any_of(
      line.versions.begin(), line.versions.end(),
      [member](const VersionProfile& v) { return (v.*member).has_value(); });
}

std::string ChangeTitle(const VersionChange& change) {
  return change.unit == "ns" ? Printable(change.figure)
                             : TotalTitle(change.figure, change.unit);
}

std::string ChangeValue(std::optional<double> value,
                        const VersionChange& change) {
  return change.unit == "ns"
             ? (value ? FormatDuration(*value) : std::string(kUnknown))
             : TotalValueText(value, change.unit);
}

}  // namespace

std::string VersionText(const std::string& version) {
  return version.empty() ? std::string(kUnknown) : Printable(version);
}

std::string LineTitle(const HistoryLine& line) {
  const std::string machine = MachineText(line.machine);
  return line.target.empty() ? "on " + machine
                             : Printable(line.target) + " on " + machine;
}

Table FootprintTable(const HistoryLine& line) {
  Table table{
      {{"version", false}, {"Runs"}, {"wall"}, {"CPU cores"}, {"memory peak"}},
      {}};
  const bool gpu = Any(line, &VersionProfile::gpu_memory_bytes);
  const bool energy = Any(line, &VersionProfile::energy_j);
  if (gpu) {
    table.columns.push_back({"GPU memory"});
  }
  if (energy) {
    table.columns.push_back({"energy"});
  }
  for (const VersionProfile& version : line.versions) {
    std::vector<Cell> row{
        {VersionText(version.version)},
        {FormatCount(std::ssize(version.runs)) +
         (version.failed > 0 ? fmt::format(" (+{} failed)", version.failed)
                             : "")},
        {WithInterval(version.wall_s, Seconds)},
        {WithInterval(version.cpu_cores, Figure)},
        {WithInterval(version.memory_bytes, Bytes)}};
    if (gpu) {
      row.push_back({WithInterval(version.gpu_memory_bytes, Bytes)});
    }
    if (energy) {
      row.push_back({WithInterval(version.energy_j,
                                  [](double j) { return Figure(j) + " J"; })});
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table TailTable(const HistoryLine& line) {
  Table table{{{"span, ms", false, true},
               {"version", false},
               {"n"},
               {"p50"},
               {"p95"},
               {"p99"},
               {"max"}},
              {}};
  std::vector<std::string> names;
  for (const VersionProfile& version : line.versions) {
    for (const SpanAnalysis& span : version.spans) {
      if (std::find(names.begin(), names.end(), span.name) == names.end()) {
        names.push_back(span.name);
      }
    }
  }
  for (const std::string& name : names) {
    for (const VersionProfile& version : line.versions) {
      for (const SpanAnalysis& span : version.spans) {
        if (span.name == name) {
          const stats::SpanSummary& all = span.wall_ns;
          table.rows.push_back({{Printable(name)},
                                {VersionText(version.version)},
                                {FormatCount(all.count)},
                                {MsWithInterval(all.p50, 0.5)},
                                {MsWithInterval(all.p95, 0.95)},
                                {MsWithInterval(all.p99, 0.99)},
                                {MsText(all.max)}});
        }
      }
    }
  }
  return table;
}

Table ChangeTable(const HistoryLine& line, bool worse) {
  Table table{{{"", false, true},
               {"version", false},
               {"before"},
               {"after"},
               {"ratio"},
               {"95% interval"}},
              {}};
  for (const VersionChange& change : line.changes) {
    if (IsRegression(change) != worse) {
      continue;
    }
    table.rows.push_back(
        {{ChangeTitle(change)},
         {VersionText(change.from) + " → " + VersionText(change.to)},
         {ChangeValue(change.before, change)},
         {ChangeValue(change.after, change)},
         {Figure(*change.ratio.ratio), worse ? Tone::kBad : Tone::kGood},
         {fmt::format("{}–{}{}", Figure(*change.ratio.low),
                      Figure(*change.ratio.high),
                      change.within_runs ? " *" : "")}});
  }
  return table;
}

Table ResourceTable(const ResourceAdvice& advice) {
  Table table{{{"request", false}, {"lower"}, {"target"}, {"upper"}}, {}};
  const auto add = [&table](const char* name,
                            const std::optional<Bounds>& bounds, auto format) {
    if (bounds) {
      table.rows.push_back({{name},
                            {format(bounds->lower)},
                            {format(bounds->target), Tone::kStrong},
                            {format(bounds->upper)}});
    }
  };
  const auto mebibytes = [](double bytes) {
    return FormatMebibytes(static_cast<int64_t>(bytes));
  };
  add("cpu", advice.cpu_cores, FormatMillicores);
  add("memory", advice.memory_bytes, mebibytes);
  add("GPU memory", advice.gpu_memory_bytes, mebibytes);
  add("GPU bandwidth", advice.gpu_bandwidth_gbs,
      [](double gbs) { return Figure(gbs) + " GB/s"; });
  return table;
}

std::string ComparedText(const HistoryLine& line) {
  if (line.compared == 0) {
    return line.versions.size() < 2
               ? "one version: there is nothing to compare with"
               : "the versions have no figure in common to compare";
  }
  std::string text = FormatCount(line.compared, "figure") +
                     " compared with the version before";
  if (line.insufficient > 0) {
    text += fmt::format(
        ", {} of them without an interval (insufficient samples: make five "
        "Runs a version)",
        FormatCount(line.insufficient));
  }
  const int64_t judged = line.compared - line.insufficient;
  if (judged >= 20) {
    text += fmt::format("; of so many about {:.0f} would look worse by chance",
                        static_cast<double>(judged) / 40);
  }
  const bool within =
      std::any_of(line.changes.begin(), line.changes.end(),
                  [](const VersionChange& c) { return c.within_runs; });
  if (within) {
    text +=
        "; * fewer than five Runs a side: how Runs vary among themselves is "
        "not covered";
  }
  return text;
}

int64_t CountRegressions(const History& history) {
  int64_t count = 0;
  for (const HistoryLine& line : history.lines) {
    count +=
        std::count_if(line.changes.begin(), line.changes.end(), IsRegression);
  }
  return count;
}

std::string HistorySummary(const History& history) {
  std::vector<std::string> versions;
  for (const HistoryLine& line : history.lines) {
    for (const VersionProfile& version : line.versions) {
      if (std::find(versions.begin(), versions.end(), version.version) ==
          versions.end()) {
        versions.push_back(version.version);
      }
    }
  }
  std::string text =
      fmt::format("{} of {}, {} to {}", FormatCount(history.runs, "Run"),
                  FormatCount(std::ssize(versions), "version"),
                  Day(history.first_utc_ns), Day(history.last_utc_ns));
  std::vector<std::string> left_out;
  if (history.failed > 0) {
    left_out.push_back(FormatCount(history.failed) + " that did not end well");
  }
  if (history.varied > 0) {
    left_out.push_back(FormatCount(history.varied) +
                       " of experiments that varied their conditions");
  }
  return left_out.empty() ? text : text + "; left out: " + Join(left_out, ", ");
}

std::string WorstMemoryText(const WorstMemory& worst) {
  std::vector<std::string> where;
  if (!worst.version.empty()) {
    where.push_back(Printable(worst.version));
  }
  if (!worst.target.empty()) {
    where.push_back(Printable(worst.target));
  }
  where.push_back("on " + Printable(worst.machine));
  where.push_back("Run " + worst.run_id);
  return FormatBytes(static_cast<double>(worst.bytes)) + " (" +
         Join(where, ", ") + ")";
}

}  // namespace edgewise

#include "report/exec_tables.h"

#include <fmt/format.h>

#include "base/units.h"
#include "report/curve_chart.h"
#include "report/figures.h"
#include "report/interval_text.h"
#include "report/utf8.h"
#include "stats/quantile.h"

namespace edgewise {
namespace {

std::string Ms(std::optional<double> ns) { return MsText(ns); }
std::string Ms(std::optional<int64_t> ns) {
  return Ms(ns ? std::optional(static_cast<double>(*ns)) : std::nullopt);
}

// "5.1% [4.5–5.8]".
std::string MissShare(const TaskExecution& task) {
  if (!task.miss_interval || task.released() == 0) {
    return std::string(kUnknown);
  }
  return fmt::format("{:.3g}% [{:.3g}–{:.3g}]",
                     100.0 * static_cast<double>(task.misses()) /
                         static_cast<double>(task.released()),
                     100 * task.miss_interval->low,
                     100 * task.miss_interval->high);
}

template <typename Row>
void ForEachTask(std::span<const Execution> executions, Row row) {
  if (executions.empty()) {
    return;
  }
  for (size_t i = 0; i < executions.front().tasks.size(); ++i) {
    for (const Execution& execution : executions) {
      if (i < execution.tasks.size()) {
        row(execution, execution.tasks[i]);
      }
    }
  }
}

Cell Name(const TaskExecution& task) {
  return {Printable(task.task.name), Tone::kStrong};
}

}  // namespace

std::string WayName(const Execution& execution) {
  return execution.naive ? "lab" : "plan";
}

Table DeadlineTable(std::span<const Execution> executions) {
  Table table;
  table.columns = {{"task", false, true},
                   {"way", false},
                   {"core"},
                   {"jobs"},
                   {"missed"},
                   {"miss ratio"},
                   {"of them stolen"},
                   {"tardiness ms"},
                   {"use"},
                   {"stolen ms"}};
  ForEachTask(executions,
              [&](const Execution& execution, const TaskExecution& task) {
                table.rows.push_back(
                    {Name(task),
                     {WayName(execution)},
                     {execution.naive ? std::string(kUnknown)
                                      : FormatCpuList(task.task.cores)},
                     {FormatCount(task.released())},
                     {FormatCount(task.misses()),
                      task.misses() > 0 ? Tone::kBad : Tone::kGood},
                     {MissShare(task)},
                     {execution.naive ? std::string(kUnknown)
                                      : FormatCount(task.late_by_theft)},
                     {Ms(task.tardiness_ns)},
                     {task.utilisation ? PercentText(100 * *task.utilisation)
                                       : std::string(kUnknown)},
                     {Ms(task.stolen_ns)}});
              });
  return table;
}

Table ResponseTable(std::span<const Execution> executions) {
  Table table;
  table.columns = {{"response ms", false},
                   {"way", false},
                   {"p50"},
                   {"p95"},
                   {"p99"},
                   {"max"},
                   {"bound"},
                   {"deadline"}};
  ForEachTask(
      executions, [&](const Execution& execution, const TaskExecution& task) {
        const auto& response = task.response_ns;
        const auto bound =
            execution.naive ? std::nullopt : task.task.response_bound_ns;
        Tone tone = Tone::kPlain;
        if (bound && response.max) {
          tone = *response.max > static_cast<double>(*bound) ? Tone::kBad
                                                             : Tone::kGood;
        }
        table.rows.push_back({Name(task),
                              {WayName(execution)},
                              {MsWithInterval(response.p50, 0.5)},
                              {MsWithInterval(response.p95, 0.95)},
                              {MsWithInterval(response.p99, 0.99)},
                              {Ms(response.max), tone},
                              {Ms(bound)},
                              {Ms(std::optional(task.task.deadline_ns))}});
      });
  return table;
}

std::string IntervalNote(std::span<const Execution> executions) {
  for (const Execution& execution : executions) {
    for (const TaskExecution& task : execution.tasks) {
      const auto& p99 = task.response_ns.p99;
      if (p99 && !p99->sufficient()) {
        return "needs N: insufficient samples; a 95% interval takes N "
               "independent ones";
      }
    }
  }
  return "";
}

Table JobCostTable(std::span<const Execution> executions) {
  Table table;
  table.columns = {{"job ms", false, true},
                   {"way", false},
                   {"start p99"},
                   {"CPU p50"},
                   {"CPU p99"},
                   {"CPU max"},
                   {"C"},
                   {"above C"}};
  ForEachTask(executions, [&](const Execution& execution,
                              const TaskExecution& task) {
    table.rows.push_back({Name(task),
                          {WayName(execution)},
                          {MsWithInterval(task.start_delay_ns.p99, 0.99)},
                          {MsWithInterval(task.cpu_ns.p50, 0.5)},
                          {MsWithInterval(task.cpu_ns.p99, 0.99)},
                          {Ms(task.cpu_ns.max)},
                          {Ms(std::optional(task.task.wcet_ns))},
                          {FormatCount(task.overruns),
                           task.overruns > 0 ? Tone::kWarning : Tone::kPlain}});
  });
  return table;
}

std::string ExecChart(std::span<const Execution> executions) {
  CurveChart chart;
  chart.title = "Response times";
  chart.note = "p99 with its 95% interval, and the longest";
  chart.y_name = "response";
  chart.y_unit = "ms";
  chart.y_is_log = true;
  if (executions.empty()) {
    return DrawCurves(chart);
  }
  for (const TaskExecution& task : executions.front().tasks) {
    chart.labels.push_back(task.task.name);
  }
  const auto add = [&chart](const std::string& name, const Execution& execution,
                            auto point) {
    CurveSeries series;
    series.name = name;
    series.joined = false;
    for (size_t i = 0; i < execution.tasks.size(); ++i) {
      if (auto made = point(execution.tasks[i])) {
        made->x = static_cast<double>(i);
        series.points.push_back(std::move(*made));
      }
    }
    if (!series.points.empty()) {
      chart.series.push_back(std::move(series));
    }
  };
  using Made = std::optional<CurvePoint>;
  const auto ms = [](std::optional<double> ns) {
    return ns ? std::optional(*ns / 1e6) : std::nullopt;
  };
  for (const Execution& execution : executions) {
    add(WayName(execution) + " p99", execution, [&](const TaskExecution& task) {
      const auto& p99 = task.response_ns.p99;
      return p99 ? Made({0, p99->value / 1e6, ms(p99->low), ms(p99->high)})
                 : Made();
    });
    add(WayName(execution) + " max", execution, [&](const TaskExecution& task) {
      const auto most = ms(task.response_ns.max);
      return most ? Made({0, *most}) : Made();
    });
  }
  add("proven bound", executions.back(), [](const TaskExecution& task) {
    const auto& bound = task.task.response_bound_ns;
    return bound ? Made({0, static_cast<double>(*bound) / 1e6}) : Made();
  });
  add("deadline", executions.back(), [](const TaskExecution& task) {
    return Made({0, static_cast<double>(task.task.deadline_ns) / 1e6});
  });
  return DrawCurves(chart);
}

}  // namespace edgewise

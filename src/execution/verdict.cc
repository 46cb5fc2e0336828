#include "execution/verdict.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.h"

namespace edgewise {
namespace {

struct Sum {
  int64_t released = 0;
  int64_t misses = 0;
  int64_t late = 0;
  int64_t late_by_theft = 0;
  int64_t overruns = 0;
  int64_t violations = 0;
};

Sum SumOf(const Execution& execution) {
  Sum sum;
  for (const TaskExecution& task : execution.tasks) {
    sum.released += task.released();
    sum.misses += task.misses();
    sum.late += task.late;
    sum.late_by_theft += task.late_by_theft;
    sum.overruns += task.overruns;
    sum.violations += task.violations;
  }
  return sum;
}

std::string ShareText(const Sum& sum) {
  const stats::Interval interval = stats::WilsonInterval(
      static_cast<double>(sum.misses), static_cast<double>(sum.released));
  return fmt::format("{} of {} ({:.3g}%, 95% interval {:.3g}–{:.3g}%)",
                     FormatCount(sum.misses), FormatCount(sum.released, "job"),
                     100.0 * static_cast<double>(sum.misses) /
                         static_cast<double>(sum.released),
                     100 * interval.low, 100 * interval.high);
}

std::string Time(int64_t ns) { return FormatDuration(static_cast<double>(ns)); }

// "12 of 4,800 jobs (…) missed their deadline".
std::string MissSentence(const Execution& execution, const Sum& sum) {
  const std::string who =
      execution.naive ? "With the lab's runner" : "With the plan";
  if (sum.released == 0) {
    return who + " no job was released.";
  }
  if (sum.misses == 0) {
    return fmt::format(
        "{} all {} met their deadlines (at 95% confidence fewer than {:.2g}% "
        "miss).",
        who, FormatCount(sum.released, "job"),
        100 * stats::WilsonInterval(0, static_cast<double>(sum.released)).high);
  }
  return fmt::format("{} {} missed their deadlines.", who, ShareText(sum));
}

std::string WhyText(const Execution& execution, const BoundViolation& worst) {
  std::string text(BrokenAssumptionName(worst.why.broken));
  switch (worst.why.broken) {
    case BrokenAssumption::kWcet:
      if (worst.why.overrun_task >= 0) {
        const auto& task =
            execution.tasks[static_cast<size_t>(worst.why.overrun_task)].task;
        text +=
            fmt::format(" by {} (task {}, C {})", Time(worst.why.overrun_ns),
                        task.name, Time(task.wcet_ns));
      }
      break;
    case BrokenAssumption::kJitter:
      text += fmt::format(": it began {} later than allowed",
                          Time(worst.why.late_ns));
      break;
    case BrokenAssumption::kStolen:
      text += fmt::format(": {} were taken from the core",
                          Time(worst.why.stolen_ns));
      break;
    case BrokenAssumption::kInterference:
      text += fmt::format(
          ": for {} others ran on the core, or the job waited for something",
          Time(worst.why.other_ns));
      break;
    case BrokenAssumption::kNone:
      text += ": nothing that was measured explains it, so the proof is wrong";
      break;
  }
  return text;
}

std::string FalsifiedSentence(const Execution& execution,
                              const TaskExecution& task) {
  const BoundViolation& worst = task.worst.front();
  return fmt::format(
      "FALSIFIED: task {} took {} where {} is proven (job {}; {} in all are "
      "above the bound). What failed: {}.",
      task.task.name, Time(worst.job.response_ns()),
      Time(task.task.response_bound_ns.value_or(0)), worst.job.number,
      FormatCount(task.violations), WhyText(execution, worst));
}

}  // namespace

ExecutionVerdict JudgeAll(std::span<const Execution> executions) {
  ExecutionVerdict verdict;
  for (const Execution& execution : executions) {
    for (const TaskExecution& task : execution.tasks) {
      if (task.violations > 0 && !task.worst.empty()) {
        verdict.falsified = true;
        verdict.sentences.push_back(FalsifiedSentence(execution, task));
      }
    }
  }
  for (const Execution& execution : executions) {
    const Sum sum = SumOf(execution);
    verdict.sentences.push_back(MissSentence(execution, sum));
    const bool counts = !execution.naive || executions.size() == 1;
    if (counts && (sum.misses > 0 || sum.violations > 0)) {
      verdict.held = false;
    }
    if (sum.late > 0 && !execution.naive) {
      verdict.sentences.push_back(
          fmt::format("Stolen time explains {} of the {} late ones.",
                      FormatCount(sum.late_by_theft), FormatCount(sum.late)));
    }
    if (sum.overruns > 0 && !execution.naive) {
      verdict.sentences.push_back(
          fmt::format("More CPU time than the C of the task took {}: measure "
                      "again, beside the neighbours it will have (edgewise "
                      "contend), and plan with that.",
                      FormatCount(sum.overruns, "job")));
    }
    for (const std::string& sentence : execution.broken_assumptions) {
      verdict.sentences.push_back(
          "The proof assumes what was not so: " + sentence + ".");
    }
  }
  return verdict;
}

std::vector<CardMark> MarksOf(const Execution& execution,
                              const std::string& plan_name) {
  std::vector<CardMark> marks;
  for (const TaskExecution& task : execution.tasks) {
    if (task.worst.empty()) {
      continue;
    }
    const BoundViolation& worst = task.worst.front();
    const bool overrun = worst.why.broken == BrokenAssumption::kWcet &&
                         worst.why.overrun_task >= 0;
    const PlannedTask& blamed =
        overrun
            ? execution.tasks[static_cast<size_t>(worst.why.overrun_task)].task
            : task.task;
    const bool known = std::any_of(
        marks.begin(), marks.end(),
        [&](const CardMark& mark) { return mark.card == blamed.card; });
    if (blamed.card.empty() || known) {
      continue;
    }
    marks.push_back(
        {blamed.card,
         fmt::format("{} (run {}): task {} took {} where {} was proven; {}",
                     plan_name, execution.run_id, task.task.name,
                     Time(worst.job.response_ns()),
                     Time(task.task.response_bound_ns.value_or(0)),
                     WhyText(execution, worst))});
  }
  return marks;
}

}  // namespace edgewise

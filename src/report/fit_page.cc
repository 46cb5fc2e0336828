#include "report/fit_page.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "base/units.h"
#include "cards/resources.h"
#include "report/curve_chart.h"
#include "report/experiment_page.h"
#include "report/figures.h"
#include "report/fit_step.h"
#include "report/fit_text.h"

namespace edgewise {
namespace {

struct Scale {
  std::string_view unit;
  double by = 1;  // figures are divided by it
};

Scale ScaleOf(const Target& target) {
  switch (target.kind) {
    case TargetKind::kRate:
      return {target.text.starts_with("fps") ? "fps" : "1/s", 1};
    case TargetKind::kMisses:
      return {"%", 0.01};
    case TargetKind::kQuantile:
    case TargetKind::kMean:
    case TargetKind::kMax:
    case TargetKind::kWall:
      break;
  }
  const DurationUnit unit = UnitFor(target.limit);
  return {unit.name, unit.ns};
}

// Each point once, as its last look saw it.
std::vector<const FitStep*> LastLooks(const FitAnswer& answer) {
  std::vector<const FitStep*> last;
  for (const FitStep& step : answer.steps) {
    if (step.trial.end != TrialEnd::kDone) {
      continue;
    }
    if (!last.empty() && last.back()->purpose == step.purpose &&
        last.back()->trial.limits.cpu_cores == step.trial.limits.cpu_cores &&
        last.back()->trial.limits.memory_bytes ==
            step.trial.limits.memory_bytes) {
      last.back() = &step;
    } else {
      last.push_back(&step);
    }
  }
  return last;
}

std::string Chart(const FitAnswer& answer, const FitRequest& request,
                  size_t number) {
  const Target& target = request.targets[number];
  const Scale scale = ScaleOf(target);
  CurveChart chart;
  chart.title = target.text + " over the CPU it was given";
  chart.note = "Bars: each end alone holds with the stated confidence.";
  chart.x_name = "cores";
  chart.x_is_log = true;
  chart.y_name = target.text.substr(0, target.text.find_first_of("<>"));
  chart.y_unit = scale.unit;
  CurveSeries met{"met", {}, {}, false};
  CurveSeries not_met{"not met or undecided", {}, {}, false};
  double least = request.cores_at_hand;
  double most = 0;
  for (const FitStep* step : LastLooks(answer)) {
    const Judgement& judgement = step->judgement.each[number];
    if (!judgement.figure) {
      continue;
    }
    const auto scaled = [&scale](const std::optional<double>& value) {
      return value ? std::optional(*value / scale.by) : std::nullopt;
    };
    CurvePoint point;
    point.x = step->trial.limits.cpu_cores;
    point.y = judgement.figure->value / scale.by;
    point.low = scaled(judgement.figure->low);
    point.high = scaled(judgement.figure->high);
    point.tooltip = FitStepText(*step, request);
    least = std::min(least, point.x);
    most = std::max(most, point.x);
    (judgement.standing == Standing::kMet ? met : not_met)
        .points.push_back(std::move(point));
  }
  CurveSeries limit{"target", {}, {}, false};
  if (most > 0) {
    limit.line = {{least, target.limit / scale.by},
                  {most, target.limit / scale.by}};
  }
  chart.series = {met, not_met, limit};
  for (CurveSeries& series : chart.series) {
    if (series.points.empty() && series.line.empty()) {
      series.name.clear();  // keeps the colours of the others
    }
  }
  return DrawCurves(chart);
}

Table RunTable(const FitAnswer& answer, const FitRequest& request) {
  Table table;
  table.columns = {{"run", false, false}, {"what it showed", false, false}};
  for (const FitStep& step : answer.steps) {
    const Tone tone = step.trial.end != TrialEnd::kDone ? Tone::kBad
                      : step.judgement.standing == Standing::kMet
                          ? Tone::kGood
                          : Tone::kPlain;
    table.rows.push_back(
        {{step.trial.run_id, Tone::kDim}, {FitStepText(step, request), tone}});
  }
  return table;
}

}  // namespace

std::string FitHtml(const FitAnswer& answer, const FitRequest& request,
                    const std::vector<std::string>& command) {
  ExperimentPage page;
  page.title = "Least resources";
  page.subtitle = ShellQuote(command);
  page.advice = FitSentences(answer, request);
  std::vector<std::string> targets;
  for (const Target& target : request.targets) {
    targets.push_back(target.text);
  }
  page.facts = {{"target", Join(targets, " and ")}};
  if (answer.target.cpu_cores) {
    page.facts.emplace_back("CPU", FormatMillicores(*answer.target.cpu_cores));
  }
  if (answer.target.memory_bytes) {
    page.facts.emplace_back("memory",
                            FormatMebibytes(*answer.target.memory_bytes));
  }
  page.facts.emplace_back("runs", std::to_string(answer.steps.size()));
  if (const std::string manifest = KubernetesText(answer); !manifest.empty()) {
    page.sections.push_back(
        {"For Kubernetes", "", {FitTable(answer)}, {}, manifest});
  }
  PageSection search;
  search.heading = "The search";
  for (size_t i = 0; i < request.targets.size(); ++i) {
    search.charts.push_back(Chart(answer, request, i));
  }
  search.tables = {RunTable(answer, request)};
  page.sections.push_back(std::move(search));
  return ExperimentHtml(page);
}

}  // namespace edgewise

#include "experiments/curve.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "base/text.h"
#include "base/units.h"
#include "experiments/curve_advice.h"
#include "experiments/curve_laws.h"
#include "experiments/sweep_plan.h"
#include "sessions/outcome.h"
#include "stats/repeats.h"

namespace edgewise {
namespace {

// Values in ascending order where all are numbers, else as they were given.
std::vector<Knob> SortedKnobs(std::vector<Knob> knobs) {
  for (Knob& knob : knobs) {
    const auto number = [&knob](const std::string& value) {
      return KnobNumber(knob.name, value);
    };
    if (std::all_of(knob.values.begin(), knob.values.end(),
                    [&](const auto& value) { return number(value); })) {
      std::stable_sort(knob.values.begin(), knob.values.end(),
                       [&](const auto& a, const auto& b) {
                         return *number(a) < *number(b);
                       });
    }
  }
  return knobs;
}

void SortPoints(const std::vector<Knob>& knobs,
                std::vector<MeasuredPoint>* points) {
  const auto ranks = [&knobs](const MeasuredPoint& point) {
    std::vector<size_t> at;
    for (const Knob& knob : knobs) {
      at.push_back(
          static_cast<size_t>(std::find(knob.values.begin(), knob.values.end(),
                                        ValueOf(point.setting, knob.name)) -
                              knob.values.begin()));
    }
    return at;
  };
  std::stable_sort(points->begin(), points->end(),
                   [&](const MeasuredPoint& a, const MeasuredPoint& b) {
                     return ranks(a) < ranks(b);
                   });
}

double Parallelism(const KnobSetting& setting, int machine_cores) {
  double cores = machine_cores > 0 ? machine_cores
                                   : std::numeric_limits<double>::infinity();
  for (const std::string_view knob : {kThreadsKnob, kCpusKnob, kQuotaKnob}) {
    if (const auto n = KnobNumber(knob, ValueOf(setting, knob))) {
      cores = std::min(cores, *n);
    }
  }
  return cores;
}

void Summarise(MeasuredPoint* point) {
  for (const FigureKind kind : AllFigures()) {
    std::vector<double> values;
    for (const CurveRepeat& repeat : point->repeats) {
      if (const auto value = repeat.figures[kind]) {
        values.push_back(*value);
      }
    }
    point->figures[static_cast<size_t>(kind)] = stats::EstimateRepeats(values);
  }
  for (const FigureKind kind : AllFigures()) {
    const auto p = PercentileOf(kind);
    auto& figure = point->figures[static_cast<size_t>(kind)];
    if (p && figure && point->items < stats::SmallestSampleForInterval(*p)) {
      figure->low.reset();
      figure->high.reset();
    }
  }
}

Error NoSpan(const std::string& span, const std::set<std::string>& known) {
  return {ErrorCode::kInvalid,
          "no Run of the sweep has a span \"" + span + "\"" +
              (known.empty() ? ": the program does not use the in-app library"
                             : "; there are " +
                                   Join({known.begin(), known.end()}, ", "))};
}

// The span of the curve: the one asked for, else that of the first success.
Result<std::string> ChooseSpan(const AttemptTable& attempts,
                               const std::string& wanted) {
  std::set<std::string> known;
  for (const auto& [key, made] : attempts.all()) {
    for (const SpanAnalysis& span : made.best.analysis.spans) {
      known.insert(span.name);
    }
  }
  if (!wanted.empty()) {
    return known.contains(wanted) ? Result<std::string>(wanted)
                                  : NoSpan(wanted, known);
  }
  for (const auto& [key, made] : attempts.all()) {
    if (ExitCodeOf(made.best.run) == 0) {
      return ItemSpan(made.best.analysis);
    }
  }
  return std::string();
}

// Says where a Run's clock was not the one that its point is called after.
void NoteClock(const Run& run, const KnobSetting& setting,
               std::set<std::string>* notes) {
  const std::string_view asked = ValueOf(setting, kFrequencyKnob);
  const auto asked_khz = ParseFrequencyKhz(asked);
  const auto khz = run.conditions.frequency_khz;
  if (asked_khz && khz && *khz != *asked_khz) {
    notes->insert("at frequency " + std::string(asked) + " the cores ran at " +
                  FormatFrequency(static_cast<double>(*khz)) +
                  ", the nearest that they have");
  }
}

void AddNotes(Curve* curve) {
  int disturbed = 0;
  int failed = 0;
  for (const MeasuredPoint& point : curve->points) {
    disturbed += point.disturbed;
    failed += point.failed;
  }
  if (disturbed > 0) {
    curve->notes.push_back(FormatCount(disturbed, "Run") +
                           " counted although the machine was disturbed, also "
                           "when made again: the figures may be too slow");
  }
  if (failed > 0) {
    curve->notes.push_back(FormatCount(failed, "Run") +
                           " failed and are in no figure: edgewise show ID "
                           "has their output");
  }
  if (curve->span.empty() && !curve->points.empty()) {
    curve->notes.emplace_back(
        "the program reports no spans: latency is the wall time of the whole "
        "program, one a Run");
  }
}

}  // namespace

std::optional<double> KnobNumber(std::string_view knob,
                                 std::string_view value) {
  if (value.empty()) {
    return std::nullopt;
  }
  if (knob == kCpusKnob) {
    const auto cpus = ParseCpuList(value);
    return cpus ? std::optional(static_cast<double>(cpus->size()))
                : std::nullopt;
  }
  if (knob == kQuotaKnob) {
    const auto quota = ParseCpuQuota(value);
    return quota ? std::optional(*quota) : std::nullopt;
  }
  if (knob == kMemoryKnob) {
    const auto bytes = ParseBytes(value);
    return bytes ? std::optional(static_cast<double>(*bytes)) : std::nullopt;
  }
  if (knob == kFrequencyKnob) {
    const auto khz = ParseFrequencyKhz(value);
    return khz ? std::optional(static_cast<double>(*khz) / 1e3) : std::nullopt;
  }
  return ParseDouble(value);
}

stats::Comparison ComparePoints(const MeasuredPoint& a, const MeasuredPoint& b,
                                FigureKind kind) {
  std::vector<double> left;
  std::vector<double> right;
  for (const CurveRepeat& one : a.repeats) {
    const auto other = std::find_if(
        b.repeats.begin(), b.repeats.end(),
        [&](const CurveRepeat& r) { return r.repeat == one.repeat; });
    if (other != b.repeats.end() && one.figures[kind] && other->figures[kind]) {
      left.push_back(*one.figures[kind]);
      right.push_back(*other->figures[kind]);
    }
  }
  return stats::CompareRepeats(left, right, stats::Pairing::kPaired);
}

Result<Curve> MakeCurve(const Store& store, const std::string& group,
                        const CurveRequest& request) {
  const auto runs = RunsOfGroup(store, group);
  if (!runs) {
    return runs.error();
  }
  const auto attempts = ReadAttempts(store, *runs, request.limits);
  if (!attempts) {
    return attempts.error();
  }
  if (attempts->all().empty()) {
    return Error{ErrorCode::kNotFound,
                 "group " + group + " has no finished Run"};
  }
  Curve curve;
  curve.group = group;
  const Run& first = runs->front();
  curve.knobs = SortedKnobs(KnobsOfSweep(first.experiment));
  if (curve.knobs.empty()) {
    return Error{ErrorCode::kInvalid,
                 "the Runs of group " + group + " were not made by a sweep"};
  }
  curve.command = first.command;
  curve.machine = first.machine.cpu_model;
  const auto span = ChooseSpan(*attempts, request.span);
  if (!span) {
    return span.error();
  }
  curve.span = *span;

  std::set<std::string> clocks;
  std::map<std::string, MeasuredPoint> points;
  for (const auto& [key, made] : attempts->all()) {
    const Run& run = made.best.run;
    MeasuredPoint& point = points[run.group_role];
    if (point.runs.empty() && point.failed == 0) {
      auto setting = ParseSetting(run.group_role);
      if (!setting) {
        return setting.error();
      }
      point.setting = std::move(*setting);
      point.name = run.group_role;
      point.parallelism = Parallelism(point.setting, run.machine.cores);
    }
    NoteClock(run, point.setting, &clocks);
    if (ExitCodeOf(run) != 0) {
      ++point.failed;
      point.failure = FailureText(run);
      continue;
    }
    point.runs.push_back(run.id);
    point.repeats.push_back(
        {run.repeat_index, FiguresOf(run, made.best.analysis, curve.span)});
    point.items += point.repeats.back().figures.items;
    if (made.best.disturbance.disturbed()) {
      ++point.disturbed;
      point.disturbance = made.best.disturbance.reason;
    }
  }
  for (auto& [name, point] : points) {
    Summarise(&point);
    curve.points.push_back(std::move(point));
  }
  SortPoints(curve.knobs, &curve.points);
  AddSpeedUps(&curve);
  FitLaws(&curve);
  CompareValues(&curve);
  curve.notes.assign(clocks.begin(), clocks.end());
  AddNotes(&curve);
  curve.advice = AdviseOn(curve);
  return curve;
}

}  // namespace edgewise

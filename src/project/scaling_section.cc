// Scaling plots: what more threads, cores and other knobs buy; and what another
// precision of a model does.
#include <algorithm>

#include "base/text.h"
#include "base/units.h"
#include "project/deliverable.h"
#include "project/remake.h"
#include "project/wording.h"
#include "report/curve_page.h"
#include "report/curve_tables.h"
#include "report/curve_text.h"

namespace edgewise {
namespace {

// A knob of this name varies how a model computes.
constexpr std::string_view kPrecisionKnob = "precision";

struct Sweep {
  Curve curve;
  std::vector<Run> runs;  // the last stored first; at least one
};

Result<std::vector<Sweep>> SweepsOf(const DeliverableSource& source,
                                    std::vector<std::string>* warnings) {
  std::vector<Sweep> sweeps;
  for (const std::string& group : source.runs.sweeps) {
    ListFilter filter;
    filter.group = group;
    auto runs = source.store.List(filter);
    if (!runs) {
      return runs.error();
    }
    auto curve = MakeCurve(source.store, group, {});
    if (!curve || runs->empty()) {
      warnings->push_back("Sweep " + group + " is left out: " +
                          (curve ? "it has no Runs" : curve.error().message));
      continue;
    }
    sweeps.push_back({std::move(*curve), std::move(*runs)});
  }
  return sweeps;
}

std::string KnobNames(const Curve& curve) {
  std::vector<std::string> names;
  for (const Knob& knob : curve.knobs) {
    names.push_back(knob.name);
  }
  return Listed(names);
}

std::string MediaType(const std::string& name) {
  return name.ends_with(".svg") || name.ends_with(".SVG")   ? "image/svg+xml"
         : name.ends_with(".png") || name.ends_with(".PNG") ? "image/png"
                                                            : "image/jpeg";
}

// The curves of one sweep, in one section.
void AddSweep(const Sweep& sweep, Deliverable* deliverable) {
  const Curve& curve = sweep.curve;
  const std::string name =
      ProgramOf(curve.command) + " over " + KnobNames(curve);
  PageSection all;
  all.heading = name;
  all.part = true;
  std::vector<std::string> sentences = curve.advice;
  for (PageSection& section : CurveSections(curve)) {
    sentences.push_back(section.text);
    std::move(section.charts.begin(), section.charts.end(),
              std::back_inserter(all.charts));
    std::move(section.tables.begin(), section.tables.end(),
              std::back_inserter(all.tables));
  }
  all.text = Sentences(sentences);
  deliverable->sections.push_back(std::move(all));
  const std::string folder = "sweeps/" + curve.group + "/";
  for (CurveDrawing& chart : CurveCharts(curve)) {
    deliverable->files.push_back(
        {folder + chart.name + ".svg", std::move(chart.svg)});
  }
  deliverable->files.push_back({folder + "curve.json", CurveJson(curve)});
  for (const MeasuredPoint& point : curve.points) {
    deliverable->runs.insert(deliverable->runs.end(), point.runs.begin(),
                             point.runs.end());
  }
  deliverable->commands.push_back("edgewise sweep --show " + curve.group +
                                  " --svg plots/" + curve.group);
  deliverable->commands.push_back(SweepAgain(curve, sweep.runs.back()));
}

// The project's own pictures; those that are drawn here anyway are not shown
// twice.
void AddPlots(const std::vector<ArchivedFile>& plots,
              Deliverable* deliverable) {
  PageSection own;
  own.heading = "Pictures of the project";
  own.part = true;
  std::vector<std::string> names;
  const size_t drawn = deliverable->files.size();
  for (const ArchivedFile& plot : plots) {
    const bool known = std::any_of(
        deliverable->files.begin(),
        deliverable->files.begin() + static_cast<ptrdiff_t>(drawn),
        [&](const ArchivedFile& file) { return file.content == plot.content; });
    deliverable->files.push_back(plot);
    // What `plan --svg` and `exec --svg` draw stands with the plan.
    if (!known && plot.name != "plots/plan.svg" &&
        plot.name != "plots/responses.svg") {
      names.push_back(plot.name);
      own.charts.push_back(
          ImageHtml(plot.content, MediaType(plot.name), plot.name));
    }
  }
  if (!names.empty()) {
    own.text = Listed(names) + ".";
    deliverable->sections.push_back(std::move(own));
  }
}

bool VariesPrecision(const Curve& curve) {
  return std::any_of(
      curve.knobs.begin(), curve.knobs.end(),
      [](const Knob& knob) { return knob.name == kPrecisionKnob; });
}

}  // namespace

Result<Deliverable> ScalingDeliverable(const DeliverableSource& source) {
  Deliverable deliverable;
  deliverable.title = "Scaling plots";
  const auto sweeps = SweepsOf(source, &deliverable.warnings);
  if (!sweeps) {
    return sweeps.error();
  }
  std::vector<std::string> names;
  for (const Sweep& sweep : *sweeps) {
    names.push_back(ProgramOf(sweep.curve.command) + " over " +
                    KnobNames(sweep.curve));
    AddSweep(sweep, &deliverable);
  }
  AddPlots(source.folder.plots, &deliverable);
  deliverable.there = !sweeps->empty();
  if (deliverable.there) {
    deliverable.summary =
        FormatCount(std::ssize(*sweeps), "sweep") + ": " + Listed(names) + ".";
  } else {
    deliverable.summary = "The store has no sweep of a program of the cards.";
    deliverable.commands = {
        "edgewise sweep --threads 1,2,4 --svg plots/app -- ./app"};
  }
  return deliverable;
}

Result<Deliverable> PrecisionDeliverable(const DeliverableSource& source) {
  Deliverable deliverable;
  deliverable.title = "Floating point and quantised models";
  deliverable.optional = true;
  std::vector<std::string> told;  // by ScalingDeliverable
  const auto sweeps = SweepsOf(source, &told);
  if (!sweeps) {
    return sweeps.error();
  }
  for (const Sweep& sweep : *sweeps) {
    if (!VariesPrecision(sweep.curve)) {
      continue;
    }
    deliverable.there = true;
    deliverable.sections.push_back(
        {ProgramOf(sweep.curve.command) + ", side by side",
         "Ratios below 1 are less. The curves stand with the scaling plots.",
         {ValueTable(sweep.curve)},
         {},
         "",
         true});
    deliverable.commands.push_back(SweepAgain(sweep.curve, sweep.runs.back()));
    for (const MeasuredPoint& point : sweep.curve.points) {
      deliverable.runs.insert(deliverable.runs.end(), point.runs.begin(),
                              point.runs.end());
    }
  }
  if (deliverable.there) {
    deliverable.summary =
        "Models compared in " +
        FormatCount(std::ssize(deliverable.sections), "sweep") + ".";
  } else {
    deliverable.summary = "No sweep varies the precision of a model.";
    deliverable.commands = {
        "edgewise sweep --vary precision=fp32,int8 -- ./dl --precision "
        "{precision}"};
  }
  return deliverable;
}

}  // namespace edgewise

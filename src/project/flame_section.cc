// Flame graphs: where the programs' time goes, function by function.
#include "base/units.h"
#include "project/deliverable.h"
#include "project/remake.h"
#include "project/run_files.h"
#include "project/wording.h"
#include "report/flame.h"
#include "report/function_tables.h"
#include "report/run_stacks.h"
#include "report/svg_flame.h"
#include "store/analysis.h"

namespace edgewise {
namespace {

constexpr size_t kFunctions = 12;
// The page holds several, and what has few samples is deep; the archive has
// them whole.
constexpr size_t kPageNodes = 250;

std::string TitleOf(const Run& run) {
  return run.label.empty() ? ProgramOf(run.command) : run.label;
}

}  // namespace

Result<Deliverable> FlameDeliverable(const DeliverableSource& source) {
  Deliverable deliverable;
  deliverable.title = "Flame graphs";
  deliverable.optional = true;
  std::vector<std::string> names;
  for (const Run& run : source.runs.sampled) {
    const auto stacks = source.store.StacksOf(run.id);
    if (!stacks) {
      return stacks.error();
    }
    const auto analysis = Analyse(source.store, run);
    if (!analysis) {
      return analysis.error();
    }
    if (!*stacks || !analysis->stacks) {
      deliverable.warnings.push_back("Run " + run.id + " has no stacks");
      continue;
    }
    const std::string title = TitleOf(run);
    names.push_back(title);
    deliverable.runs.push_back(run.id);
    deliverable.commands.push_back(RunAgain(run));
    deliverable.commands.push_back("edgewise show " + run.id + " --html " +
                                   title + ".html");
    PageSection section;
    section.heading = title;
    section.part = true;
    const std::string base = "flames/" + run.id;
    const FlameTree tree = MakeFlameTree(**stacks, kPageNodes);
    section.text = SampledText(*analysis->stacks) + ".";
    if (tree.nodes_left_out > 0) {
      section.text += " " + FormatCount(tree.nodes_left_out, "frame") +
                      " with the fewest samples are only in " + base + ".svg.";
    }
    section.charts = {FlameSvg(tree, title)};
    section.tables = {FunctionTable(*analysis->stacks, kFunctions, 0)};
    deliverable.sections.push_back(std::move(section));
    deliverable.files.push_back(
        {base + ".svg", FlameSvg(MakeFlameTree(**stacks), title)});
    std::string collapsed;
    if (const Result<void> written = ExportCollapsed(
            source.store, run, {},
            [&](std::string_view piece) { collapsed += piece; });
        !written) {
      return written.error();
    }
    deliverable.files.push_back({base + ".collapsed.txt", collapsed});
  }
  deliverable.there = !names.empty();
  if (deliverable.there) {
    deliverable.summary = "Of " + Listed(names) + ".";
  } else {
    deliverable.summary = "No Run of a program of the cards has call stacks.";
    deliverable.commands = {
        "edgewise run --stacks 199 --duration 10s -- ./app"};
  }
  return deliverable;
}

}  // namespace edgewise

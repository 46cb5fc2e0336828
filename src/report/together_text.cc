// Whether apps fit a node together.
#include <fmt/format.h>

#include "base/text.h"
#include "base/units.h"
#include "report/experiment_page.h"
#include "report/figures.h"
#include "report/history_text.h"
#include "report/json_writer.h"
#include "report/paragraphs.h"
#include "report/utf8.h"

namespace edgewise {
namespace {

std::string_view Word(Fits fits) {
  return fits == Fits::kYes ? "yes" : fits == Fits::kNo ? "no" : "unknown";
}

Cell FitsCell(Fits fits) {
  return {std::string(Word(fits)), fits == Fits::kYes  ? Tone::kGood
                                   : fits == Fits::kNo ? Tone::kBad
                                                       : Tone::kWarning};
}

std::string Amount(std::optional<double> value, std::string_view unit) {
  if (!value) {
    return std::string(kUnknown);
  }
  return unit == "bytes" ? FormatBytes(*value)
                         : fmt::format("{} {}", Figure(*value), unit);
}

std::string Answer(const Together& together) {
  std::vector<std::string> names;
  for (const AppNeed& app : together.apps) {
    names.push_back(Printable(app.app));
  }
  const std::string set = Join(names, ", ");
  const std::string node = Printable(together.node.name);
  switch (together.fits) {
    case Fits::kYes:
      return fmt::format("yes: {} fit {} and meet their goals", set, node);
    case Fits::kNo:
      return fmt::format("no: {} do not fit {} with all goals met", set, node);
    case Fits::kNotKnown:
      break;
  }
  return fmt::format(
      "nothing known speaks against {} on {}, but not all is "
      "known",
      set, node);
}

Table AppTable(const Together& together) {
  Table table{{{"app", false, true},
               {"CPU cores"},
               {"memory"},
               {"GPU memory"},
               {"GPU bandwidth"},
               {"from", false, true}},
              {}};
  for (const AppNeed& app : together.apps) {
    table.rows.push_back(
        {{Printable(app.app)},
         {app.cpu_cores ? Figure(*app.cpu_cores) : std::string(kUnknown)},
         {Amount(app.memory_bytes, "bytes")},
         {app.gpu_memory_bytes == 0.0 ? "none"
                                      : Amount(app.gpu_memory_bytes, "bytes")},
         {app.gpu_bandwidth_gbs == 0.0 ? "none"
                                       : Amount(app.gpu_bandwidth_gbs, "GB/s")},
         {Printable(app.source)}});
  }
  return table;
}

Table CheckTable(const Together& together) {
  Table table{{{"fits", false}, {"", false, true}}, {}};
  for (const ResourceCheck& check : together.resources) {
    table.rows.push_back({FitsCell(check.fits), {Printable(check.sentence)}});
  }
  for (const GoalCheck& goal : together.goals) {
    table.rows.push_back({FitsCell(goal.fits), {Printable(goal.sentence)}});
  }
  return table;
}

std::vector<std::string> Sentences(const Together& together) {
  std::vector<std::string> lines;
  const auto add = [&lines](Fits fits, const std::string& sentence) {
    lines.push_back(fmt::format("{}: {}", Word(fits), Printable(sentence)));
  };
  for (const ResourceCheck& check : together.resources) {
    add(check.fits, check.sentence);
  }
  for (const GoalCheck& goal : together.goals) {
    add(goal.fits, goal.sentence);
  }
  return lines;
}

}  // namespace

std::string TogetherText(const Together& together, const TextStyle& style) {
  std::string text = WrappedText("", Answer(together), style);
  AppendBlock(&text, TextTable(AppTable(together), style));
  AppendBlock(&text,
              ItemLines("checks", Sentences(together), Tone::kPlain, style));
  std::vector<std::string> warnings;
  for (const std::string& warning : together.warnings) {
    warnings.push_back(Printable(warning));
  }
  AppendBlock(&text, ItemLines("warnings", warnings, Tone::kWarning, style));
  return style.unicode ? text : ToAscii(text);
}

std::string TogetherJson(const Together& together) {
  JsonArray apps;
  for (const AppNeed& app : together.apps) {
    apps.Add(JsonObject()
                 .AddString("app", app.app)
                 .AddString("source", app.source)
                 .AddNumber("cpu_cores", app.cpu_cores)
                 .AddNumber("memory_bytes", app.memory_bytes)
                 .AddNumber("gpu_memory_bytes", app.gpu_memory_bytes)
                 .AddNumber("gpu_bandwidth_gbs", app.gpu_bandwidth_gbs)
                 .AddNumber("deadline_ms", app.deadline_ms)
                 .AddNumber("alone_ms", app.alone_ms)
                 .text());
  }
  JsonArray resources;
  for (const ResourceCheck& check : together.resources) {
    resources.Add(JsonObject()
                      .AddString("resource", check.resource)
                      .AddString("unit", check.unit)
                      .AddNumber("needed", check.needed)
                      .AddNumber("available", check.available)
                      .AddString("fits", Word(check.fits))
                      .AddString("sentence", check.sentence)
                      .text());
  }
  JsonArray goals;
  for (const GoalCheck& goal : together.goals) {
    goals.Add(JsonObject()
                  .AddString("app", goal.app)
                  .AddNumber("slow_down", goal.slow_down)
                  .AddString("slow_down_from", goal.slow_down_from)
                  .AddNumber("expected_ms", goal.expected_ms)
                  .AddNumber("deadline_ms", goal.deadline_ms)
                  .AddString("fits", Word(goal.fits))
                  .AddString("sentence", goal.sentence)
                  .text());
  }
  return JsonObject()
             .AddString("node", together.node.name)
             .AddString("fits", Word(together.fits))
             .Add("apps", apps.text())
             .Add("resources", resources.text())
             .Add("goals", goals.text())
             .AddStrings("warnings", together.warnings)
             .text() +
         "\n";
}

std::string TogetherHtml(const Together& together) {
  ExperimentPage page;
  page.title = "Together on " + together.node.name;
  page.advice = {Answer(together)};
  page.sections = {{"What they ask for", "", {AppTable(together)}, {}, ""},
                   {"Checks", "", {CheckTable(together)}, {}, ""}};
  if (!together.warnings.empty()) {
    page.sections.push_back(
        {"Notes", Join(together.warnings, ". "), {}, {}, ""});
  }
  return ExperimentHtml(page);
}

}  // namespace edgewise

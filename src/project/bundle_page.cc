#include <fmt/format.h>

#include "base/text.h"
#include "base/units.h"
#include "project/bundle.h"
#include "project/remake.h"
#include "report/outcome.h"
#include "report/utf8.h"

namespace edgewise {
namespace {

constexpr size_t kShownIds = 12;

// "0123456789ab, …"; of many the first.
std::string IdsText(const std::vector<std::string>& ids) {
  if (ids.empty()) {
    return "none";
  }
  if (ids.size() <= kShownIds) {
    return Join(ids, ", ");
  }
  return Join({ids.begin(), ids.begin() + kShownIds}, ", ") +
         fmt::format(" and {} more", ids.size() - kShownIds);
}

Table CheckList(const std::vector<Deliverable>& deliverables) {
  Table table;
  table.columns = {{"deliverable", false}, {"", false}, {"what", false}};
  for (size_t i = 0; i < deliverables.size(); ++i) {
    const Deliverable& each = deliverables[i];
    table.rows.push_back(
        {{fmt::format("{}. {}", i + 1, each.title), Tone::kStrong},
         {each.there      ? "here"
          : each.optional ? "optional"
                          : "missing",
          each.there      ? Tone::kGood
          : each.optional ? Tone::kDim
                          : Tone::kBad},
         {Printable(
             each.there
                 ? each.summary
                 : each.summary + " This would make it: " +
                       (each.commands.empty() ? "" : each.commands.front()))}});
  }
  return table;
}

// The deliverable's own section, then what it consists of.
void AddSections(size_t number, const Deliverable& each,
                 std::vector<PageSection>* sections) {
  PageSection own;
  own.heading = fmt::format("{}. {}", number, each.title);
  own.text = each.summary;
  auto rest = each.sections.begin();
  if (rest != each.sections.end() && rest->heading.empty()) {
    own.text += " " + rest->text;
    own.tables = rest->tables;
    own.charts = rest->charts;
    ++rest;
  }
  if (!each.runs.empty()) {
    own.code = "# Runs: " + IdsText(each.runs) + "\n";
  }
  own.code += each.there ? "# made by\n" : "# this would make it\n";
  for (const std::string& command : each.commands) {
    own.code += command.empty() ? "" : command + "\n";
  }
  sections->push_back(std::move(own));
  sections->insert(sections->end(), rest, each.sections.end());
}

Table RunTable(const std::vector<Run>& runs) {
  Table table;
  table.columns = {{"Run", false},     {"label", false},      {"what", false},
                   {"command", false}, {"conditions", false}, {"end", false}};
  for (const Run& run : runs) {
    const Outcome outcome = OutcomeOf(run);
    table.rows.push_back(
        {{run.id, Tone::kStrong},
         {Printable(run.label)},
         {Printable(run.group_role.empty() ? run.kind : run.group_role)},
         {CommandText(run)},
         {ConditionsText(run.conditions)},
         {outcome.word, outcome.tone}});
  }
  return table;
}

Table FileTable(const std::vector<ArchivedFile>& files) {
  Table table;
  table.columns = {{"file", false}, {"size"}};
  for (const ArchivedFile& file : files) {
    table.rows.push_back(
        {{Printable(file.name)},
         {FormatBytes(static_cast<double>(file.content.size()))}});
  }
  return table;
}

Table WarningTable(const std::vector<std::string>& warnings) {
  Table table;
  table.columns = {{"warning", false}};
  for (const std::string& warning : warnings) {
    table.rows.push_back({{Printable(warning), Tone::kWarning}});
  }
  return table;
}

}  // namespace

std::string BundleHtml(const Bundle& bundle) {
  ExperimentPage page;
  page.title = bundle.name;
  page.subtitle =
      bundle.runs.empty() ? "" : MachineText(bundle.runs.back().machine);
  page.advice = {BundleHeadline(bundle)};
  page.contents = true;
  page.sections.push_back({"Deliverables",
                           "Each section below says which Runs it comes from, "
                           "and which command makes it again.",
                           {CheckList(bundle.deliverables)},
                           {},
                           ""});
  if (!bundle.warnings.empty()) {
    page.sections.push_back(
        {"Warnings", "", {WarningTable(bundle.warnings)}, {}, ""});
  }
  for (size_t i = 0; i < bundle.deliverables.size(); ++i) {
    AddSections(i + 1, bundle.deliverables[i], &page.sections);
  }
  if (!bundle.runs.empty()) {
    page.sections.push_back({"Runs",
                             "Every figure above is of one of these. edgewise "
                             "show ID has all of one.",
                             {RunTable(bundle.runs)},
                             {},
                             ""});
  }
  page.sections.push_back({"Files of the archive",
                           "Beside this page.",
                           {FileTable(bundle.files)},
                           {},
                           ""});
  page.footer = "edgewise bundle";
  return ExperimentHtml(page);
}

}  // namespace edgewise

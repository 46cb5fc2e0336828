// CSV logs: what prof_utils wrote, and the records of the Runs.
#include <fmt/format.h>

#include "base/units.h"
#include "project/deliverable.h"
#include "project/profile_log.h"
#include "project/run_files.h"
#include "report/figures.h"
#include "report/utf8.h"
#include "stats/summary.h"

namespace edgewise {
namespace {

std::string WithInterval(const std::optional<stats::Estimate>& estimate) {
  if (!estimate) {
    return std::string(kUnknown);
  }
  return Figure(estimate->value) +
         (estimate->sufficient()
              ? fmt::format(" [{}–{}]", Figure(*estimate->low),
                            Figure(*estimate->high))
              : " [insufficient samples]");
}

void AddRows(const ArchivedFile& file, const ProfileLog& log, Table* table) {
  for (const LoggedBlock& block : log.blocks) {
    const stats::SpanSummary summary = stats::Summarise(block.wall_ms);
    table->rows.push_back(
        {{Printable(file.name)},
         {Printable(block.label), Tone::kStrong},
         {FormatCount(summary.count)},
         {summary.mean ? Figure(*summary.mean) : std::string(kUnknown)},
         {WithInterval(summary.p50)},
         {WithInterval(summary.p95)},
         {WithInterval(summary.p99)},
         {summary.max ? Figure(*summary.max) : std::string(kUnknown)}});
  }
}

}  // namespace

Result<Deliverable> LogDeliverable(const DeliverableSource& source) {
  Deliverable deliverable;
  deliverable.title = "CSV logs";
  Table table;
  table.columns = {{"log", false}, {"block, ms", false},
                   {"rows"},       {"mean"},
                   {"p50"},        {"p95"},
                   {"p99"},        {"max"}};
  for (const ArchivedFile& file : source.folder.logs) {
    deliverable.files.push_back(file);
    const auto log = ReadProfileLog(file.content);
    if (!log) {
      deliverable.warnings.push_back(
          file.name +
          " has no columns label and wall_ms: it is in the archive "
          "as it is");
      continue;
    }
    AddRows(file, *log, &table);
    if (log->bad_rows > 0) {
      deliverable.warnings.push_back(file.name + ": " +
                                     FormatCount(log->bad_rows, "row") +
                                     " without a label or a time are left out");
    }
  }
  for (const auto* runs : {&source.runs.evidence, &source.runs.named}) {
    for (const Run& run : *runs) {
      if (const Result<void> added =
              AddRunFiles(source.store, run, &deliverable);
          !added) {
        return added.error();
      }
      deliverable.runs.push_back(run.id);
      deliverable.commands.push_back("edgewise export " + run.id +
                                     " --format csv");
    }
  }
  deliverable.there = !source.folder.logs.empty();
  deliverable.commands.insert(
      deliverable.commands.begin(),
      "EDGEWISE_CSV=logs/app.csv ./app  # or prof_utils.measure(…, "
      "log_path=\"logs/app.csv\")");
  if (!deliverable.there) {
    deliverable.summary =
        "There is no log in logs/." +
        std::string(deliverable.runs.empty()
                        ? ""
                        : " The records of the Runs are in the archive.");
    return deliverable;
  }
  deliverable.summary =
      FormatCount(std::ssize(source.folder.logs), "log") +
      (deliverable.runs.empty()
           ? "."
           : ", and the records of " +
                 FormatCount(std::ssize(deliverable.runs), "Run") + ".");
  deliverable.sections.push_back({"",
                                  "Wall time of each measured block, with 95% "
                                  "intervals.",
                                  {std::move(table)},
                                  {},
                                  ""});
  return deliverable;
}

}  // namespace edgewise

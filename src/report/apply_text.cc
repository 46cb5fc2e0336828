#include "report/apply_text.h"

#include "base/units.h"
#include "report/json_writer.h"
#include "report/paragraphs.h"
#include "report/plan_text.h"
#include "report/utf8.h"

namespace edgewise {

std::string ChangeLine(const AppliedChange& change) {
  return Printable(change.task + " (pid " + std::to_string(change.pid) +
                   "): " + change.what);
}

std::string ApplyText(const ApplyReport& report, const TextStyle& style) {
  std::string text =
      report.proven
          ? Tint("Every deadline is proven to be met as it is applied.",
                 Tone::kGood, style)
          : Tint("The deadlines are not proven as it is applied.", Tone::kBad,
                 style);
  text += "\n";
  AppendBlock(&text, TextTable(PlanTaskTable(report.plan), style, 2));
  AppendBlock(&text,
              ItemLines("warnings", report.warnings, Tone::kWarning, style));
  return text;
}

std::string ApplyJson(const ApplyReport& report, bool dry_run) {
  JsonArray changes;
  for (const AppliedChange& change : report.changes) {
    changes.Add(JsonObject()
                    .AddString("task", change.task)
                    .AddInt("pid", change.pid)
                    .AddString("what", change.what)
                    .AddString("command", change.command)
                    .text());
  }
  JsonArray proofs;
  for (const PlannedCore& core : report.plan.cores) {
    proofs.Add(
        JsonObject()
            .AddString("cores", FormatCpuList(core.cores))
            .AddString("test", core.proof.test)
            .Add("schedulable", core.proof.schedulable ? "true" : "false")
            .AddString("verdict", core.proof.verdict)
            .AddString("witness", core.proof.witness)
            .text());
  }
  return JsonObject()
             .Add("dry_run", dry_run ? "true" : "false")
             .Add("proven", report.proven ? "true" : "false")
             .Add("changes", changes.text())
             .Add("proofs", proofs.text())
             .AddStrings("warnings", report.warnings)
             .text() +
         "\n";
}

std::string UndoJson(const UndoReport& report) {
  return JsonObject()
             .AddStrings("changes", report.changes)
             .AddStrings("problems", report.problems)
             .text() +
         "\n";
}

}  // namespace edgewise

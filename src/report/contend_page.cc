#include <fmt/format.h>

#include "base/text.h"
#include "base/units.h"
#include "report/contend_matrix.h"
#include "report/contend_tables.h"
#include "report/contend_text.h"
#include "report/experiment_page.h"

namespace edgewise {

std::string ContendHtml(const ContendReport& report) {
  ExperimentPage page;
  page.title = "What neighbours cost";
  page.subtitle = "contend " + std::string(ContendModeName(report.mode));
  page.facts = {{"shared", FormatCount(report.cores, "core")},
                {"repeats", FormatCount(report.repeat)},
                {"seed", std::to_string(report.seed)},
                {"group", report.group}};
  page.advice = report.advice;
  const auto add = [&page](std::string heading, std::string text, Table table,
                           std::vector<std::string> charts) {
    if (!table.rows.empty() || !charts.empty()) {
      page.sections.push_back({std::move(heading),
                               std::move(text),
                               {std::move(table)},
                               std::move(charts),
                               ""});
    }
  };
  std::vector<std::string> pictures;
  if (const ContendMatrix matrix = MatrixOf(report); !matrix.columns.empty()) {
    pictures.push_back(MatrixSvg(matrix));
  }
  add("Beside each other",
      "An item takes so many times as long as alone, with 95% intervals.",
      SlowDownTable(report), std::move(pictures));
  std::vector<std::string> curves;
  for (const ContendApp& app : report.apps) {
    if (std::string curve = SensitivitySvg(report, app.name); !curve.empty()) {
      curves.push_back(std::move(curve));
    }
  }
  add("Under pressure", "", {}, std::move(curves));
  add("Own pressure", std::string(kPressureNote), PressureTable(report), {});
  if (report.check) {
    add("Predicted and measured", CheckVerdict(*report.check),
        CheckTable(*report.check), {});
  }
  add("Alone", "", AloneTable(report), {});
  for (const auto& [heading, items] :
       {std::pair("Failed", ContendFailures(report)),
        std::pair("Warnings", report.warnings)}) {
    if (!items.empty()) {
      page.sections.push_back({heading, Join(items, ". "), {}, {}, ""});
    }
  }
  return ExperimentHtml(page);
}

}  // namespace edgewise

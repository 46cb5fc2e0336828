#include "cli/verbs/export_svg.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/text.h"
#include "base/units.h"
#include "cli/context.h"
#include "cli/output_file.h"
#include "report/run_charts.h"
#include "store/analysis.h"

namespace edgewise::cli {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> NamesOf(const std::vector<RunChart>& charts) {
  std::vector<std::string> names;
  for (const RunChart& chart : charts) {
    names.push_back(chart.name);
  }
  return names;
}

Result<void> WriteOne(const Run& run, const std::vector<RunChart>& charts,
                      const std::string& name, const std::string& output) {
  const auto found =
      std::find_if(charts.begin(), charts.end(),
                   [&](const RunChart& chart) { return chart.name == name; });
  if (found == charts.end()) {
    return Error{ErrorCode::kNotFound,
                 "Run " + run.id + " has no chart '" + name +
                     "'; it has: " + Join(NamesOf(charts), ", ")};
  }
  return WriteOutput(output.empty() ? "-" : output, found->draw());
}

Result<void> WriteAll(const std::vector<RunChart>& charts,
                      const std::string& folder) {
  if (folder.empty() || folder == "-") {
    return Error{ErrorCode::kInvalid,
                 "--format svg needs a folder for all charts (-o FOLDER), or "
                 "one of them: --chart " +
                     Join(NamesOf(charts), ", ")};
  }
  if (const auto made = MakeOutputFolder(folder); !made) {
    return Error{made.error().code,
                 made.error().message + "; --chart NAME writes one to a file"};
  }
  for (const RunChart& chart : charts) {
    const Result<void> written = WriteOutput(
        (fs::path(folder) / (chart.name + ".svg")).string(), chart.draw());
    if (!written) {
      return written.error();
    }
  }
  Print(FormatCount(std::ssize(charts), "chart") + " in " + folder + "\n");
  return {};
}

}  // namespace

int ExportSvg(const Store& store, const Run& run, const std::string& chart,
              const std::string& output) {
  const auto analysis = Analyse(store, run, kChartDetail);
  if (!analysis) {
    return Fail(analysis.error());
  }
  const auto stacks = store.StacksOf(run.id);
  if (!stacks) {
    return Fail(stacks.error());
  }
  const std::vector<RunChart> charts =
      ChartsOf(run, *analysis, *stacks ? &**stacks : nullptr);
  if (charts.empty()) {
    return Fail({ErrorCode::kNotFound,
                 "Run " + run.id +
                     " has nothing to draw: no spans, no series, no stacks"});
  }
  const Result<void> written = chart.empty()
                                   ? WriteAll(charts, output)
                                   : WriteOne(run, charts, chart, output);
  return written ? kExitDone : Fail(written.error());
}

}  // namespace edgewise::cli

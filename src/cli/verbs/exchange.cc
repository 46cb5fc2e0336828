// `edgewise export` and `edgewise import`: Runs in other tools' formats.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "base/text.h"
#include "base/units.h"
#include "cli/verbs.h"
#include "report/run_csv.h"
#include "report/run_json.h"
#include "report/run_markdown.h"
#include "store/analysis.h"
#include "store/import_pywaggle.h"

namespace edgewise::cli {
namespace {

struct ExportOptions {
  std::string run = "last";
  std::string format = "json";
  std::string what = "spans";
  std::string output;
};

Result<std::string> Render(const Store& store, const Run& run,
                           const ExportOptions& options) {
  if (options.format == "csv" && options.what == "spans") {
    return SpansCsv(store, run);
  }
  if (options.format == "csv" && options.what == "series") {
    return SeriesCsv(store, run);
  }
  const auto analysis = Analyse(store, run);
  if (!analysis) {
    return analysis.error();
  }
  if (options.format == "csv") {
    return SummaryCsv(run, *analysis);
  }
  return options.format == "markdown" ? RunMarkdown(run, *analysis)
                                      : RunJson(run, *analysis);
}

int Export(const ExportOptions& options, const Context& context) {
  auto store = Store::Open(context.home);
  if (!store) {
    return Fail(store.error());
  }
  const auto run = store->Find(options.run);
  if (!run) {
    return Fail(run.error());
  }
  const auto text = Render(*store, *run, options);
  if (!text) {
    return Fail(text.error());
  }
  if (options.output.empty()) {
    Print(*text);
    return kExitDone;
  }
  if (const Result<void> written = WriteFile(options.output, *text); !written) {
    return Fail(written.error());
  }
  return kExitDone;
}

int ImportPywaggleFile(const std::string& file, const std::string& label,
                       const Context& context) {
  auto store = Store::Open(context.home);
  if (!store) {
    return Fail(store.error());
  }
  const auto outcome = ImportPywaggle(*store, file, label);
  if (!outcome) {
    return Fail(outcome.error());
  }
  for (const std::string& problem : outcome->problems) {
    PrintError(problem);
  }
  Print("Run " + outcome->run.id + ": " + FormatCount(outcome->spans) +
        " spans and " + FormatCount(outcome->points) + " values from " + file +
        (outcome->skipped_lines > 0
             ? "; " + FormatCount(outcome->skipped_lines) + " lines skipped"
             : "") +
        "\n");
  return kExitDone;
}

}  // namespace

void AddExport(CLI::App& root, Context& context) {
  CLI::App* verb = root.add_subcommand("export", "Write a Run for other tools");
  auto options = std::make_shared<ExportOptions>();
  verb->add_option("RUN", options->run,
                   "last (default), last~2, an id, its beginning, or a label");
  verb->add_option("--format", options->format, "csv, json or markdown")
      ->type_name("FORMAT")
      ->check(CLI::IsMember({"csv", "json", "markdown"}));
  verb->add_option("--what", options->what,
                   "For csv: spans (default), series or summary")
      ->type_name("TABLE")
      ->check(CLI::IsMember({"spans", "series", "summary"}));
  verb->add_option("--output,-o", options->output, "File (default: stdout)")
      ->type_name("FILE");
  verb->callback(
      [options, &context] { context.exit_code = Export(*options, context); });
}

void AddImport(CLI::App& root, Context& context) {
  CLI::App* verb =
      root.add_subcommand("import", "Make a Run of another tool's log");
  verb->require_subcommand(1);
  CLI::App* pywaggle = verb->add_subcommand(
      "pywaggle", "A data.ndjson that pywaggle wrote to PYWAGGLE_LOG_DIR");
  auto file = std::make_shared<std::string>();
  auto label = std::make_shared<std::string>();
  pywaggle->add_option("FILE", *file, "The data.ndjson")->required();
  pywaggle->add_option("--label", *label, "A name to find the Run by")
      ->type_name("TEXT");
  pywaggle->callback([file, label, &context] {
    context.exit_code = ImportPywaggleFile(*file, *label, context);
  });
}

}  // namespace edgewise::cli

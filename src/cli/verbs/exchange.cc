// `edgewise export` and `edgewise import`: Runs in other tools' formats.
#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <memory>

#include "base/units.h"
#include "cli/verbs.h"
#include "cli/verbs/export_svg.h"
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
  std::string chart;
  std::string output;
};

Result<void> Render(const Store& store, const Run& run,
                    const ExportOptions& options, const TextSink& sink) {
  if (options.format == "csv" && options.what == "spans") {
    return SpansCsv(store, run, sink);
  }
  if (options.format == "csv" && options.what == "jobs") {
    return JobsCsv(store, run, sink);
  }
  if (options.format == "csv" && options.what == "series") {
    return SeriesCsv(store, run, sink);
  }
  const auto analysis = Analyse(store, run);
  if (!analysis) {
    return analysis.error();
  }
  if (options.format == "csv") {
    sink(SummaryCsv(run, *analysis));
  } else if (options.format == "markdown") {
    sink(RunMarkdown(run, *analysis));
  } else {
    sink(RunJson(run, *analysis));
  }
  return {};
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
  if (options.format == "svg") {
    return ExportSvg(*store, *run, options.chart, options.output);
  }
  if (options.output.empty()) {
    const Result<void> rendered = Render(
        *store, *run, options, [](std::string_view text) { Print(text); });
    return rendered ? kExitDone : Fail(rendered.error());
  }
  // Into a file beside it first: a failure must not leave half a file under
  // the name that was asked for.
  const std::string partial = options.output + ".partial";
  std::FILE* file = std::fopen(partial.c_str(), "w");
  if (file == nullptr) {
    return Fail({ErrorCodeFromErrno(errno),
                 "cannot write " + options.output + ": " + ErrnoText()});
  }
  bool written = true;
  const Result<void> rendered =
      Render(*store, *run, options, [&](std::string_view text) {
        written = written &&
                  std::fwrite(text.data(), 1, text.size(), file) == text.size();
      });
  written = std::fclose(file) == 0 && written;
  if (!rendered || !written ||
      std::rename(partial.c_str(), options.output.c_str()) != 0) {
    const Error error =
        rendered ? Error{ErrorCode::kIo,
                         "cannot write " + options.output + ": " + ErrnoText()}
                 : rendered.error();
    std::remove(partial.c_str());
    return Fail(error);
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
  Print("Run " + outcome->run.id + ": " + FormatCount(outcome->spans, "span") +
        " and " + FormatCount(outcome->points, "value") + " from " + file +
        (outcome->skipped_lines > 0
             ? "; " + FormatCount(outcome->skipped_lines, "line") + " skipped"
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
  verb->add_option("--format", options->format, "csv, json, markdown or svg")
      ->type_name("FORMAT")
      ->check(
          CLI::IsMember({"csv", "json", "markdown", "svg"}).description(""));
  verb->add_option("--what", options->what,
                   "For csv: spans (default), jobs, series or summary")
      ->type_name("TABLE")
      ->check(CLI::IsMember({"spans", "jobs", "series", "summary"})
                  .description(""));
  verb->add_option("--chart", options->chart,
                   "For svg: this chart alone, e.g. flame or cdf-NAME")
      ->type_name("NAME");
  verb->add_option("--output,-o", options->output,
                   "File (default: stdout); for svg without --chart a folder")
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

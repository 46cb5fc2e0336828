// `edgewise export`: Runs in other tools' formats.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/output_file.h"
#include "cli/verbs.h"
#include "cli/verbs/export_svg.h"
#include "report/export_chrome.h"
#include "report/export_pprof.h"
#include "report/export_speedscope.h"
#include "report/run_csv.h"
#include "report/run_json.h"
#include "report/run_markdown.h"
#include "report/run_stacks.h"
#include "sessions/stack_recorder.h"
#include "store/analysis.h"

namespace edgewise::cli {
namespace {

struct ExportOptions {
  std::string run = "last";
  std::string format = "json";
  std::string what = "spans";
  std::string chart;
  std::string output;
  bool marks = false;
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
  if (options.format == "collapsed") {
    stacks::CollapsedWriteOptions style;
    style.kernel_marks = options.marks;
    style.jit_marks = options.marks;
    style.inlined_marks = options.marks;
    return ExportCollapsed(store, run, style, sink);
  }
  if (options.format == "speedscope") {
    return ExportSpeedscope(store, run, sink);
  }
  if (options.format == "pprof") {
    return ExportPprof(store, run, sink);
  }
  if (options.format == "chrome") {
    return ExportChrome(store, run, sink);
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
  RecoverStacks(*store);
  const auto run = store->Find(options.run);
  if (!run) {
    return Fail(run.error());
  }
  if (options.format == "svg") {
    return ExportSvg(*store, *run, options.chart, options.output);
  }
  if (options.output.empty() && options.format == "pprof" &&
      isatty(STDOUT_FILENO) == 1) {
    return Fail({ErrorCode::kInvalid,
                 "pprof is no text for a terminal; add --output FILE"});
  }
  if (options.output.empty()) {
    const Result<void> rendered = Render(
        *store, *run, options, [](std::string_view text) { Print(text); });
    return rendered ? kExitDone : Fail(rendered.error());
  }
  auto file = OutputFile::Create(options.output);
  if (!file) {
    return Fail(file.error());
  }
  const Result<void> rendered = Render(
      *store, *run, options, [&](std::string_view text) { file->Write(text); });
  if (!rendered) {
    return Fail(rendered.error());
  }
  const Result<void> written = file->Finish();
  return written ? kExitDone : Fail(written.error());
}

}  // namespace

void AddExport(CLI::App& root, Context& context) {
  CLI::App* verb = root.add_subcommand("export", "Write a Run for other tools");
  auto options = std::make_shared<ExportOptions>();
  verb->add_option("RUN", options->run,
                   "last (default), last~2, an id, its beginning, or a label");
  verb->add_option(
          "--format", options->format,
          "json (default), csv, markdown; of stacks collapsed, speedscope, "
          "pprof; of spans and series chrome (also for Perfetto); svg draws "
          "charts")
      ->type_name("FORMAT")
      ->check(CLI::IsMember({"json", "csv", "markdown", "collapsed",
                             "speedscope", "chrome", "pprof", "svg"})
                  .description(""));
  verb->add_option("--what", options->what,
                   "For csv: spans (default), jobs, series or summary")
      ->type_name("TABLE")
      ->check(CLI::IsMember({"spans", "jobs", "series", "summary"})
                  .description(""));
  verb->add_flag("--marks", options->marks,
                 "For collapsed: mark functions of the kernel (_[k]), compiled "
                 "at run time (_[j]) and inlined (_[i])");
  verb->add_option("--chart", options->chart,
                   "For svg: this chart alone, e.g. flame or cdf-NAME")
      ->type_name("NAME");
  verb->add_option("--output,-o", options->output,
                   "File (default: stdout); for svg without --chart a folder")
      ->type_name("FILE");
  verb->callback(
      [options, &context] { context.exit_code = Export(*options, context); });
}

}  // namespace edgewise::cli

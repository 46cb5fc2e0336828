// `edgewise contend`: what neighbours cost.
#include "experiments/contend.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/text.h"
#include "cards/make_card.h"
#include "cli/output_file.h"
#include "cli/verbs.h"
#include "cli/verbs/contend_options.h"
#include "cli/verbs/contend_tenants.h"
#include "controls/guardian.h"
#include "experiments/contend_card.h"
#include "report/contend_matrix.h"
#include "report/contend_text.h"

namespace edgewise::cli {
namespace {

// A card that is there is updated; else one is made of the Runs alone.
Result<void> WriteCardFile(const ContendReport& report, const std::string& name,
                           const std::string& file, const Context& context) {
  const auto app = std::find_if(
      report.apps.begin(), report.apps.end(),
      [&name](const ContendApp& each) { return each.name == name; });
  Card card;
  if (std::filesystem::exists(file)) {
    const auto text = ReadFile(file);
    auto read = text ? ReadCard(*text, file) : Result<Card>(text.error());
    if (!read) {
      return read.error();
    }
    card = std::move(*read);
  } else {
    const auto store = Store::Open(context.home);
    if (!store) {
      return store.error();
    }
    std::vector<Run> runs;
    for (const std::string& id : app->alone.runs) {
      auto run = store->Find(id);
      if (!run) {
        return run.error();
      }
      runs.push_back(std::move(*run));
    }
    CardRequest request;
    request.name = name;
    request.span = app->span;
    auto made = MakeCard(*store, runs, request);
    if (!made) {
      return made.error();
    }
    card = std::move(made->card);
  }
  FillContention(report, name, card);
  return WriteOutput(file, WriteCard(card));
}

Result<void> WriteFiles(const ContendReport& report,
                        const ContendOptions& options,
                        const std::map<std::string, std::string>& cards,
                        const Context& context) {
  if (!options.svg.empty()) {
    if (Result<void> written =
            WriteOutput(options.svg, MatrixSvg(MatrixOf(report)));
        !written) {
      return written;
    }
  }
  if (!options.html.empty()) {
    if (Result<void> written = WriteOutput(options.html, ContendHtml(report));
        !written) {
      return written;
    }
  }
  for (const auto& [app, file] : cards) {
    if (Result<void> written = WriteCardFile(report, app, file, context);
        !written) {
      return written;
    }
  }
  return {};
}

int Execute(const ContendOptions& options, const Context& context) {
  if (!options.tenants.empty()) {
    return ContendTenants(options, context);
  }
  if (const Result<void> checked = RefuseTenantOptions(options); !checked) {
    return Fail(checked.error());
  }
  const auto request = RequestFrom(options, context.home);
  if (!request) {
    return Fail(request.error());
  }
  const auto cards = CardFiles(options, *request);
  if (!cards) {
    return Fail(cards.error());
  }
  (void)SweepStale(context.home);
  const bool shown = ::isatty(STDERR_FILENO) == 1;
  const auto report = RunContend(*request, [shown](const ContendProgress& at) {
    if (shown) {
      PrintToStderr("\r\033[K" + std::to_string(at.step) + " of " +
                    std::to_string(at.steps) + ": " + at.what);
    }
  });
  if (shown) {
    PrintToStderr("\r\033[K");
  }
  if (!report) {
    return Fail(report.error());
  }
  Print(options.json ? ContendJson(*report)
                     : ContendText(*report, StyleFor(STDOUT_FILENO)));
  if (const Result<void> written =
          WriteFiles(*report, options, *cards, context);
      !written) {
    return Fail(written.error());
  }
  if (report->cancelled) {
    PrintError("cancelled: what was measured before is in the store");
    return kExitCancelled;
  }
  const bool none =
      std::none_of(report->apps.begin(), report->apps.end(),
                   [](const ContendApp& app) { return app.alone.p50_ns; });
  if (none) {
    PrintError("no app could be measured: try each with edgewise run first");
    return kExitNo;
  }
  return report->check && !report->check->passed ? kExitNo : kExitDone;
}

}  // namespace

void AddContend(CLI::App& root, Context& context) {
  CLI::App* verb = root.add_subcommand(
      "contend", "Measure apps beside neighbours: what these cost");
  auto options = std::make_shared<ContendOptions>();
  AddContendOptions(*verb, *options);
  verb->footer(
      "Apps should run until they are ended, as the samples do with --max "
      "--items 1000000000.\n"
      "check answers 1 where predictions miss the bar.\n"
      "Example: edgewise contend pairwise --app 'cam=./camera --max' --app "
      "'nn=./detector --max' --duration 5s\n"
      "Example: edgewise contend random --tenants nine --budget 45m --server "
      "left=cpus:0,memory:2GiB --out campaign");
  verb->callback(
      [options, &context] { context.exit_code = Execute(*options, context); });
}

}  // namespace edgewise::cli

// `edgewise fit`: the least CPU and memory with which an app meets a target.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <utility>

#include "base/text.h"
#include "base/units.h"
#include "cards/card.h"
#include "cli/option_values.h"
#include "cli/output_file.h"
#include "cli/progress.h"
#include "cli/verbs.h"
#include "cli/verbs/command_words.h"
#include "cli/verbs/run_options.h"
#include "controls/guardian.h"
#include "experiments/fit_card.h"
#include "experiments/fit_runs.h"
#include "experiments/least_resources.h"
#include "report/fit_page.h"
#include "report/fit_step.h"
#include "report/fit_text.h"

namespace edgewise::cli {
namespace {

struct Options {
  RunOptions run;
  FitRequest request;
  std::vector<std::string> targets;
  double margin_percent = 10;
  std::string card;
  std::string html;
  bool json = false;
};

Result<void> ReadTargets(Options& options) {
  if (options.targets.empty()) {
    return Error{ErrorCode::kInvalid,
                 "there is no target: give --target 'fps>=10' or --target "
                 "'p95(frame)<=80ms'"};
  }
  for (const std::string& text : options.targets) {
    auto targets = ParseTargets(text);
    if (!targets) {
      return targets.error();
    }
    options.request.targets.insert(options.request.targets.end(),
                                   targets->begin(), targets->end());
  }
  return {};
}

Result<SessionSettings> Settings(Options& options, const CLI::App& verb,
                                 const Context& context) {
  auto settings = SettingsFrom(options.run);
  if (!settings) {
    return settings;
  }
  auto command = CommandFrom(verb, context);
  if (!command) {
    return command.error();
  }
  settings->command = std::move(*command);
  if (const Result<void> targets = ReadTargets(options); !targets) {
    return targets.error();
  }
  if (const Result<void> checked = CheckSettings(*settings); !checked) {
    return checked.error();
  }
  options.request.cores_at_hand =
      static_cast<int>(std::max<size_t>(1, CoresAtHand(*settings).size()));
  options.request.memory_margin = options.margin_percent / 100;
  return settings;
}

// The card that is there already, so that what is wrong with it is told before
// anything runs; nullopt if there is none.
Result<std::optional<Card>> OldCard(const std::string& path) {
  if (path.empty() || path == "-" || !std::filesystem::exists(path)) {
    return std::optional<Card>();
  }
  const auto text = ReadFile(path);
  if (!text) {
    return text.error();
  }
  auto card = ReadCard(*text, path);
  if (!card) {
    return card.error();
  }
  return std::optional<Card>(std::move(*card));
}

Result<void> WriteFiles(const Options& options, const Store& store,
                        const FitAnswer& answer, std::optional<Card> card,
                        const std::vector<std::string>& command) {
  if (!options.html.empty()) {
    if (auto written = WriteOutput(options.html,
                                   FitHtml(answer, options.request, command));
        !written) {
      return written;
    }
  }
  if (options.card.empty() || answer.outcome != FitOutcome::kFound) {
    return {};
  }
  if (card) {
    card->resources = ResourcesOf(answer, options.request);
  } else {
    auto made = NewFitCard(store, answer, options.request);
    if (!made) {
      return made.error();
    }
    card = std::move(*made);
  }
  return WriteOutput(options.card, WriteCard(*card));
}

int ExitOf(FitOutcome outcome) {
  switch (outcome) {
    case FitOutcome::kFound:
      return kExitDone;
    case FitOutcome::kCancelled:
      return kExitCancelled;
    case FitOutcome::kUnconfirmed:
    case FitOutcome::kCannotMeet:
    case FitOutcome::kAppFailed:
      break;
  }
  return kExitNo;
}

int Execute(Options& options, const CLI::App& verb, const Context& context) {
  if (options.json && (options.html == "-" || options.card == "-")) {
    return Fail({ErrorCode::kInvalid,
                 "--json and a file named - both want stdout: write one to a "
                 "file"});
  }
  const auto settings = Settings(options, verb, context);
  if (!settings) {
    return Fail(settings.error());
  }
  auto card = OldCard(options.card);
  if (!card) {
    return Fail(card.error());
  }
  auto store = Store::Open(context.home);
  if (!store) {
    return Fail(store.error());
  }
  (void)SweepStale(context.home);
  ProgressLine progress(true);
  FitRuns runs(*store, *settings, options.request, progress.Listener());
  const auto answer = FindLeastResources(
      options.request,
      [&runs](const ResourceLimits& limits) { return runs.Run(limits); },
      [&](const FitStep& step) {
        progress.Clear();
        if (!options.json) {
          PrintToStderr(FitStepText(step, options.request) + "\n");
        }
      });
  progress.Clear();
  if (!answer) {
    return Fail(answer.error());
  }
  if (const auto written = WriteFiles(options, *store, *answer,
                                      std::move(*card), settings->command);
      !written) {
    return Fail(written.error());
  }
  if (options.json) {
    Print(FitJson(*answer, options.request, runs.group()));
  } else if (options.html != "-" && options.card != "-") {
    Print(FitText(*answer, options.request, StyleFor(STDOUT_FILENO)));
  }
  return ExitOf(answer->outcome);
}

}  // namespace

void AddFit(CLI::App& root, Context& context) {
  CLI::App* verb = root.add_subcommand(
      "fit",
      "Find the least CPU and memory with which a command meets a target");
  auto options = std::make_shared<Options>();
  FitRequest& request = options->request;
  verb->prefix_command();
  AddRepeated(*verb, "--target", options->targets, "TARGET",
              "What it must achieve: 'fps>=10', 'rate(SPAN)>=10', "
              "'p95(SPAN)<=80ms' (p50, p90, p99, p99.9, mean, max), "
              "'misses(SPAN)<=1%', 'wall<=30s'; joined by and, or repeated");
  verb->add_option("--duration", options->run.duration,
                   "A planned end of each Run, for programs without one")
      ->type_name("TIME");
  verb->add_option("--max-runs", request.max_runs, "Runs at most (default 15)")
      ->type_name("N")
      ->check(CLI::Range(3, 1000).description(""));
  verb->add_option("--confidence", request.confidence,
                   "With which the targets must be met (default 0.95)")
      ->type_name("C")
      ->check(NumberFrom(0.6, 0.9999));
  verb->add_option("--margin", options->margin_percent,
                   "Memory on top of the peak, in percent (default 10; at "
                   "least 4 MiB)")
      ->type_name("PERCENT")
      ->check(NumberFrom(0.0, 1000.0));
  verb->add_flag("--squeeze-memory", request.squeeze_memory,
                 "Search for less memory than the peak as well");
  verb->add_option("--card", options->card,
                   "Write requests and limits to this card; one that is there "
                   "keeps the rest")
      ->type_name("FILE");
  verb->add_option("--html", options->html, "Write a page with the search")
      ->type_name("FILE");
  verb->add_option("--cpus", options->run.cpus,
                   "Cores at hand, e.g. 0 or 0,2-3 (default: all)")
      ->type_name("LIST");
  verb->add_option("--threads", options->run.threads,
                   "Sets OMP_, OPENBLAS_, MKL_, NUMEXPR_NUM_THREADS and "
                   "EDGEWISE_THREADS")
      ->type_name("N")
      ->check(CLI::Range(1, 4096).description(""));
  AddMeasuringOptions(*verb, options->run);
  verb->add_flag("--json", options->json, "Print JSON alone on stdout");
  verb->footer(
      "Needs cgroups for the limits (edgewise doctor says whether they are "
      "there).\n"
      "Examples:\n"
      "  edgewise fit --target 'fps>=10' --duration 20s -- ./app\n"
      "  edgewise fit --target 'p95(frame)<=80ms' --card app.yaml -- ./app "
      "--rate 10 --items 300\n"
      "Exit code: 0 found and confirmed, 1 the target cannot be met or "
      "confirmed,\n2 bad input, 3 limits cannot be set.");
  verb->callback([verb, options, &context] {
    context.exit_code = Execute(*options, *verb, context);
  });
}

}  // namespace edgewise::cli

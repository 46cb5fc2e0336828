// `edgewise show`, `edgewise list`, `edgewise gc`: look at stored Runs.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "base/clock.h"
#include "base/units.h"
#include "cli/option_values.h"
#include "cli/output_file.h"
#include "cli/verbs.h"
#include "report/function_tables.h"
#include "report/group_text.h"
#include "report/html.h"
#include "report/list_text.h"
#include "report/run_json.h"
#include "report/run_stacks.h"
#include "report/run_text.h"
#include "sessions/stack_recorder.h"
#include "store/analysis.h"

namespace edgewise::cli {
namespace {

struct ShowOptions {
  std::string run = "last";
  bool json = false;
  bool group = false;
  bool output = false;
  std::string html;
  bool functions = false;
  int limit = 0;  // of functions; 0: all
};

int ShowFunctions(const Run& run, const RunAnalysis& analysis, int limit) {
  if (!analysis.stacks) {
    return Fail(NoStacks(run));
  }
  const size_t most = limit > 0 ? static_cast<size_t>(limit)
                                : analysis.stacks->functions.size();
  Print(FunctionsText(*analysis.stacks, most, StyleFor(STDOUT_FILENO)));
  return kExitDone;
}

int ShowGroup(const Store& store, const Run& run, const ShowOptions& options) {
  ListFilter filter;
  filter.group = run.group;
  auto runs = store.List(filter);
  if (!runs) {
    return Fail(runs.error());
  }
  std::reverse(runs->begin(), runs->end());  // oldest first
  const auto analysis = AnalyseGroup(store, *runs);
  if (!analysis) {
    return Fail(analysis.error());
  }
  Print(options.json ? GroupJson(*runs, *analysis)
                     : GroupText(*runs, *analysis, StyleFor(STDOUT_FILENO)));
  return kExitDone;
}

int Show(const ShowOptions& options, const Context& context) {
  auto store = Store::Open(context.home);
  if (!store) {
    return Fail(store.error());
  }
  RecoverStacks(*store);
  const auto run = store->Find(options.run);
  if (!run) {
    return Fail(run.error());
  }
  if (!options.html.empty()) {
    if (options.json || options.group || options.output || options.functions) {
      return Fail({ErrorCode::kInvalid,
                   "--html writes the report of one Run alone: leave --json, "
                   "--group, --output and --functions out"});
    }
    const auto page = RunHtml(*store, *run);
    if (!page) {
      return Fail(page.error());
    }
    const Result<void> written = WriteOutput(options.html, *page);
    return written ? kExitDone : Fail(written.error());
  }
  if (options.functions && (options.group || options.output)) {
    return Fail({ErrorCode::kInvalid,
                 "--functions shows one Run: leave --group and --output out"});
  }
  if (options.output) {
    Print(run->output_tail);
    return kExitDone;
  }
  if (options.group) {
    if (run->group.empty()) {
      return Fail({ErrorCode::kInvalid, "Run " + run->id +
                                            " was not made with --repeat or "
                                            "ab: leave --group out"});
    }
    return ShowGroup(*store, *run, options);
  }
  const auto analysis = Analyse(*store, *run);
  if (!analysis) {
    return Fail(analysis.error());
  }
  if (options.functions && !options.json) {
    return ShowFunctions(*run, *analysis, options.limit);
  }
  Print(options.json ? RunJson(*run, *analysis)
                     : RunText(*run, *analysis, StyleFor(STDOUT_FILENO)));
  return kExitDone;
}

struct ListOptions {
  ListFilter filter;
  bool json = false;
  bool ids = false;
  bool all = false;
};

int List(ListOptions options, const Context& context) {
  auto store = Store::Open(context.home);
  if (!store) {
    return Fail(store.error());
  }
  if (options.all || options.ids || options.json) {
    options.filter.limit = 0;
  }
  const auto runs = store->List(options.filter);
  if (!runs) {
    return Fail(runs.error());
  }
  if (options.ids) {
    for (const Run& run : *runs) {
      Print(run.id + "\n");
    }
  } else {
    Print(options.json ? ListJson(*runs)
                       : ListText(*runs, StyleFor(STDOUT_FILENO)));
  }
  return kExitDone;
}

struct GcOptions {
  std::string keep;
  std::string max_size;
  int64_t max_runs = 0;
  bool dry_run = false;
};

int CollectGarbage(const GcOptions& options, const Context& context) {
  GcRequest request;
  request.dry_run = options.dry_run;
  const auto keep = DurationOption("--keep", options.keep);
  if (!keep) {
    return Fail(keep.error());
  }
  request.keep_age_ns = *keep;
  if (!options.max_size.empty()) {
    const auto bytes = ParseBytes(options.max_size);
    if (!bytes) {
      return Fail(
          {ErrorCode::kInvalid, "--max-size: " + bytes.error().message});
    }
    request.keep_bytes = *bytes;
  }
  if (options.max_runs > 0) {
    request.keep_count = options.max_runs;
  }
  if (!request.keep_age_ns && !request.keep_bytes && !request.keep_count) {
    return Fail({ErrorCode::kInvalid,
                 "gc needs a rule: --keep 30d, --max-size 1GiB or --max-runs "
                 "100"});
  }
  auto store = Store::Open(context.home);
  if (!store) {
    return Fail(store.error());
  }
  const auto outcome = store->CollectGarbage(request, UtcNs());
  if (!outcome) {
    return Fail(outcome.error());
  }
  Print((options.dry_run ? "Would remove " : "Removed ") +
        FormatCount(outcome->removed_runs, "Run") + ", " +
        FormatCount(outcome->kept_runs) + " kept; the store has " +
        FormatBytes(static_cast<double>(outcome->bytes_after)) +
        (options.dry_run
             ? ".\n"
             : " (before: " +
                   FormatBytes(static_cast<double>(outcome->bytes_before)) +
                   ").\n"));
  return kExitDone;
}

}  // namespace

void AddShow(CLI::App& root, Context& context) {
  CLI::App* verb = root.add_subcommand("show", "Show one Run");
  auto options = std::make_shared<ShowOptions>();
  verb->add_option("RUN", options->run,
                   "last (default), last~2, an id, its beginning, or a label");
  verb->add_flag("--json", options->json, "Print JSON alone on stdout");
  verb->add_flag("--group", options->group,
                 "Summarise all Runs made with it by --repeat or ab");
  verb->add_flag("--output", options->output,
                 "Print the kept end of the program's output instead");
  verb->add_option("--html", options->html,
                   "Write a report with charts to this file (-: stdout), to be "
                   "opened in a browser")
      ->type_name("FILE");
  CLI::Option* functions = verb->add_flag(
      "--functions", options->functions,
      "Rank the functions of its stacks instead, by the share of samples");
  verb->add_option("--limit", options->limit,
                   "How many functions at the most (default: all)")
      ->type_name("N")
      ->needs(functions)
      ->check(CLI::Range(1, 1000000).description(""));
  verb->callback(
      [options, &context] { context.exit_code = Show(*options, context); });
}

void AddList(CLI::App& root, Context& context) {
  CLI::App* verb =
      root.add_subcommand("list", "List stored Runs, the last one first");
  auto options = std::make_shared<ListOptions>();
  options->filter.limit = 30;
  verb->add_option("--label", options->filter.label, "Only with this label")
      ->type_name("TEXT");
  verb->add_option("--command", options->filter.command_has,
                   "Only commands that contain this text")
      ->type_name("TEXT");
  verb->add_option("--limit", options->filter.limit,
                   "How many at the most (default 30)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000).description(""));
  verb->add_flag("--all", options->all, "All of them");
  verb->add_flag("--ids", options->ids, "Ids alone, one a line");
  verb->add_flag("--json", options->json, "Print JSON alone on stdout");
  verb->callback(
      [options, &context] { context.exit_code = List(*options, context); });
}

void AddGc(CLI::App& root, Context& context) {
  CLI::App* verb = root.add_subcommand("gc", "Remove old Runs from the store");
  auto options = std::make_shared<GcOptions>();
  verb->add_option("--keep", options->keep,
                   "Remove Runs stored longer ago than this, e.g. 30d")
      ->type_name("TIME");
  verb->add_option("--max-size", options->max_size,
                   "Remove the oldest until the store is at most this large")
      ->type_name("SIZE");
  verb->add_option("--max-runs", options->max_runs,
                   "Remove the oldest until at most this many are left")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000000).description(""));
  verb->add_flag("--dry-run", options->dry_run, "Only say what would be done");
  verb->callback([options, &context] {
    context.exit_code = CollectGarbage(*options, context);
  });
}

}  // namespace edgewise::cli

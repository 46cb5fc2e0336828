// `edgewise import`: Runs made of what other tools wrote.
#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <memory>
#include <vector>

#include "base/clock.h"
#include "base/unique_fd.h"
#include "base/units.h"
#include "cli/verbs.h"
#include "stacks/collapsed.h"
#include "stacks/perf_script.h"
#include "store/import_pywaggle.h"
#include "store/import_stacks.h"

namespace edgewise::cli {
namespace {

struct ImportOptions {
  std::string file;
  std::string label;
};

struct PerfScriptImport : ImportOptions {
  stacks::PerfScriptOptions rules;
  bool all_marks = false;
};

struct CollapsedImport : ImportOptions {
  stacks::CollapsedReadOptions rules;
  bool frames_only = false;
};

void AddCommon(CLI::App* verb, const std::string& what,
               ImportOptions* options) {
  verb->add_option("FILE", options->file, what)->required();
  verb->add_option("--label", options->label, "A name to find the Run by")
      ->type_name("TEXT");
}

int ImportPywaggleFile(const ImportOptions& options, const Context& context) {
  auto store = Store::Open(context.home);
  if (!store) {
    return Fail(store.error());
  }
  const auto outcome = ImportPywaggle(*store, options.file, options.label);
  if (!outcome) {
    return Fail(outcome.error());
  }
  for (const std::string& problem : outcome->problems) {
    PrintError(problem);
  }
  Print("Run " + outcome->run.id + ": " + FormatCount(outcome->spans, "span") +
        " and " + FormatCount(outcome->points, "value") + " from " +
        options.file +
        (outcome->skipped_lines > 0
             ? "; " + FormatCount(outcome->skipped_lines, "line") + " skipped"
             : "") +
        "\n");
  return kExitDone;
}

// Gives the file ("-": standard input) to `feed` in pieces.
template <typename Feed>
Result<void> ReadPieces(const std::string& path, Feed feed) {
  UniqueFd file;
  int fd = STDIN_FILENO;
  if (path != "-") {
    file = UniqueFd(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    fd = file.get();
  }
  std::vector<char> piece(size_t{1} << 20);
  while (fd >= 0) {
    const ssize_t got = read(fd, piece.data(), piece.size());
    if (got == 0) {
      return {};
    }
    if (got > 0) {
      feed(std::string_view(piece.data(), static_cast<size_t>(got)));
    } else if (errno != EINTR) {
      break;
    }
  }
  return Error{ErrorCodeFromErrno(errno),
               "cannot read " + path + ": " + ErrnoText()};
}

// Any of the readers of stacks, then a Run of what it read.
template <typename Reader>
int ImportWith(Reader reader, const std::string& kind,
               const ImportOptions& options, const Context& context) {
  const auto read = ReadPieces(
      options.file, [&](std::string_view piece) { reader.Feed(piece); });
  if (!read) {
    return Fail(read.error());
  }
  const std::string name =
      options.file == "-" ? "standard input" : options.file;
  const auto profile = reader.Finish();
  if (!profile) {
    return Fail({profile.error().code, name + " " + profile.error().message});
  }
  auto store = Store::Open(context.home);
  if (!store) {
    return Fail(store.error());
  }
  const auto run =
      ImportStacks(*store, *profile, options.label, kind + " " + name, UtcNs());
  if (!run) {
    return Fail(run.error());
  }
  const stacks::Collection& collection = profile->collection;
  for (const std::string& note : collection.notes) {
    PrintError(name + ": " + note);
  }
  Print("Run " + run->id + ": " +
        (collection.samples > 0
             ? FormatCount(collection.samples, "sample")
             : FormatCount(profile->total()) + " " + collection.unit) +
        " in " +
        FormatCount(static_cast<int64_t>(profile->counts.size()), "stack") +
        " from " + name + "\n");
  return kExitDone;
}

void AddPerfScript(CLI::App* import, Context& context) {
  CLI::App* verb = import->add_subcommand(
      "perf-script",
      "The text of `perf script`, folded as FlameGraph's "
      "stackcollapse-perf.pl does");
  auto options = std::make_shared<PerfScriptImport>();
  AddCommon(verb, "The text, - for standard input", options.get());
  stacks::PerfScriptOptions& rules = options->rules;
  verb->add_flag("--pid", rules.pid, "Add the process id to command names");
  verb->add_flag("--tid", rules.tid,
                 "Add process and thread id to command names");
  verb->add_flag("--kernel", rules.kernel_marks,
                 "Mark functions of the kernel with _[k]");
  verb->add_flag("--jit", rules.jit_marks,
                 "Mark functions compiled at run time with _[j]");
  verb->add_flag("--all", options->all_marks, "Both marks");
  verb->add_flag("--addrs", rules.addresses,
                 "Show the address of what has no symbol");
  verb->add_option("--event-filter", rules.event,
                   "Only samples of this event (default: the first)")
      ->type_name("EVENT");
  verb->footer(
      "Example: perf record -g -- ./app; perf script | "
      "edgewise import perf-script -");
  verb->callback([options, &context] {
    stacks::PerfScriptOptions chosen = options->rules;
    chosen.kernel_marks = chosen.kernel_marks || options->all_marks;
    chosen.jit_marks = chosen.jit_marks || options->all_marks;
    context.exit_code = ImportWith(stacks::PerfScriptReader(chosen),
                                   "perf script text", *options, context);
  });
}

void AddCollapsed(CLI::App* import, Context& context) {
  CLI::App* verb = import->add_subcommand(
      "collapsed", "Collapsed stacks, a line each: \"main;read;memcpy 42\"");
  auto options = std::make_shared<CollapsedImport>();
  AddCommon(verb, "The text, - for standard input", options.get());
  verb->add_flag("--frames-only", options->frames_only,
                 "The first name is a function, not the command");
  verb->add_option("--unit", options->rules.unit,
                   "What the numbers count: samples (default), ns or bytes")
      ->type_name("UNIT")
      ->check(CLI::IsMember({"samples", "ns", "bytes"}).description(""));
  verb->callback([options, &context] {
    stacks::CollapsedReadOptions chosen = options->rules;
    chosen.process_first = !options->frames_only;
    context.exit_code = ImportWith(stacks::CollapsedReader(chosen),
                                   "collapsed stacks", *options, context);
  });
}

}  // namespace

void AddImport(CLI::App& root, Context& context) {
  CLI::App* verb =
      root.add_subcommand("import", "Make a Run of another tool's log");
  verb->require_subcommand(1);
  CLI::App* pywaggle = verb->add_subcommand(
      "pywaggle", "A data.ndjson that pywaggle wrote to PYWAGGLE_LOG_DIR");
  auto options = std::make_shared<ImportOptions>();
  AddCommon(pywaggle, "The data.ndjson", options.get());
  pywaggle->callback([options, &context] {
    context.exit_code = ImportPywaggleFile(*options, context);
  });
  AddPerfScript(verb, context);
  AddCollapsed(verb, context);
}

}  // namespace edgewise::cli

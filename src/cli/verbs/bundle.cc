// `edgewise bundle`: all that a project delivers, as one page and one archive.
#include "project/bundle.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "base/units.h"
#include "cli/output_file.h"
#include "cli/verbs.h"
#include "report/paragraphs.h"

namespace edgewise::cli {
namespace {

struct Options {
  std::string from = ".";
  std::string page;
  std::string zip;
  bool no_zip = false;
  std::vector<std::string> runs;
  bool json = false;
};

std::string BundleText(const Bundle& bundle, const TextStyle& style) {
  std::string text = Tint(BundleHeadline(bundle), Tone::kStrong, style) + "\n";
  for (const Deliverable& each : bundle.deliverables) {
    const char* state = each.there      ? "here     "
                        : each.optional ? "optional "
                                        : "missing  ";
    const Tone tone = each.there      ? Tone::kGood
                      : each.optional ? Tone::kDim
                                      : Tone::kBad;
    text += "  " + Tint(state, tone, style) + each.title + "\n";
    if (!each.there) {
      text += "           " + each.summary + "\n";
      for (const std::string& command : each.commands) {
        text += "             " + command + "\n";
      }
    }
  }
  AppendBlock(&text,
              ItemLines("warnings", bundle.warnings, Tone::kWarning, style));
  return text;
}

int Execute(Options options, const Context& context) {
  const std::filesystem::path folder = options.from;
  if (options.page.empty()) {
    options.page = (folder / kBundlePage).lexically_normal().string();
  }
  if (options.zip.empty()) {
    options.zip = (folder / "bundle.zip").lexically_normal().string();
  }
  if (options.page == "-" && options.json) {
    return Fail({ErrorCode::kInvalid,
                 "-o - and --json both want stdout: write one to a file"});
  }
  if (options.zip == "-") {
    return Fail({ErrorCode::kInvalid, "--zip needs a file"});
  }
  const auto store = Store::Open(context.home);
  if (!store) {
    return Fail(store.error());
  }
  const auto bundle = MakeBundle(*store, {folder, options.runs});
  if (!bundle) {
    return Fail(bundle.error());
  }
  const std::string page = BundleHtml(*bundle);
  if (!options.no_zip) {
    const auto zip = BundleZip(*bundle, page);
    const Result<void> written =
        zip ? WriteOutput(options.zip, *zip) : Result<void>(zip.error());
    if (!written) {
      return Fail(written.error());
    }
  }
  if (const Result<void> written = WriteOutput(options.page, page); !written) {
    return Fail(written.error());
  }
  if (options.json) {
    Print(BundleJson(*bundle));
  } else if (options.page != "-") {
    Print(BundleText(*bundle, StyleFor(STDOUT_FILENO)) + "\n" + options.page +
          (options.no_zip
               ? "\n"
               : "\n" + options.zip + " (" +
                     FormatCount(std::ssize(bundle->files) + 1, "file") +
                     ")\n"));
  }
  return kExitDone;
}

}  // namespace

void AddBundle(CLI::App& root, Context& context) {
  CLI::App* verb = root.add_subcommand(
      "bundle",
      "Collect cards, logs, plots, plan and executions into a page and a zip");
  auto options = std::make_shared<Options>();
  verb->add_option("RUN", options->runs,
                   "Further Runs by id, label or last; one of an experiment "
                   "stands for all of it");
  verb->add_option("--from", options->from,
                   "The project's folder (default: this one)")
      ->type_name("DIR");
  verb->add_option("-o,--output", options->page,
                   "The page (default bundle.html in the folder)")
      ->type_name("FILE");
  auto* zip = verb->add_option("--zip", options->zip,
                               "The archive (default bundle.zip in the folder)")
                  ->type_name("FILE");
  verb->add_flag("--no-zip", options->no_zip, "Write the page only")
      ->excludes(zip);
  verb->add_flag("--json", options->json, "Print JSON alone on stdout");
  verb->footer(
      "Takes cards/*.yaml, plan*.yaml, plan/*.yaml, logs/*.csv and plots/ of "
      "the folder, the\nRuns that the cards name, and the latest sweeps, "
      "executions, MQTT measurements and\ncall stacks of their programs. What "
      "is missing of the lab's list is said with the\ncommand that would make "
      "it; that is no error.\n"
      "Example: edgewise bundle --from lab -o lab.html --zip lab.zip");
  verb->callback(
      [options, &context] { context.exit_code = Execute(*options, context); });
}

}  // namespace edgewise::cli

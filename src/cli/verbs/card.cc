// `edgewise card`: what an app needs, as YAML with its evidence.
#include "cards/card.h"

#include <CLI/CLI.hpp>
#include <map>
#include <memory>

#include "base/text.h"
#include "base/units.h"
#include "cards/make_card.h"
#include "cli/option_values.h"
#include "cli/verbs.h"

namespace edgewise::cli {
namespace {

struct Options {
  std::vector<std::string> runs;
  CardRequest request;
  std::string period;
  std::string deadline;
  std::vector<std::string> check;
};

Result<void> ReadTimes(Options& options) {
  const auto read = [](const char* flag, const std::string& text,
                       std::optional<int64_t>* value) -> Result<void> {
    if (text.empty()) {
      return {};
    }
    const auto duration = ParseDurationNs(text);
    if (!duration) {
      return Error{ErrorCode::kInvalid,
                   std::string(flag) + ": " + duration.error().message};
    }
    *value = *duration;
    return {};
  };
  if (Result<void> period =
          read("--period", options.period, &options.request.period_ns);
      !period) {
    return period;
  }
  return read("--deadline", options.deadline, &options.request.deadline_ns);
}

// Reads cards, such as ones written by hand, and prints them back.
int Check(const std::vector<std::string>& files) {
  int code = kExitDone;
  for (const std::string& file : files) {
    const auto text = ReadFile(file);
    std::vector<std::string> warnings;
    const Result<Card> card =
        text ? ReadCard(*text, file, &warnings) : Result<Card>(text.error());
    for (const std::string& warning : warnings) {
      PrintError(warning);
    }
    if (card) {
      Print(files.size() > 1 ? "---\n" + WriteCard(*card) : WriteCard(*card));
    } else {
      code = Fail(card.error());
    }
  }
  return code;
}

int Execute(Options options, const Context& context) {
  if (!options.check.empty()) {
    return Check(options.check);
  }
  if (const Result<void> times = ReadTimes(options); !times) {
    return Fail(times.error());
  }
  auto store = Store::Open(context.home);
  if (!store) {
    return Fail(store.error());
  }
  std::vector<Run> runs;
  for (const std::string& reference : options.runs) {
    auto run = store->Find(reference);
    if (!run) {
      return Fail(run.error());
    }
    runs.push_back(std::move(*run));
  }
  const auto card = MakeCard(*store, runs, options.request);
  if (!card) {
    return Fail(card.error());
  }
  for (const std::string& warning : card->warnings) {
    PrintError(warning);
  }
  Print(WriteCard(card->card));
  return kExitDone;
}

}  // namespace

void AddCard(CLI::App& root, Context& context) {
  CLI::App* verb = root.add_subcommand(
      "card", "Make a Card of Runs: what the app needs, with its evidence");
  auto options = std::make_shared<Options>();
  options->runs = {"last"};
  CardRequest& request = options->request;
  const std::map<std::string, WcetChoice> kinds{
      {"auto", WcetChoice::kAuto},
      {"observed_max", WcetChoice::kObservedMax},
      {"quantile_bound", WcetChoice::kQuantileBound},
      {"pwcet", WcetChoice::kPwcet}};
  verb->add_option("RUN", options->runs,
                   "last (default), ids or labels; several are pooled");
  verb->add_option("--span", request.span,
                   "The span or periodic activity it is about (default: the "
                   "only one there is, else the whole program)")
      ->type_name("NAME");
  verb->add_option("--period", options->period, "Time from job to job")
      ->type_name("TIME");
  verb->add_option("--deadline", options->deadline,
                   "Time a job may take (default: the period)")
      ->type_name("TIME");
  verb->add_option("--name", request.name,
                   "Name of the card (default: the label, else the program)")
      ->type_name("TEXT");
  verb->add_option("--notes", request.notes, "Free text for the card")
      ->type_name("TEXT");
  verb->add_flag("--cpu-time", request.cpu_time,
                 "wcet_ms and avg_ms of CPU time instead of wall time");
  verb->add_option("--wcet", options->request.wcet,
                   "auto, observed_max, quantile_bound or pwcet (default auto: "
                   "the bound if the samples suffice)")
      ->type_name("KIND")
      ->transform(CLI::CheckedTransformer(kinds).description(""));
  verb->add_option("--quantile", request.quantile,
                   "Quantile that quantile_bound bounds (default 0.99)")
      ->type_name("P")
      ->check(NumberFrom(0.5, 0.999999));
  verb->add_option("--confidence", request.confidence,
                   "Confidence of the bound (default 0.95)")
      ->type_name("C")
      ->check(NumberFrom(0.5, 0.999999));
  verb->add_option("--exceedance", request.exceedance,
                   "For pwcet: probability that one job exceeds it (default "
                   "1e-6)")
      ->type_name("P")
      ->check(NumberFrom(1e-15, 0.1));
  verb->add_option("--check", options->check,
                   "Read these cards instead, say what is wrong with them, and "
                   "print them back")
      ->type_name("FILE");
  verb->footer(
      "Example: edgewise card last --span frame --period 100ms --deadline "
      "100ms > cards/app.yaml");
  verb->callback(
      [options, &context] { context.exit_code = Execute(*options, context); });
}

}  // namespace edgewise::cli

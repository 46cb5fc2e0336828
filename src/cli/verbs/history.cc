// `edgewise history`: what all Runs of an app say, and which apps fit a node.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "base/text.h"
#include "cards/card.h"
#include "cli/option_values.h"
#include "cli/output_file.h"
#include "cli/verbs.h"
#include "history/together.h"
#include "probes/machine.h"
#include "report/history_text.h"
#include "sessions/stack_recorder.h"

namespace edgewise::cli {
namespace {

struct Options {
  std::string app;
  std::vector<std::string> together;
  std::string node;
  std::vector<std::string> cards;
  std::vector<std::string> curves;
  bool json = false;
  std::string html;
};

bool IsFile(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

Result<Card> LoadCard(const std::string& file) {
  const auto text = ReadFile(file);
  return text ? ReadCard(*text, file) : text.error();
}

Result<Node> NodeFrom(const Store& store, const std::string& name) {
  if (name.empty()) {
    return NodeOfMachine(store, ReadMachine());
  }
  if (IsFile(name)) {
    const auto text = ReadFile(name);
    return text ? ReadNode(*text, name) : text.error();
  }
  return NodeOfRuns(store, name);
}

// A card of the app among those given; else the one that the folder `cards`
// has, where people keep them.
Result<std::optional<Card>> CardOf(const std::string& app,
                                   const std::vector<Card>& cards) {
  for (const Card& card : cards) {
    if (card.name == app) {
      return std::optional(card);
    }
  }
  const std::string usual = "cards/" + app + ".yaml";
  if (app.find('/') != std::string::npos || !IsFile(usual)) {
    return std::optional<Card>();
  }
  auto card = LoadCard(usual);
  return card ? Result<std::optional<Card>>(std::optional(std::move(*card)))
              : card.error();
}

// Of a card file, or of the Runs of an app with its goal from a card.
Result<AppNeed> NeedOf(const Store& store, const std::string& word,
                       const Node& node, const std::vector<Card>& cards) {
  if (IsFile(word)) {
    const auto card = LoadCard(word);
    return card ? NeedOfCard(*card, word) : Result<AppNeed>(card.error());
  }
  const auto card = CardOf(word, cards);
  if (!card) {
    return card.error();
  }
  const auto history = MakeHistory(store, word);
  if (!history) {
    return *card && history.error().code == ErrorCode::kNotFound
               ? NeedOfCard(**card, word)
               : Result<AppNeed>(history.error());
  }
  auto need = NeedOfHistory(*history, node.fingerprint);
  if (need && *card) {
    AddGoal(**card, *need);
  }
  return need;
}

Result<void> AddCurves(const std::vector<std::string>& files,
                       std::vector<AppNeed>& needs) {
  for (const std::string& file : files) {
    const auto text = ReadFile(file);
    if (!text) {
      return text.error();
    }
    const auto curves = ReadCurves(*text, file);
    if (!curves) {
      return curves.error();
    }
    for (const AppCurves& each : *curves) {
      for (AppNeed& need : needs) {
        if (need.app == each.app) {
          need.sensitivity = each.sensitivity;
          need.pressure = each.pressure;
        }
      }
    }
  }
  return {};
}

Result<Together> Gather(const Store& store, const Options& options) {
  auto node = NodeFrom(store, options.node);
  if (!node) {
    return Error{node.error().code, "--node: " + node.error().message};
  }
  std::vector<Card> cards;
  for (const std::string& file : options.cards) {
    auto card = LoadCard(file);
    if (!card) {
      return card.error();
    }
    cards.push_back(std::move(*card));
  }
  std::vector<AppNeed> needs;
  for (const std::string& word : options.together) {
    auto need = NeedOf(store, word, *node, cards);
    if (!need) {
      return need.error();
    }
    needs.push_back(std::move(*need));
  }
  if (const auto added = AddCurves(options.curves, needs); !added) {
    return added.error();
  }
  return CheckTogether(std::move(*node), std::move(needs));
}

int Show(const Options& options, const std::string& json,
         const std::string& html, const std::string& text) {
  if (!options.html.empty()) {
    const Result<void> written = WriteOutput(options.html, html);
    return written ? kExitDone : Fail(written.error());
  }
  Print(options.json ? json : text);
  return kExitDone;
}

int ShowTogether(const Store& store, const Options& options) {
  const auto together = Gather(store, options);
  if (!together) {
    return Fail(together.error());
  }
  const int shown =
      Show(options, TogetherJson(*together), TogetherHtml(*together),
           TogetherText(*together, StyleFor(STDOUT_FILENO)));
  return shown != kExitDone            ? shown
         : together->fits == Fits::kNo ? kExitNo
                                       : kExitDone;
}

int ShowApp(Store& store, const Options& options) {
  RecoverStacks(store);
  const auto history = MakeHistory(store, options.app);
  if (!history) {
    return Fail(history.error());
  }
  return Show(options, HistoryJson(*history), HistoryHtml(*history),
              HistoryText(*history, StyleFor(STDOUT_FILENO)));
}

int ShowAll(const Store& store, const Options& options) {
  const auto apps = KnownApps(store);
  if (!apps) {
    return Fail(apps.error());
  }
  Print(options.json ? KnownAppsJson(*apps)
                     : KnownAppsText(*apps, StyleFor(STDOUT_FILENO)));
  return kExitDone;
}

std::string WhatIsWrong(const Options& options) {
  if (!options.html.empty() && options.json) {
    return "--html and --json are two outputs: leave one of them out";
  }
  if (!options.app.empty() && !options.together.empty()) {
    return "give one app, or --together with several";
  }
  if (options.together.empty() &&
      !(options.node.empty() && options.cards.empty() &&
        options.curves.empty())) {
    return "--node, --card and --curves belong to --together";
  }
  if (!options.html.empty() && options.app.empty() &&
      options.together.empty()) {
    return "--html needs the name of an app";
  }
  return "";
}

int Execute(const Options& options, const Context& context) {
  if (const std::string wrong = WhatIsWrong(options); !wrong.empty()) {
    return Fail({ErrorCode::kInvalid, wrong});
  }
  auto store = Store::Open(context.home);
  if (!store) {
    return Fail(store.error());
  }
  if (!options.together.empty()) {
    return ShowTogether(*store, options);
  }
  return options.app.empty() ? ShowAll(*store, options)
                             : ShowApp(*store, options);
}

}  // namespace

void AddHistory(CLI::App& root, Context& context) {
  CLI::App* verb = root.add_subcommand(
      "history",
      "All Runs of an app by version, machine and target; which "
      "apps fit a node");
  auto options = std::make_shared<Options>();
  verb->add_option("APP", options->app,
                   "The app, as its app file or label calls it (default: list "
                   "all)");
  verb->add_option("--together", options->together,
                   "Would these apps fit a node, each within its goal? Names, "
                   "or files of cards")
      ->type_name("APP...");
  verb->add_option("--node", options->node,
                   "A machine that Runs were made on, or a file with its cores "
                   "and memory (default: this machine)")
      ->type_name("NAME|FILE");
  AddRepeated(*verb, "--card", options->cards, "FILE",
              "A card with an app's goal (default: cards/APP.yaml where it is; "
              "repeatable)");
  AddRepeated(
      *verb, "--curves", options->curves, "FILE",
      "What `edgewise contend sensitivity --json` printed (repeatable)");
  verb->add_flag("--json", options->json, "Print JSON alone on stdout");
  verb->add_option("--html", options->html,
                   "Write a page with charts to this file (-: stdout)")
      ->type_name("FILE");
  verb->footer(
      "Runs belong to an app by the name in its app file, or by a label "
      "NAME:VERSION.\n"
      "Examples:\n"
      "  edgewise history object-counter --html history.html\n"
      "  edgewise history --together counter audio --node pi5\n"
      "Exit code of --together: 1 if they do not fit.");
  verb->callback(
      [options, &context] { context.exit_code = Execute(*options, context); });
}

}  // namespace edgewise::cli

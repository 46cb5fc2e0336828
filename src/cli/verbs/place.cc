// `edgewise place`: many requests on many servers, so that promises hold.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "base/text.h"
#include "cli/option_values.h"
#include "cli/output_file.h"
#include "cli/verbs.h"
#include "cli/verbs/card_needs.h"
#include "cli/verbs/place_inputs.h"
#include "cli/verbs/place_verify.h"
#include "orchestration/baselines.h"
#include "orchestration/explain.h"
#include "orchestration/goal.h"
#include "orchestration/placement_file.h"
#include "report/json_writer.h"
#include "report/orchestration_text.h"
#include "report/verification_text.h"

namespace edgewise::cli {
namespace {

namespace orc = orchestration;

struct Options {
  PlaceInputs inputs;
  std::string time_limit = "10s";
  double confidence = 0.9;
  uint64_t seed = 1;
  double move_cost = 0;
  std::string goal = "revenue";
  std::string admit;
  std::string out;
  std::string svg;
  std::string html;
  std::string manifests;
  std::string cards;
  VerifyOptions verify;
  bool baselines = false;
  bool json = false;
};

int ExecuteAdmit(const Options& options, const PlaceQuestion& question,
                 const orc::Problem& problem) {
  const size_t item = problem.items().size() - 1;
  const std::string& name = question.instance.requests[item].name;
  orc::Assignment current = question.current;
  std::vector<orc::ServerLoad> servers = orc::ServersOf(problem, current);
  const std::string broken = orc::FindBrokenPromise(problem, current);
  if (!broken.empty()) {
    return Fail({ErrorCode::kInvalid, options.inputs.current +
                                          " does not hold: " + broken +
                                          "; place anew without --admit"});
  }
  const auto server = orc::Admit(servers, item);
  const std::string why = server ? "" : orc::WhyRefused(problem, servers, item);
  if (options.json) {
    JsonObject object;
    object.AddString("request", name)
        .Add("admitted", server ? "true" : "false");
    server ? object.AddString("server", question.instance.servers[*server].name)
           : object.AddString("why", why);
    Print(object.text() + "\n");
  } else {
    Print(server ? name + " can stand on " +
                       question.instance.servers[*server].name +
                       "; all promises hold.\n"
                 : name + " is refused: " + why + ".\n");
  }
  return server ? kExitDone : kExitNo;
}

Result<void> WriteFiles(const Options& options,
                        const OrchestrationReport& report) {
  if (!options.manifests.empty()) {
    const auto needs = NeedsFrom(options.cards);
    if (!needs) {
      return needs.error();
    }
    const auto yaml =
        orc::Manifests(report.problem, report.answer.assignment, *needs);
    if (!yaml) {
      return yaml.error();
    }
    if (const auto written = WriteOutput(options.manifests, *yaml); !written) {
      return written;
    }
  }
  if (!options.out.empty()) {
    const auto written = WriteOutput(
        options.out, orc::WritePlacement(report.problem, report.answer));
    if (!written) {
      return written;
    }
  }
  if (!options.svg.empty()) {
    if (const auto written = WriteOutput(options.svg, OrchestrationSvg(report));
        !written) {
      return written;
    }
  }
  return options.html.empty()
             ? Result<void>()
             : WriteOutput(options.html, OrchestrationHtml(report));
}

Result<orc::Goal> GoalFrom(const Options& options) {
  const auto goal = orc::ParseGoal(options.goal);
  if (!goal) {
    return Error{
        ErrorCode::kInvalid,
        "--goal " + options.goal + ": give revenue, servers, tail or energy"};
  }
  if (*goal != orc::Goal::kRevenue && options.move_cost > 0) {
    return Error{ErrorCode::kInvalid,
                 "--move-cost is weighed against revenue: leave it out with "
                 "--goal " +
                     options.goal};
  }
  if (!options.admit.empty() && options.inputs.current.empty()) {
    return Error{ErrorCode::kInvalid,
                 "--admit asks about a placement: name it with --current"};
  }
  return *goal;
}

Result<orc::OptimiseSettings> SettingsFrom(const Options& options,
                                           const PlaceQuestion& question) {
  const auto limit = DurationOption("--time-limit", options.time_limit);
  if (!limit) {
    return limit.error();
  }
  orc::OptimiseSettings settings;
  settings.seconds = static_cast<double>(limit->value_or(0)) / 1e9;
  settings.seed = options.seed;
  settings.current = question.current;
  settings.move_cost_micros =
      std::llround(options.move_cost * orc::kMicrosPerUnit);
  return settings;
}

// Of the placement that was found and, if asked for, of all baselines.
int Tell(const Options& options, const PlaceQuestion& question,
         OrchestrationReport report, const Context& context) {
  std::vector<NamedPlacement> placements = {
      {"edgewise", report.answer.assignment}};
  if (options.baselines) {
    for (const orc::Baseline baseline : orc::kBaselines) {
      placements.push_back(
          {std::string(orc::BaselineName(baseline)),
           orc::AssignmentOf(report.problem,
                             orc::PlaceBy(baseline, report.problem))});
      report.baselines.emplace_back(
          placements.back().placed_by,
          orc::RevenueMicros(report.problem, placements.back().assignment));
    }
  }
  std::optional<Verification> verification;
  if (options.verify.verify) {
    auto verified = Verify(options.verify, question, report.problem, placements,
                           options.seed, context.home);
    if (!verified) {
      return verified.error().code == ErrorCode::kBusy ? kExitCancelled
                                                       : Fail(verified.error());
    }
    verification.emplace(std::move(*verified));
    report.verification = &*verification;
  }
  if (const auto written = WriteFiles(options, report); !written) {
    return Fail(written.error());
  }
  Print(options.json ? OrchestrationJson(report)
                     : OrchestrationText(report, StyleFor(STDOUT_FILENO)));
  return verification && verification->Broken() ? kExitNo : kExitDone;
}

int Execute(const Options& options, const Context& context) {
  const auto goal = GoalFrom(options);
  if (!goal) {
    return Fail(goal.error());
  }
  const auto question = ReadQuestion(options.inputs, options.admit);
  if (!question) {
    return Fail(question.error());
  }
  const auto settings = SettingsFrom(options, *question);
  if (!settings) {
    return Fail(settings.error());
  }
  const orc::PressureModel predictor(question->pressures);
  const auto problem =
      orc::Problem::Make(question->instance, predictor, options.confidence);
  if (!problem) {
    return Fail(problem.error());
  }
  if (!options.admit.empty()) {
    return ExecuteAdmit(options, *question, *problem);
  }
  if (question->from_files) {
    if (const auto fits = orc::CheckEachFits(*problem); !fits) {
      return Fail(fits.error());
    }
  }
  const auto found = orc::Pursue(*problem, *goal, *settings);
  if (!found) {
    return Fail(found.error());
  }
  OrchestrationReport report = MakeOrchestrationReport(
      *problem, found->answer, question->pressures.basis);
  report.goal = *goal;
  report.reached = *goal == orc::Goal::kRevenue ? nullptr : &*found;
  return Tell(options, *question, std::move(report), context);
}

void AddOutputs(CLI::App& verb, Options& options) {
  verb.add_option("--out", options.out, "Write the placement (YAML)")
      ->type_name("FILE");
  verb.add_option("--svg", options.svg, "Write a picture of it")
      ->type_name("FILE");
  verb.add_option("--html", options.html, "Write a page about it")
      ->type_name("FILE");
  verb.add_option("--manifests", options.manifests,
                  "Write Kubernetes Deployments bound to the servers")
      ->type_name("FILE");
  verb.add_option("--cards", options.cards,
                  "Take requests and limits of the manifests from the apps' "
                  "cards in this folder")
      ->type_name("DIR")
      ->needs("--manifests");
  verb.add_flag("--baselines", options.baselines,
                "Also place as first-fit, best-fit, least-allocated, "
                "load-aware and relax-and-round do");
  verb.add_flag("--json", options.json, "Print JSON alone on stdout");
}

}  // namespace

void AddPlace(CLI::App& root, Context& context) {
  CLI::App* verb = root.add_subcommand(
      "place", "Place many requests on many servers so that promises hold");
  auto options = std::make_shared<Options>();
  AddPlaceInputs(*verb, options->inputs);
  verb->add_option("--time-limit", options->time_limit,
                   "How long to search (default 10s)")
      ->type_name("TIME");
  verb->add_option("--goal", options->goal,
                   "revenue (default); or, of what earns most, the fewest "
                   "servers, the lowest tail or the least energy")
      ->type_name("revenue|servers|tail|energy");
  verb->add_option("--confidence", options->confidence,
                   "How sure each promise must be, 0.5 to 0.999 (default 0.9)")
      ->type_name("P")
      ->check(CLI::Range(0.5, 0.999).description(""));
  verb->add_option("--seed", options->seed, "Of the search (default 1)")
      ->type_name("N");
  verb->add_option("--move-cost", options->move_cost,
                   "What moving a request of --current costs (default 0)")
      ->type_name("MONEY")
      ->check(CLI::Range(0.0, orc::kMostPay).description(""));
  verb->add_option("--admit", options->admit,
                   "Only say where this one more request (a file like "
                   "REQUESTS) could stand beside --current")
      ->type_name("FILE");
  AddVerifyOptions(*verb, options->verify);
  AddOutputs(*verb, *options);
  verb->footer(
      "The bound is proven: no placement can earn more by the same pressures.\n"
      "Example: edgewise place requests.yaml --servers servers.yaml "
      "--time-limit 10s\n"
      "         edgewise place --generate servers=10,seed=1 --baselines");
  verb->callback(
      [options, &context] { context.exit_code = Execute(*options, context); });
}

}  // namespace edgewise::cli

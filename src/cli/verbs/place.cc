// `edgewise place`: many requests on many servers, so that promises hold.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

#include "base/text.h"
#include "cli/option_values.h"
#include "cli/verbs.h"
#include "cli/verbs/place_inputs.h"
#include "cli/verbs/place_outputs.h"
#include "cli/verbs/place_verify.h"
#include "orchestration/baselines.h"
#include "orchestration/explain.h"
#include "orchestration/goal.h"
#include "report/json_writer.h"
#include "report/orchestration_text.h"
#include "report/verification_text.h"
#include "sessions/signal_guard.h"

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
  PlaceOutputs outputs;
  VerifyOptions verify;
  bool baselines = false;
};

// Everything about the answer but the answer.
struct Asked {
  const Options& options;
  const PlaceQuestion& question;
  const NeedsByApp& needs;
  bool interrupted;  // the answer is the best so far
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
  if (options.outputs.json) {
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
  const auto limit = GivenDuration("--time-limit", options.time_limit);
  if (!limit) {
    return limit.error();
  }
  orc::OptimiseSettings settings;
  settings.seconds = static_cast<double>(*limit) / 1e9;
  settings.seed = options.seed;
  settings.current = question.current;
  settings.move_cost_micros =
      std::llround(options.move_cost * orc::kMicrosPerUnit);
  return settings;
}

// The placement that was found and, if asked for, all baselines'.
std::vector<NamedPlacement> PlacementsOf(bool with_baselines,
                                         OrchestrationReport& report) {
  std::vector<NamedPlacement> placements = {
      {"edgewise", report.answer.assignment}};
  if (with_baselines) {
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
  return placements;
}

// The answer is told whatever becomes of files and of verifying it.
int Tell(const Asked& asked, OrchestrationReport report,
         const Context& context) {
  const Options& options = asked.options;
  const PlaceOutputs& outputs = options.outputs;
  const auto placements =
      PlacementsOf(options.baselines && !asked.interrupted, report);
  Result<void> done = WriteFiles(outputs, asked.needs, report);
  const TextStyle style = StyleFor(STDOUT_FILENO);
  if (!outputs.json) {
    Print(OrchestrationText(report, style));
  }
  std::optional<Verification> verification;
  bool interrupted = asked.interrupted;
  if (options.verify.verify && !interrupted && done) {
    auto verified = Verify(options.verify, asked.question, report.problem,
                           placements, options.seed, context.home);
    if (verified) {
      verification.emplace(std::move(*verified));
      report.verification = &*verification;
    } else if (verified.error().code == ErrorCode::kBusy) {
      interrupted = true;
    } else {
      done = verified.error();
    }
  }
  if (outputs.json) {
    Print(OrchestrationJson(report));
  } else if (verification) {
    Print("\n" + VerificationText(*verification, style));
  }
  if (const auto page = WritePage(outputs, report); !page && done) {
    done = page.error();
  }
  if (!done) {
    return Fail(done.error());
  }
  if (interrupted) {
    return kExitCancelled;
  }
  return verification && verification->Broken() ? kExitNo : kExitDone;
}

// Searches until the time is over or a signal comes.
int Search(const Options& options, const PlaceQuestion& question,
           const orc::Problem& problem, orc::Goal goal,
           orc::OptimiseSettings settings, const Context& context) {
  const auto needs = CheckOutputs(options.outputs, question.instance);
  if (!needs) {
    return Fail(needs.error());
  }
  if (const auto possible =
          CheckVerify(options.verify, question.instance, context.home);
      !possible) {
    return Fail(possible.error());
  }
  bool interrupted = false;
  std::optional<SignalGuard> signals(std::in_place);
  settings.cancelled = [&] {
    interrupted = interrupted || signals->Next().has_value();
    return interrupted;
  };
  const auto found = orc::Pursue(problem, goal, settings);
  signals.reset();
  if (!found) {
    return Fail(found.error());
  }
  if (interrupted) {
    PrintError("interrupted: this is the best that was found until then");
  }
  OrchestrationReport report =
      MakeOrchestrationReport(problem, found->answer, question.pressures.basis);
  report.goal = goal;
  report.reached = goal == orc::Goal::kRevenue ? nullptr : &*found;
  return Tell({options, question, *needs, interrupted}, std::move(report),
              context);
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
  return Search(options, *question, *problem, *goal, *settings, context);
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
      ->check(NumberFrom(0.5, 0.999));
  verb->add_option("--seed", options->seed, "Of the search (default 1)")
      ->type_name("N")
      ->check(WholeNumber());
  verb->add_option("--move-cost", options->move_cost,
                   "What moving a request of --current costs (default 0)")
      ->type_name("MONEY")
      ->check(NumberFrom(0.0, orc::kMostPay));
  verb->add_option("--admit", options->admit,
                   "Only say where this one more request (a file like "
                   "REQUESTS) could stand beside --current")
      ->type_name("FILE");
  AddVerifyOptions(*verb, options->verify);
  verb->add_flag("--baselines", options->baselines,
                 "Also place as first-fit, best-fit, least-allocated, "
                 "load-aware and relax-and-round do");
  AddPlaceOutputs(*verb, options->outputs);
  verb->footer(
      "The bound is proven: no placement can earn more by the same pressures.\n"
      "Example: edgewise place requests.yaml --servers servers.yaml "
      "--time-limit 10s\n"
      "         edgewise place --generate servers=10,seed=1 --baselines");
  verb->callback(
      [options, &context] { context.exit_code = Execute(*options, context); });
}

}  // namespace edgewise::cli

// `edgewise serve`: answers over HTTP until it is told to end.
#include <poll.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/tcp.h"
#include "base/text.h"
#include "cli/option_values.h"
#include "cli/verbs.h"
#include "cli/verbs/job_rules_options.h"
#include "cli/verbs/latency_files.h"
#include "cli/verbs/prometheus_options.h"
#include "cli/verbs/scheduler_options.h"
#include "http/tokens.h"
#include "jobs/job_queue.h"
#include "server/job_endpoints.h"
#include "server/prediction_endpoints.h"
#include "server/scheduler_endpoints.h"
#include "sessions/signal_guard.h"

namespace edgewise::cli {
namespace {

constexpr int64_t kRefreshNs = 5'000'000'000;

struct Options {
  std::string listen = "127.0.0.1";
  int port = 7001;
  std::string token_file;
  bool open_predictions = false;
  std::string model;
  PrometheusOptions prometheus;
  std::string refresh;
  std::string state_limit;
  JobRulesOptions jobs;
  SchedulerOptions scheduler;
};

Result<http::ServerSettings> ServerSettingsOf(const Options& options) {
  http::ServerSettings settings;
  settings.host = options.listen;
  settings.port = options.port;
  if (!options.token_file.empty()) {
    auto tokens = http::ReadTokens(options.token_file);
    if (!tokens) {
      return Error{tokens.error().code,
                   "--token-file: " + tokens.error().message};
    }
    settings.tokens = std::move(*tokens);
  }
  return settings;
}

// Null without a Prometheus.
Result<std::unique_ptr<cluster::ClusterWatch>> WatchFrom(
    const Options& options, std::chrono::milliseconds refresh) {
  auto prometheus = PrometheusFrom(options.prometheus);
  if (!prometheus) {
    return prometheus.error();
  }
  if (!*prometheus) {
    return std::unique_ptr<cluster::ClusterWatch>();
  }
  auto shared = std::make_shared<cluster::Prometheus>(std::move(**prometheus));
  return std::make_unique<cluster::ClusterWatch>(
      [shared] { return shared->ReadCluster(); }, refresh);
}

void WaitForEnd(SignalGuard& signals) {
  while (!signals.Next()) {
    pollfd waiting{signals.fd(), POLLIN, 0};
    (void)::poll(&waiting, 1, -1);
  }
}

// Whether jobs may be handed over at all: a stranger must not run programs.
bool TakesJobs(const http::ServerSettings& settings) {
  if (!settings.tokens.empty()) {
    return true;
  }
  const auto addresses = FindAddresses(settings.host, 0, /*to_listen=*/true);
  return addresses &&
         std::all_of(addresses->begin(), addresses->end(), &IsLoopback);
}

// The queue, or why there is none: predictions are answered without it.
Result<std::unique_ptr<JobQueue>> OpenQueue(
    const http::ServerSettings& settings, JobRules rules,
    const std::filesystem::path& home) {
  if (!TakesJobs(settings)) {
    return Error{ErrorCode::kPermission,
                 "off this machine they need a token (--token-file)"};
  }
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  return JobQueue::Start({std::filesystem::absolute(home, error),
                          program.string(), std::move(rules)});
}

int Serve(const Options& options, const http::ServerSettings& settings,
          Predictor& predictor, Scheduler* scheduler,
          const Result<std::unique_ptr<JobQueue>>& jobs,
          const std::filesystem::path& home, SignalGuard& signals) {
  Service service;
  if (scheduler != nullptr) {
    AddSchedulerEndpoints(service, *scheduler);
  }
  if (jobs) {
    AddJobEndpoints(service, **jobs, home);
  }
  AddPredictionEndpoints(
      service, predictor,
      options.open_predictions ? http::Access::kOpen : http::Access::kToken);
  if (const auto started = service.Start(settings); !started) {
    return Fail(started.error());
  }
  PrintToStderr("edgewise: serving at " +
                http::ServerUrl(options.listen, service.port()) +
                " (Ctrl-C ends it)\n");
  if (!jobs) {
    PrintError("jobs are not taken: " + jobs.error().message);
  }
  if (const auto why_not = predictor.WhyNotReady()) {
    PrintError("not ready yet: " + *why_not);
  }
  if (const auto why_not =
          scheduler == nullptr ? std::nullopt : scheduler->WhyNotReady()) {
    PrintError("not ready yet for a scheduler: " + *why_not);
  }
  WaitForEnd(signals);
  service.Stop();
  return kExitDone;
}

int Execute(const Options& options, const Context& context) {
  const auto settings = ServerSettingsOf(options);
  if (!settings) {
    return Fail(settings.error());
  }
  auto model = LoadModel(options.model);
  if (!model) {
    return Fail(model.error());
  }
  const auto state_limit_ns =
      DurationOption("--state-limit", options.state_limit);
  if (!state_limit_ns) {
    return Fail(state_limit_ns.error());
  }
  PredictorSettings rules;
  if (*state_limit_ns) {
    rules.state_limit_s = static_cast<double>(**state_limit_ns) * 1e-9;
  }
  auto job_rules = JobRulesFrom(options.jobs);
  if (!job_rules) {
    return Fail(job_rules.error());
  }
  const auto refresh_ns = DurationOption("--refresh", options.refresh);
  if (!refresh_ns) {
    return Fail(refresh_ns.error());
  }
  const std::chrono::milliseconds refresh(refresh_ns->value_or(kRefreshNs) /
                                          1'000'000);
  SignalGuard signals;  // before any thread, so that all have them blocked
  auto watch = WatchFrom(options, refresh);
  if (!watch) {
    return Fail(watch.error());
  }
  const auto scheduler = SchedulerFrom(options.scheduler, options.prometheus,
                                       refresh, rules.state_limit_s);
  if (!scheduler) {
    return Fail(scheduler.error());
  }
  Predictor predictor(std::move(*model), std::move(*watch), rules);
  const auto jobs = OpenQueue(*settings, std::move(*job_rules), context.home);
  return Serve(options, *settings, predictor, scheduler->get(), jobs,
               context.home, signals);
}

void AddClusterOptions(CLI::App& verb, Options& options) {
  AddPrometheusOptions(verb, options.prometheus,
                       "; its nodes are then predicted for (default "
                       "$PROMETHEUS_IP, else none)");
  verb.add_option("--refresh", options.refresh,
                  "How often to ask it (default 5s)")
      ->type_name("TIME");
  verb.add_option("--state-limit", options.state_limit,
                  "How long its last answers may be used when it is away "
                  "(default 60s)")
      ->type_name("TIME");
}

}  // namespace

void AddServe(CLI::App& root, Context& context) {
  CLI::App* verb = root.add_subcommand(
      "serve",
      "Answer over HTTP: take jobs, and say which device runs a model fastest");
  auto options = std::make_shared<Options>();
  verb->add_option("--listen", options->listen,
                   "Address to listen on (default 127.0.0.1: this machine "
                   "only)")
      ->type_name("ADDRESS");
  verb->add_option("--port", options->port,
                   "Port to listen on (default 7001; 0: a free one, which is "
                   "printed)")
      ->type_name("N")
      ->check(CLI::Range(0, 65535).description(""));
  verb->add_option("--token-file", options->token_file,
                   "File with a token a line, one of which callers must send")
      ->type_name("FILE");
  verb->add_flag("--open-predictions", options->open_predictions,
                 "Predict for everybody who reaches the server, without a "
                 "token");
  verb->add_option("--model", options->model,
                   "A model of edgewise train (default: the one that comes "
                   "with edgewise)")
      ->type_name("FILE");
  AddJobRulesOptions(*verb, options->jobs);
  AddClusterOptions(*verb, *options);
  AddSchedulerOptions(*verb, options->scheduler);
  verb->footer(
      "What it answers is listed at /openapi.json; /jobs and /predict are "
      "pages. "
      "Off this\nmachine callers need a token; predictions do not with "
      "--open-predictions.\n"
      "Examples:\n"
      "  edgewise serve --allow-image 'localhost/*'\n"
      "  edgewise serve --prometheus 10.0.0.5:9090");
  verb->callback(
      [options, &context] { context.exit_code = Execute(*options, context); });
}

}  // namespace edgewise::cli

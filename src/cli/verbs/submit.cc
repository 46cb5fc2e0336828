// `edgewise submit`: hands an app file to an `edgewise serve`.
#include <poll.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "appfile/app_file.h"
#include "base/text.h"
#include "cli/verbs.h"
#include "cli/verbs/job_server_options.h"
#include "report/json_writer.h"
#include "sessions/signal_guard.h"

namespace edgewise::cli {
namespace {

constexpr int kLookEveryMs = 300;
// A server that is started anew meanwhile is waited for.
constexpr int kMostFailures = 100;
constexpr size_t kMostBytes = size_t{64} << 10;

struct Options {
  std::string file;
  JobServerOptions server;
  bool wait = false;
  bool retry = false;
  bool json = false;
};

std::string OneLine(const AppJob& job) {
  JsonObject object;
  object.AddString("id", job.id)
      .AddString("name", job.name)
      .AddString("state", JobStateName(job.state))
      .AddStrings("runs", job.runs)
      .AddString("reason", job.reason);
  job.exit_code ? object.AddInt("exit_code", *job.exit_code)
                : object.Add("exit_code", "null");
  return object.text() + "\n";
}

// What it printed since the last look.
Result<void> CopyLog(RemoteJobs& jobs, const AppJob& job, bool show,
                     int64_t& from) {
  const auto text = jobs.ReadLog(job.id, from);
  if (!text) {
    return text.error();
  }
  from += static_cast<int64_t>(text->size());
  if (show) {
    Print(*text);
  }
  return {};
}

int Finish(const Options& options, const AppJob& job) {
  if (options.json) {
    Print(OneLine(job));
  } else {
    PrintToStderr("edgewise: job " + job.id + " is " +
                  std::string(JobStateName(job.state)) +
                  (job.reason.empty() ? "" : ": " + job.reason) + "\n");
    for (const std::string& run : job.runs) {
      PrintToStderr("edgewise: Run " + run + "\n");
    }
  }
  switch (job.state) {
    case JobState::kDone:
      return kExitDone;
    case JobState::kCancelled:
      return kExitCancelled;
    default:
      return job.exit_code.value_or(0) != 0 ? *job.exit_code : kExitNo;
  }
}

// Follows the job to its end. Ctrl-C cancels it.
int Wait(const Options& options, RemoteJobs& jobs, AppJob job) {
  SignalGuard signals;
  int64_t from = 0;
  int failures = 0;
  bool cancelled = false;
  while (true) {
    // The state first: what was printed until then is in the log.
    const auto now = jobs.Find(job.id);
    const auto copied =
        now ? CopyLog(jobs, job, !options.json, from) : now.error();
    if (!copied) {
      if (copied.error().code == ErrorCode::kNotFound ||
          ++failures > kMostFailures) {
        return Fail(copied.error());
      }
    } else {
      failures = 0;
      job = *now;
      if (IsOver(job.state)) {
        return Finish(options, job);
      }
    }
    pollfd waiting{signals.fd(), POLLIN, 0};
    if (::poll(&waiting, 1, kLookEveryMs) > 0 && signals.Next()) {
      if (cancelled) {
        return kExitCancelled;
      }
      cancelled = true;
      PrintError("cancelling the job; Ctrl-C again leaves it alone");
      (void)jobs.Cancel(job.id);
    }
  }
}

int Execute(const Options& options) {
  const auto text = ReadFile(options.file);
  if (!text) {
    return Fail(text.error());
  }
  if (text->size() > kMostBytes) {
    return Fail({ErrorCode::kInvalid,
                 options.file + " is no app file: it has more than 64 KiB"});
  }
  // What is wrong is said with its line before anything is sent.
  const auto app = ReadAppFile(*text, options.file);
  if (!app) {
    return Fail(app.error());
  }
  auto jobs = OpenJobServer(options.server);
  if (!jobs) {
    return Fail(jobs.error());
  }
  const auto job = jobs->Submit(*text, options.retry);
  if (!job) {
    return Fail(job.error());
  }
  if (options.wait) {
    if (!options.json) {
      PrintToStderr("edgewise: job " + job->id + " (" + jobs->PageOf(job->id) +
                    ")\n");
    }
    return Wait(options, *jobs, *job);
  }
  Print(options.json ? OneLine(*job) : job->id + "\n");
  return kExitDone;
}

}  // namespace

void AddSubmit(CLI::App& root, Context& context) {
  CLI::App* verb = root.add_subcommand(
      "submit", "Hand an app file to an edgewise serve, to be run there");
  auto options = std::make_shared<Options>();
  verb->add_option("FILE", options->file, "The app file")->required();
  AddJobServerOptions(*verb, options->server);
  verb->add_flag("--wait", options->wait,
                 "Follow its log to the end; Ctrl-C cancels the job");
  verb->add_flag("--retry", options->retry,
                 "Run it again if the server ends while it runs");
  verb->add_flag("--json", options->json, "Print JSON alone on stdout");
  verb->footer(
      "Prints the job's id. With --wait the exit code is the job's own.\n"
      "Example: edgewise submit app.yaml --server http://node:7001 --wait");
  verb->callback(
      [options, &context] { context.exit_code = Execute(*options); });
}

}  // namespace edgewise::cli

// `edgewise jobs`: the jobs of an `edgewise serve`.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "base/clock.h"
#include "base/units.h"
#include "cli/output_file.h"
#include "cli/verbs.h"
#include "cli/verbs/job_server_options.h"
#include "report/figures.h"
#include "report/utf8.h"
#include "server/job_json.h"

namespace edgewise::cli {
namespace {

struct Options {
  std::string id;
  JobServerOptions server;
  std::string state;
  int limit = 50;
  bool cancel = false;
  bool log = false;
  std::string artifacts;
  bool json = false;
};

Tone ToneOf(JobState state) {
  return state == JobState::kDone      ? Tone::kGood
         : state == JobState::kRunning ? Tone::kStrong
         : state == JobState::kFailed || state == JobState::kInterrupted
             ? Tone::kBad
             : Tone::kPlain;
}

std::string Took(const AppJob& job) {
  if (!job.started_utc_ns) {
    return std::string(kUnknown);
  }
  const int64_t end = job.ended_utc_ns.value_or(UtcNs());
  return SecondsText(static_cast<double>(end - *job.started_utc_ns) * 1e-9);
}

std::string JobsText(const std::vector<AppJob>& jobs, const TextStyle& style) {
  if (jobs.empty()) {
    return "No jobs; hand one over with: edgewise submit app.yaml\n";
  }
  Table table{{{"job", false},
               {"app", false, true},
               {"state", false},
               {"submitted (UTC)", false},
               {"took"},
               {"Runs", false},
               {"", false, true}},
              {}};
  for (const AppJob& job : jobs) {
    const std::string runs = job.runs.size() == 1
                                 ? Printable(job.runs.front())
                                 : FormatCount(std::ssize(job.runs), "Run");
    table.rows.push_back(
        {{Printable(job.id)},
         {Printable(job.name)},
         {std::string(JobStateName(job.state)), ToneOf(job.state)},
         {FormatUtc(job.submitted_utc_ns).substr(0, 19)},
         {Took(job)},
         {runs},
         {Printable(job.reason)}});
  }
  const std::string text = TextTable(table, style);
  return style.unicode ? text : ToAscii(text);
}

int ShowJobs(const Options& options, const std::vector<AppJob>& jobs) {
  Print(options.json ? JobListJson(jobs)
                     : JobsText(jobs, StyleFor(STDOUT_FILENO)));
  return kExitDone;
}

int FetchArtifacts(const Options& options, RemoteJobs& jobs) {
  const auto names = jobs.Artifacts(options.id);
  if (!names) {
    return Fail(names.error());
  }
  if (const auto made = MakeOutputFolder(options.artifacts); !made) {
    return Fail(made.error());
  }
  for (const std::string& name : *names) {
    const auto file = std::filesystem::path(options.artifacts) / name;
    if (const auto done = jobs.Download(options.id, name, file); !done) {
      return Fail(done.error());
    }
    Print(file.string() + "\n");
  }
  return kExitDone;
}

int ExecuteOnOne(const Options& options, RemoteJobs& jobs) {
  if (options.cancel) {
    const auto job = jobs.Cancel(options.id);
    return job ? ShowJobs(options, {*job}) : Fail(job.error());
  }
  if (options.log) {
    const auto text = jobs.ReadLog(options.id, 0);
    if (!text) {
      return Fail(text.error());
    }
    Print(*text);
    return kExitDone;
  }
  if (!options.artifacts.empty()) {
    return FetchArtifacts(options, jobs);
  }
  const auto job = jobs.Find(options.id);
  return job ? ShowJobs(options, {*job}) : Fail(job.error());
}

int Execute(const Options& options) {
  if (options.id.empty() &&
      (options.cancel || options.log || !options.artifacts.empty())) {
    return Fail({ErrorCode::kInvalid,
                 "--cancel, --log and --artifacts need the id of a job: "
                 "edgewise jobs lists them"});
  }
  if (options.id.find_first_not_of("0123456789abcdef") != std::string::npos) {
    return Fail(
        {ErrorCode::kInvalid,
         "\"" + options.id + "\" is no id of a job: edgewise jobs lists them"});
  }
  auto jobs = OpenJobServer(options.server);
  if (!jobs) {
    return Fail(jobs.error());
  }
  if (!options.id.empty()) {
    return ExecuteOnOne(options, *jobs);
  }
  const auto list = jobs->List(options.state, options.limit);
  return list ? ShowJobs(options, *list) : Fail(list.error());
}

}  // namespace

void AddJobs(CLI::App& root, Context& context) {
  CLI::App* verb = root.add_subcommand(
      "jobs", "Jobs of an edgewise serve: list, look at, cancel, fetch");
  auto options = std::make_shared<Options>();
  verb->add_option("ID", options->id, "One job (default: the newest)");
  AddJobServerOptions(*verb, options->server);
  verb->add_option("--state", options->state,
                   "Only those that are queued, running, done, failed, "
                   "cancelled or interrupted")
      ->type_name("STATE")
      ->check(CLI::IsMember({"queued", "running", "done", "failed", "cancelled",
                             "interrupted"})
                  .description(""));
  verb->add_option("--limit", options->limit, "How many (default 50)")
      ->type_name("N")
      ->check(CLI::Range(1, 2000).description(""));
  verb->add_flag("--cancel", options->cancel, "Cancel the job");
  verb->add_flag("--log", options->log, "Print what the job printed");
  verb->add_option("--artifacts", options->artifacts,
                   "Fetch all that came out of the job into this folder")
      ->type_name("DIR");
  verb->add_flag("--json", options->json, "Print JSON alone on stdout");
  verb->footer("Example: edgewise jobs 0123456789ab --artifacts results");
  verb->callback(
      [options, &context] { context.exit_code = Execute(*options); });
}

}  // namespace edgewise::cli

#include "cli/verbs/run_options.h"

#include <CLI/CLI.hpp>

#include "base/text.h"
#include "base/units.h"
#include "cli/option_values.h"

namespace edgewise::cli {
namespace {

Result<int64_t> ParseNice(std::string_view text) {
  const auto nice = ParseInt(text);
  if (!nice || *nice < -20 || *nice > 19) {
    return Error{ErrorCode::kInvalid,
                 "\"" + std::string(text) +
                     "\" is not a niceness: write a whole number from -20 "
                     "(first) to 19 (last)"};
  }
  return *nice;
}

Result<void> SplitEnv(const std::vector<std::string>& entries,
                      Conditions* conditions) {
  for (const std::string& entry : entries) {
    const size_t equals = entry.find('=');
    if (equals == 0 || equals == std::string::npos) {
      return Error{ErrorCode::kInvalid,
                   "--env: \"" + entry + "\" is not NAME=value"};
    }
    conditions->env[entry.substr(0, equals)] = entry.substr(equals + 1);
  }
  return {};
}

void AddText(CLI::App& verb, const char* flag, std::string& value,
             const char* type, const char* description) {
  verb.add_option(flag, value, description)->type_name(type);
}

}  // namespace

void AddRunOptions(CLI::App& verb, RunOptions& options) {
  AddText(verb, "--cpus", options.cpus, "LIST",
          "Cores it may use, e.g. 0 or 0,2-3");
  AddText(
      verb, "--frequency", options.frequency, "CLOCK",
      "Holds its cores at this clock, e.g. 1.2GHz (needs cpufreq and root)");
  verb.add_option("--threads", options.threads,
                  "Sets OMP_, OPENBLAS_, MKL_, NUMEXPR_NUM_THREADS and "
                  "EDGEWISE_THREADS")
      ->type_name("N")
      ->check(CLI::Range(1, 4096).description(""));
  AddText(verb, "--cpu-quota", options.cpu_quota, "CORES",
          "Limits CPU time: 0.5, 50% or 500m (needs a cpu cgroup)");
  AddText(verb, "--memory-limit", options.memory_limit, "SIZE",
          "Limits memory, e.g. 210Mi (needs a memory cgroup)");
  AddMeasuringOptions(verb, options);
}

void AddMeasuringOptions(CLI::App& verb, RunOptions& options) {
  const auto text = [&verb](const char* flag, std::string& value,
                            const char* type, const char* description) {
    AddText(verb, flag, value, type, description);
  };
  AddRepeated(verb, "--env", options.env, "NAME=VALUE",
              "Sets a variable for the program; may be repeated");
  text("--cwd", options.cwd, "DIR", "Folder it starts in");
  text("--nice", options.nice, "N", "Niceness from -20 to 19");
  text("--policy", options.policy, "POLICY",
       "Scheduling policy: other, batch, idle, fifo:PRIORITY, rr:PRIORITY");
  text("--prepare", options.prepare, "CMD",
       "Shell command to run before each measurement, not measured");
  text("--cleanup", options.cleanup, "CMD",
       "Shell command to run after each measurement, not measured");
  text("--warmup", options.warmup, "TIME",
       "Leave out spans that start within this time");
  text("--timeout", options.timeout, "TIME",
       "End it if it takes longer (exit code 124)");
  text("--grace", options.grace, "TIME",
       "Between SIGINT, SIGTERM and SIGKILL when it is ended (default 5s)");
  text("--linger", options.linger, "TIME",
       "How long descendants may outlive the program (default 10s)");
  verb.add_option("--sample-hz", options.sample_hz,
                  "Samples a second, up to 1000 (default 10)")
      ->type_name("HZ");
  text("--stacks", options.stack_hz, "HZ",
       "Sample call stacks so often a second of CPU time, e.g. 99");
  text("--stack-size", options.stack_size, "SIZE",
       "Of each stack sample, up to 60KiB (default 16KiB)");
  text("--events", options.events, "LIST",
       "Counters to read, e.g. cycles,instructions,page-faults");
  verb.add_flag("--no-pss", options.no_pss,
                "Do not read proportional memory, the dearest sample");
  verb.add_flag("--gpu-summary", options.gpu_summary,
                "Record CUDA's kernels, copies and calls, and sum them up");
  text("--label", options.label, "TEXT", "A name to find the Run by");
  text("--note", options.note, "TEXT", "Free text kept with the Run");
}

Result<SessionSettings> SettingsFrom(const RunOptions& options) {
  SessionSettings settings;
  Conditions& conditions = settings.conditions;
  if (!options.cpus.empty()) {
    const auto cpus = ParseCpuList(options.cpus);
    if (!cpus) {
      return Error{ErrorCode::kInvalid, "--cpus: " + cpus.error().message};
    }
    conditions.cpus = *cpus;
  }
  if (options.threads > 0) {
    conditions.threads = options.threads;
  }
  if (const Result<void> env = SplitEnv(options.env, &conditions); !env) {
    return env.error();
  }
  conditions.cwd = options.cwd;
  conditions.policy = options.policy;
  conditions.prepare = options.prepare;
  conditions.cleanup = options.cleanup;
  conditions.sample_hz = options.sample_hz;
  if (!options.stack_hz.empty()) {
    conditions.stack_hz = ParseDouble(options.stack_hz);
    if (!conditions.stack_hz) {
      return Error{ErrorCode::kInvalid,
                   "--stacks needs a number, e.g. --stacks 99"};
    }
  }

  const auto nice = OptionValue<int64_t>("--nice", options.nice, ParseNice);
  const auto frequency =
      OptionValue<int64_t>("--frequency", options.frequency, ParseFrequencyKhz);
  const auto quota =
      OptionValue<double>("--cpu-quota", options.cpu_quota, ParseCpuQuota);
  const auto memory =
      OptionValue<int64_t>("--memory-limit", options.memory_limit, ParseBytes);
  const auto stack_size =
      OptionValue<int64_t>("--stack-size", options.stack_size, ParseBytes);
  const auto warmup = DurationOrZeroOption("--warmup", options.warmup);
  const auto timeout = DurationOption("--timeout", options.timeout);
  const auto duration = DurationOption("--duration", options.duration);
  const auto grace = DurationOrZeroOption("--grace", options.grace);
  const auto linger = DurationOrZeroOption("--linger", options.linger);
  for (const auto* number : {&nice, &frequency, &memory, &stack_size, &warmup,
                             &timeout, &duration, &grace, &linger}) {
    if (!*number) {
      return number->error();
    }
  }
  if (!quota) {
    return quota.error();
  }
  if (*nice) {
    conditions.nice = static_cast<int>(**nice);
  }
  conditions.frequency_khz = *frequency;
  conditions.cpu_quota_cores = *quota;
  conditions.memory_limit_bytes = *memory;
  settings.stack_bytes = stack_size->value_or(0);
  conditions.warmup_ns = *warmup;
  conditions.timeout_ns = *timeout;
  conditions.duration_ns = *duration;
  settings.grace_ns = grace->value_or(settings.grace_ns);
  settings.linger_ns = linger->value_or(settings.linger_ns);

  settings.events = DefaultEvents();
  if (!options.events.empty()) {
    settings.events.clear();
    for (const std::string_view name : Split(options.events, ',')) {
      settings.events.emplace_back(Trim(name));
    }
  }
  settings.read_pss = !options.no_pss;
  settings.gpu_summary = options.gpu_summary;
  settings.label = options.label;
  settings.note = options.note;
  return settings;
}

}  // namespace edgewise::cli

// The options that `run` and `ab` share: how a program is run and measured.
#ifndef EDGEWISE_CLI_VERBS_RUN_OPTIONS_H_
#define EDGEWISE_CLI_VERBS_RUN_OPTIONS_H_

#include <string>
#include <vector>

#include "base/result.h"
#include "sessions/settings.h"

namespace CLI {
class App;
}  // namespace CLI

namespace edgewise::cli {

// As typed; empty where not given.
struct RunOptions {
  std::string cpus;
  std::string frequency;
  int threads = 0;
  std::vector<std::string> env;
  std::string cwd;
  std::string nice;
  std::string policy;
  std::string cpu_quota;
  std::string memory_limit;
  std::string prepare;
  std::string cleanup;
  std::string warmup;
  std::string timeout;
  std::string duration;  // the verb that has a use for it adds the option
  std::string grace;
  std::string linger;
  double sample_hz = 10;
  std::string stack_hz;
  std::string stack_size;
  std::string events;
  bool no_pss = false;
  bool gpu_summary = false;
  std::string label;
  std::string note;
};

// All of them.
void AddRunOptions(CLI::App& verb, RunOptions& options);
// Those but --cpus, --frequency, --threads, --cpu-quota and --memory-limit, for
// verbs that vary these.
void AddMeasuringOptions(CLI::App& verb, RunOptions& options);

// The settings they stand for; the error names the flag.
Result<SessionSettings> SettingsFrom(const RunOptions& options);

}  // namespace edgewise::cli

#endif  // EDGEWISE_CLI_VERBS_RUN_OPTIONS_H_

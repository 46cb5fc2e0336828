// What jobs of `edgewise serve` may use, on the command line.
#ifndef EDGEWISE_CLI_VERBS_JOB_RULES_OPTIONS_H_
#define EDGEWISE_CLI_VERBS_JOB_RULES_OPTIONS_H_

#include <string>
#include <vector>

#include "base/result.h"
#include "jobs/job_rules.h"

namespace CLI {
class App;
}  // namespace CLI

namespace edgewise::cli {

struct JobRulesOptions {
  std::string file;
  std::vector<std::string> images;
  std::vector<std::string> mounts;
  bool commands = false;
};

void AddJobRulesOptions(CLI::App& verb, JobRulesOptions& options);
// What the file says, and the options on top.
Result<JobRules> JobRulesFrom(const JobRulesOptions& options);

}  // namespace edgewise::cli

#endif  // EDGEWISE_CLI_VERBS_JOB_RULES_OPTIONS_H_

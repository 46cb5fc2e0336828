// Which `edgewise serve` a verb talks to.
#ifndef EDGEWISE_CLI_VERBS_JOB_SERVER_OPTIONS_H_
#define EDGEWISE_CLI_VERBS_JOB_SERVER_OPTIONS_H_

#include <string>

#include "base/result.h"
#include "jobs/remote_jobs.h"

namespace CLI {
class App;
}  // namespace CLI

namespace edgewise::cli {

struct JobServerOptions {
  std::string url;  // empty: $EDGEWISE_SERVER, else this machine
  std::string token;
  std::string token_file;
  std::string ca_file;
};

void AddJobServerOptions(CLI::App& verb, JobServerOptions& options);
Result<RemoteJobs> OpenJobServer(const JobServerOptions& options);

}  // namespace edgewise::cli

#endif  // EDGEWISE_CLI_VERBS_JOB_SERVER_OPTIONS_H_

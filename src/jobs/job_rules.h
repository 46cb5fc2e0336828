// JobRules: what jobs may use and how much of it, as whoever runs the server
// decides (docs/jobs.md).
#ifndef EDGEWISE_JOBS_JOB_RULES_H_
#define EDGEWISE_JOBS_JOB_RULES_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "appfile/app_file.h"
#include "base/result.h"

namespace edgewise {

// A folder or file of this machine that jobs may mount.
struct AllowedMount {
  std::filesystem::path path;  // absolute
  bool writable = false;
};

// Nothing is allowed that is not named.
struct JobRules {
  std::vector<std::string> images;  // patterns with *, such as "localhost/*"
  std::vector<AllowedMount> mounts;
  std::vector<std::string> data;      // beginnings of addresses of datasets
  std::vector<std::string> devices;   // "/dev/video0"; "gpu" for --gpus
  std::vector<std::string> networks;  // of --network; "none" always is
  bool commands = false;  // programs of this machine, without images
  // What relative paths of old callers are relative to; empty: they are
  // refused.
  std::filesystem::path folder;
  int64_t queue_limit = 2000;  // jobs that wait
  int64_t keep = 500;          // jobs that are over; older ones are removed
  int64_t log_bytes = int64_t{1} << 20;  // of each job
  // Jobs at once, each on cores of its own; empty: one, on all.
  std::vector<std::vector<int>> slots;
};

// YAML: images, mounts ("/srv/data", "/srv/out:rw"), data, devices, networks,
// commands, folder, queue, keep, log, slots.
Result<JobRules> ReadJobRules(std::string_view yaml, const std::string& origin);
// "/srv/data" or "/srv/out:rw"; must be absolute.
Result<AllowedMount> ParseAllowedMount(std::string_view text);

// One sentence that says what of the app is not permitted; nullopt if all is.
std::optional<std::string> WhyNotPermitted(const AppFile& app,
                                           const JobRules& rules);

// The same options with relative sources of mounts made absolute below
// `rules.folder`, and read-only where nothing is said and writing is not
// allowed: for callers that know no such rules.
std::vector<std::string> AdaptEngineArgs(const std::vector<std::string>& args,
                                         const JobRules& rules);

}  // namespace edgewise

#endif  // EDGEWISE_JOBS_JOB_RULES_H_

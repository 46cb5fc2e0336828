// RemoteJobs: the jobs of an `edgewise serve` elsewhere, over HTTP.
#ifndef EDGEWISE_JOBS_REMOTE_JOBS_H_
#define EDGEWISE_JOBS_REMOTE_JOBS_H_

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "fetch/client.h"
#include "jobs/job.h"

namespace edgewise {

struct JobServerAddress {
  std::string url = "http://127.0.0.1:7001";
  std::string token;    // empty: none
  std::string ca_file;  // whom to trust; empty: the system's list
};

// What the server refuses is an error with its own words: kInvalid for what is
// wrong with the request, kNotFound, kPermission, kBusy. Not thread-safe.
class RemoteJobs {
 public:
  static Result<RemoteJobs> Open(JobServerAddress address);

  Result<AppJob> Submit(const std::string& app_file, bool retry);
  Result<AppJob> Find(const std::string& id);
  // What it printed, from an offset on.
  Result<std::string> ReadLog(const std::string& id, int64_t from);
  // The newest; `state` may be empty.
  Result<std::vector<AppJob>> List(const std::string& state, int limit);
  Result<AppJob> Cancel(const std::string& id);
  Result<std::vector<std::string>> Artifacts(const std::string& id);
  Result<void> Download(const std::string& id, const std::string& artifact,
                        const std::filesystem::path& file);
  // Where a browser finds the job.
  std::string PageOf(const std::string& id) const;

 private:
  RemoteJobs(JobServerAddress address, std::unique_ptr<fetch::Client> client);
  Result<fetch::Response> Ask(fetch::Request request);

  JobServerAddress address_;
  std::unique_ptr<fetch::Client> client_;
};

// One job as the server writes it; kCorrupt if it is none.
Result<AppJob> JobFromJson(std::string_view json);

}  // namespace edgewise

#endif  // EDGEWISE_JOBS_REMOTE_JOBS_H_

// JobQueue: takes jobs, runs them one after another and tells of them.
//
// Thread-safe; no call waits for a job. The queue is on disk: it goes on where
// it was when the server is started again.
#ifndef EDGEWISE_JOBS_JOB_QUEUE_H_
#define EDGEWISE_JOBS_JOB_QUEUE_H_

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "jobs/job.h"
#include "jobs/job_rules.h"
#include "jobs/job_table.h"

namespace edgewise {

struct JobQueueSettings {
  std::filesystem::path home;  // of the store; jobs are in its folder `jobs`
  std::string program;         // edgewise itself
  JobRules rules;
};

// Whoever follows a job. Called from any thread, and must not wait nor call the
// queue.
struct JobListener {
  // False: it wants no more.
  std::function<bool(std::string_view text)> log;
  std::function<bool(const AppJob& job)> state;  // also the last one, when over
};

struct JobCounts {
  int64_t queued = 0;
  int64_t running = 0;
  uint64_t ended = 0;  // since the server began
};

class JobQueue {
 public:
  // kBusy: another process runs the jobs of this home.
  static Result<std::unique_ptr<JobQueue>> Start(JobQueueSettings settings);
  // Ends what runs; it counts as interrupted.
  ~JobQueue();
  JobQueue(const JobQueue&) = delete;
  JobQueue& operator=(const JobQueue&) = delete;

  const JobRules& rules() const;

  // kInvalid: no app file; kPermission: it asks for what is not allowed; kBusy:
  // too many wait.
  Result<AppJob> Submit(const std::string& app_file, bool retry);
  Result<std::vector<AppJob>> List(const JobFilter& filter);
  Result<std::optional<AppJob>> Find(const std::string& id);
  Result<std::optional<std::string>> AppFileOf(const std::string& id);
  // A job that runs is asked to end, and is cancelled a moment later.
  // kNotFound; kInvalid: it is over.
  Result<AppJob> Cancel(const std::string& id);
  // What it printed, from an offset on.
  std::string ReadLog(const std::string& id, int64_t from);
  // Tells what was printed so far, then all that comes. kNotFound.
  Result<void> Follow(const std::string& id, JobListener listener);
  JobCounts Counts();

 private:
  struct State;
  explicit JobQueue(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace edgewise

#endif  // EDGEWISE_JOBS_JOB_QUEUE_H_

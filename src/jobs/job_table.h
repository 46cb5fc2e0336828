// JobTable: jobs on disk, in one SQLite file, so that they outlive the server.
//
// Written through at once: what was answered is there after a kill -9. Against
// a loss of power it is made safe by Sync, which covers all that was written
// before. Not thread-safe.
#ifndef EDGEWISE_JOBS_JOB_TABLE_H_
#define EDGEWISE_JOBS_JOB_TABLE_H_

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "jobs/job.h"

namespace edgewise {

class Database;

struct JobFilter {
  std::optional<JobState> state = std::nullopt;
  int64_t limit = 100;  // the newest
};

class JobTable {
 public:
  // Opens or creates it in a folder (made if needed) and holds it: kBusy if
  // another process does. Jobs that ran when the last holder died are marked:
  // queued again where they are to be retried, else interrupted.
  static Result<JobTable> Open(const std::filesystem::path& folder);
  JobTable(JobTable&&) noexcept;
  ~JobTable();

  Result<void> Add(const AppJob& job, const std::string& app_file);
  // Writes all but id and submission.
  Result<void> Update(const AppJob& job);
  Result<std::vector<AppJob>> List(const JobFilter& filter) const;
  Result<std::optional<AppJob>> Find(const std::string& id) const;
  Result<std::optional<std::string>> AppFileOf(const std::string& id) const;
  // The one that has waited longest.
  Result<std::optional<AppJob>> NextQueued() const;
  Result<int64_t> Count(JobState state) const;
  // Removes all but the newest `keep` jobs that are over; their ids.
  Result<std::vector<std::string>> Prune(int64_t keep);
  Result<void> Sync();

 private:
  JobTable(UniqueFd lock, std::unique_ptr<Database> database);
  Result<void> MarkInterrupted();

  UniqueFd lock_;
  std::unique_ptr<Database> database_;
};

// How often a job is begun anew after the server ended while it ran.
inline constexpr int kMostInterruptions = 3;

// What becomes of a job whose server ended while it ran.
void Interrupt(AppJob& job, int64_t now_utc_ns);

}  // namespace edgewise

#endif  // EDGEWISE_JOBS_JOB_TABLE_H_

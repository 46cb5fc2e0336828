// The inside of JobQueue, shared by what takes jobs and what runs them.
#ifndef EDGEWISE_JOBS_JOB_QUEUE_STATE_H_
#define EDGEWISE_JOBS_JOB_QUEUE_STATE_H_

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

#include "base/unique_fd.h"
#include "jobs/job_queue.h"

namespace edgewise {

// One thread that runs one job at a time.
struct JobSlot {
  std::vector<int> cores;  // empty: all
  UniqueFd stop;           // an eventfd: readable once the job is to end
  std::string job_id;      // empty: idle
  bool cancelled = false;  // by a user
  std::thread thread;
};

struct JobQueue::State {
  JobQueueSettings settings;
  std::mutex mutex;  // guards all below
  std::condition_variable news;
  std::optional<JobTable> table;
  std::vector<std::unique_ptr<JobSlot>> slots;
  std::multimap<std::string, JobListener> listeners;  // by job
  bool stopping = false;
  bool unsynced = false;
  uint64_t ended = 0;

  std::filesystem::path FolderOf(const std::string& id) const {
    return settings.home / "jobs" / id;
  }
  std::filesystem::path LogOf(const std::string& id) const {
    return FolderOf(id) / "log.txt";
  }
  // With the lock held.
  void TellState(const AppJob& job);
  void TellLog(const std::string& id, std::string_view text);

  // The life of a slot's thread.
  void Work(JobSlot& slot);
  std::optional<AppJob> TakeNext(JobSlot& slot);
  void RunJob(JobSlot& slot, AppJob job);
  void Conclude(const JobSlot& slot, const Result<int>& code, AppJob& job);
};

}  // namespace edgewise

#endif  // EDGEWISE_JOBS_JOB_QUEUE_STATE_H_

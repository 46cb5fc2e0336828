// AppJob: an app file that somebody handed over to be run, and what became of
// it.
//
// The room `jobs` knows how jobs are kept, permitted and run one after another
// (docs/jobs.md). It must not know HTTP: the room `server` asks it.
#ifndef EDGEWISE_JOBS_JOB_H_
#define EDGEWISE_JOBS_JOB_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace edgewise {

enum class JobState {
  kQueued,
  kRunning,
  kDone,         // exit code 0
  kFailed,       // any other, or it could not be started
  kCancelled,    // by a user
  kInterrupted,  // the server ended while it ran, and it was not to be retried
};

// "queued", "running", "done", "failed", "cancelled", "interrupted".
std::string_view JobStateName(JobState state);
std::optional<JobState> ParseJobState(std::string_view name);
// Whether nothing more will happen to it.
bool IsOver(JobState state);

struct AppJob {
  std::string id;    // 12 lower-case hex digits
  std::string name;  // of the app
  JobState state = JobState::kQueued;
  bool retry = false;     // run it again if the server ends meanwhile
  int interruptions = 0;  // how often that happened
  int64_t submitted_utc_ns = 0;
  std::optional<int64_t> started_utc_ns;  // the last time
  std::optional<int64_t> ended_utc_ns;
  std::optional<int> exit_code;   // of `edgewise run`
  std::string reason;             // one sentence where it did not end well
  std::vector<std::string> runs;  // ids of its Runs in the store
};

}  // namespace edgewise

#endif  // EDGEWISE_JOBS_JOB_H_

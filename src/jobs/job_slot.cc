// What a slot of the queue does: take a job, run it, write down what became of
// it.
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "base/clock.h"
#include "base/text.h"
#include "jobs/job_log.h"
#include "jobs/job_process.h"
#include "jobs/job_queue_state.h"
#include "store/store.h"

namespace edgewise {
namespace {

// How long what was written may be lost to a power cut.
constexpr std::chrono::seconds kSyncEvery{1};
// A job's Runs are among the newest of the store.
constexpr int kNewestRuns = 500;

// Children inherit it.
void StayOn(const std::vector<int>& cores) {
  if (cores.empty()) {
    return;
  }
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int core : cores) {
    CPU_SET(core, &set);
  }
  (void)::sched_setaffinity(0, sizeof set, &set);
}

std::vector<std::string> RunsOf(const std::filesystem::path& home,
                                const std::string& job_id) {
  std::vector<std::string> ids;
  auto store = Store::Open(home);
  if (!store) {
    return ids;
  }
  ListFilter filter;
  filter.limit = kNewestRuns;
  const auto runs = store->List(filter);
  if (!runs) {
    return ids;
  }
  for (const Run& run : *runs) {
    const auto job = run.details.find("job");
    if (job != run.details.end() && job->second == job_id) {
      ids.push_back(run.id);
    }
  }
  std::reverse(ids.begin(), ids.end());
  return ids;
}

}  // namespace

void JobQueue::State::TellState(const AppJob& job) {
  const auto [first, last] = listeners.equal_range(job.id);
  for (auto each = first; each != last;) {
    const bool goes_on = each->second.state(job) && !IsOver(job.state);
    each = goes_on ? std::next(each) : listeners.erase(each);
  }
}

void JobQueue::State::TellLog(const std::string& id, std::string_view text) {
  const auto [first, last] = listeners.equal_range(id);
  for (auto each = first; each != last;) {
    each = each->second.log(text) ? std::next(each) : listeners.erase(each);
  }
}

std::optional<AppJob> JobQueue::State::TakeNext(JobSlot& slot) {
  std::unique_lock lock(mutex);
  while (!stopping) {
    auto next = table->NextQueued();
    if (next && *next) {
      AppJob job = std::move(**next);
      job.state = JobState::kRunning;
      job.started_utc_ns = UtcNs();
      job.reason.clear();
      if (table->Update(job)) {
        unsynced = true;
        slot.job_id = job.id;
        slot.cancelled = false;
        TellState(job);
        return job;
      }
    }
    if (news.wait_for(lock, kSyncEvery) == std::cv_status::timeout &&
        unsynced) {
      unsynced = false;
      (void)table->Sync();
    }
  }
  return std::nullopt;
}

void JobQueue::State::Conclude(const JobSlot& slot, const Result<int>& code,
                               AppJob& job) {
  job.ended_utc_ns = UtcNs();
  if (!code) {
    job.state = JobState::kFailed;
    job.reason = code.error().message;
  } else if (slot.cancelled) {
    job.state = JobState::kCancelled;
    job.exit_code = *code;
    job.reason = "cancelled by a user";
  } else if (stopping) {
    Interrupt(job, *job.ended_utc_ns);
  } else {
    job.exit_code = *code;
    job.state = *code == 0 ? JobState::kDone : JobState::kFailed;
    if (*code != 0) {
      job.reason = "exit code " + std::to_string(*code) + "; the log says why";
    }
  }
}

void JobQueue::State::RunJob(JobSlot& slot, AppJob job) {
  const std::filesystem::path folder = FolderOf(job.id);
  (void)::mkdir(folder.c_str(), 0700);
  std::string text;
  {
    const std::scoped_lock lock(mutex);
    if (auto app_file = table->AppFileOf(job.id); app_file && *app_file) {
      text = std::move(**app_file);
    }
  }
  Result<int> code = Error{ErrorCode::kIo, ""};
  const auto written = WriteFile(folder / "app.yaml", text);
  auto log = JobLog::Open(LogOf(job.id), settings.rules.log_bytes);
  if (!written || !log) {
    code = written ? log.error() : written.error();
  } else {
    code = RunJobProcess(
        {settings.program, settings.home, folder / "app.yaml", job.id},
        slot.stop.get(), [&](std::string_view output) {
          const std::scoped_lock lock(mutex);
          if (const std::string kept = log->Write(output); !kept.empty()) {
            TellLog(job.id, kept);
          }
        });
  }
  job.runs = RunsOf(settings.home, job.id);
  const std::scoped_lock lock(mutex);
  Conclude(slot, code, job);
  (void)table->Update(job);
  unsynced = true;
  ++ended;
  slot.job_id.clear();
  uint64_t ignored = 0;
  (void)!::read(slot.stop.get(), &ignored, sizeof ignored);
  TellState(job);
  if (const auto removed = table->Prune(settings.rules.keep)) {
    for (const std::string& id : *removed) {
      std::error_code error;
      std::filesystem::remove_all(FolderOf(id), error);
    }
  }
}

void JobQueue::State::Work(JobSlot& slot) {
  StayOn(slot.cores);
  while (auto job = TakeNext(slot)) {
    RunJob(slot, std::move(*job));
  }
}

}  // namespace edgewise

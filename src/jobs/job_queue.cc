#include "jobs/job_queue.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <utility>

#include "base/clock.h"
#include "jobs/job_log.h"
#include "jobs/job_queue_state.h"
#include "store/store.h"

namespace edgewise {
namespace {

// Beyond the limit there is the line that says so.
constexpr int64_t kLogSlackBytes = 256;

void Wake(const JobSlot& slot) {
  const uint64_t one = 1;
  (void)!::write(slot.stop.get(), &one, sizeof one);
}

Error NoSuchJob(const std::string& id) {
  return {ErrorCode::kNotFound, "there is no job \"" + id +
                                    "\": it may have been removed, being old"};
}

}  // namespace

Result<std::unique_ptr<JobQueue>> JobQueue::Start(JobQueueSettings settings) {
  auto table = JobTable::Open(settings.home / "jobs");
  if (!table) {
    return table.error();
  }
  auto state = std::make_unique<State>();
  state->settings = std::move(settings);
  state->table.emplace(std::move(*table));
  std::vector<std::vector<int>> slots = state->settings.rules.slots;
  if (slots.empty()) {
    slots.emplace_back();
  }
  for (std::vector<int>& cores : slots) {
    auto slot = std::make_unique<JobSlot>();
    slot->cores = std::move(cores);
    slot->stop = UniqueFd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    state->slots.push_back(std::move(slot));
  }
  for (const auto& slot : state->slots) {
    slot->thread =
        std::thread([all = state.get(), one = slot.get()] { all->Work(*one); });
  }
  return std::unique_ptr<JobQueue>(new JobQueue(std::move(state)));
}

JobQueue::JobQueue(std::unique_ptr<State> state) : state_(std::move(state)) {}

JobQueue::~JobQueue() {
  {
    const std::scoped_lock lock(state_->mutex);
    state_->stopping = true;
    for (const auto& slot : state_->slots) {
      Wake(*slot);
    }
  }
  state_->news.notify_all();
  for (const auto& slot : state_->slots) {
    slot->thread.join();
  }
  (void)state_->table->Sync();
}

const JobRules& JobQueue::rules() const { return state_->settings.rules; }

Result<AppJob> JobQueue::Submit(const std::string& app_file, bool retry) {
  const auto app = ReadAppFile(app_file, "the app file");
  if (!app) {
    return app.error();
  }
  if (const auto runnable = CheckRunnable(*app, "the app file"); !runnable) {
    return runnable.error();
  }
  if (auto refused = WhyNotPermitted(*app, rules())) {
    return Error{ErrorCode::kPermission, std::move(*refused)};
  }
  AppJob job;
  job.id = NewRunId();
  job.name = app->name;
  job.retry = retry;
  job.submitted_utc_ns = UtcNs();
  const std::scoped_lock lock(state_->mutex);
  const auto waiting = state_->table->Count(JobState::kQueued);
  if (!waiting) {
    return waiting.error();
  }
  if (*waiting >= rules().queue_limit) {
    return Error{ErrorCode::kBusy, std::to_string(*waiting) +
                                       " jobs wait, and more may not: try "
                                       "again when some are done"};
  }
  if (auto added = state_->table->Add(job, app_file); !added) {
    return added.error();
  }
  state_->unsynced = true;
  state_->news.notify_one();
  return job;
}

Result<std::vector<AppJob>> JobQueue::List(const JobFilter& filter) {
  const std::scoped_lock lock(state_->mutex);
  return state_->table->List(filter);
}

Result<std::optional<AppJob>> JobQueue::Find(const std::string& id) {
  const std::scoped_lock lock(state_->mutex);
  return state_->table->Find(id);
}

Result<std::optional<std::string>> JobQueue::AppFileOf(const std::string& id) {
  const std::scoped_lock lock(state_->mutex);
  return state_->table->AppFileOf(id);
}

Result<AppJob> JobQueue::Cancel(const std::string& id) {
  const std::scoped_lock lock(state_->mutex);
  auto job = state_->table->Find(id);
  if (!job) {
    return job.error();
  }
  if (!*job) {
    return NoSuchJob(id);
  }
  if (IsOver((*job)->state)) {
    return Error{
        ErrorCode::kInvalid,
        "the job is over already: " + std::string(JobStateName((*job)->state))};
  }
  if ((*job)->state == JobState::kRunning) {
    for (const auto& slot : state_->slots) {
      if (slot->job_id == id) {
        slot->cancelled = true;
        Wake(*slot);
      }
    }
    return **job;
  }
  (*job)->state = JobState::kCancelled;
  (*job)->ended_utc_ns = UtcNs();
  (*job)->reason = "cancelled by a user";
  if (auto done = state_->table->Update(**job); !done) {
    return done.error();
  }
  state_->unsynced = true;
  state_->TellState(**job);
  return **job;
}

std::string JobQueue::ReadLog(const std::string& id, int64_t from) {
  return ReadLogFile(state_->LogOf(id), from,
                     rules().log_bytes + kLogSlackBytes);
}

Result<void> JobQueue::Follow(const std::string& id, JobListener listener) {
  const std::scoped_lock lock(state_->mutex);
  const auto job = state_->table->Find(id);
  if (!job) {
    return job.error();
  }
  if (!*job) {
    return NoSuchJob(id);
  }
  const std::string text = ReadLog(id, 0);
  const bool wants_more = (text.empty() || listener.log(text)) &&
                          listener.state(**job) && !IsOver((*job)->state);
  if (wants_more) {
    state_->listeners.emplace(id, std::move(listener));
  }
  return {};
}

JobCounts JobQueue::Counts() {
  const std::scoped_lock lock(state_->mutex);
  JobCounts counts;
  if (const auto queued = state_->table->Count(JobState::kQueued)) {
    counts.queued = *queued;
  }
  for (const auto& slot : state_->slots) {
    counts.running += slot->job_id.empty() ? 0 : 1;
  }
  counts.ended = state_->ended;
  return counts;
}

}  // namespace edgewise

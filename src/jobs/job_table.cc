#include "jobs/job_table.h"

#include <fcntl.h>

#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "jobs/folder_lock.h"
#include "store/database.h"
#include "store/schema.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFirstLayout = R"sql(
  CREATE TABLE job(
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    state TEXT NOT NULL,
    retry INTEGER NOT NULL,
    interruptions INTEGER NOT NULL,
    submitted_utc_ns INTEGER NOT NULL,
    started_utc_ns INTEGER,
    ended_utc_ns INTEGER,
    exit_code INTEGER,
    reason TEXT NOT NULL,
    runs TEXT NOT NULL,
    app_file TEXT NOT NULL
  );
  CREATE INDEX job_by_state ON job(state, row);
)sql";
constexpr const char* kLayouts[] = {kFirstLayout};

constexpr std::string_view kColumns =
    "SELECT id, name, state, retry, interruptions, submitted_utc_ns, "
    "started_utc_ns, ended_utc_ns, exit_code, reason, runs FROM job ";

std::optional<int64_t> IntOrNull(const Statement& row, int column) {
  return row.IsNull(column) ? std::nullopt : std::optional(row.Int(column));
}

AppJob JobOf(const Statement& row) {
  AppJob job;
  job.id = row.Text(0);
  job.name = row.Text(1);
  job.state = ParseJobState(row.Text(2)).value_or(JobState::kInterrupted);
  job.retry = row.Int(3) != 0;
  job.interruptions = static_cast<int>(row.Int(4));
  job.submitted_utc_ns = row.Int(5);
  job.started_utc_ns = IntOrNull(row, 6);
  job.ended_utc_ns = IntOrNull(row, 7);
  if (const auto code = IntOrNull(row, 8)) {
    job.exit_code = static_cast<int>(*code);
  }
  job.reason = row.Text(9);
  for (const std::string_view id : SplitFields(row.Text(10))) {
    job.runs.emplace_back(id);
  }
  return job;
}

void BindOptional(Statement& statement, int index,
                  std::optional<int64_t> value) {
  value ? statement.BindInt(index, *value) : statement.BindNull(index);
}

Result<std::vector<AppJob>> Collect(Statement& query) {
  std::vector<AppJob> jobs;
  while (true) {
    const auto row = query.Step();
    if (!row) {
      return row.error();
    }
    if (!*row) {
      return jobs;
    }
    jobs.push_back(JobOf(query));
  }
}

}  // namespace

void Interrupt(AppJob& job, int64_t now_utc_ns) {
  ++job.interruptions;
  job.exit_code.reset();
  if (job.retry && job.interruptions < kMostInterruptions) {
    job.state = JobState::kQueued;
    job.started_utc_ns.reset();
    job.reason = "the server ended while it ran; it is run again";
    return;
  }
  job.state = JobState::kInterrupted;
  job.ended_utc_ns = now_utc_ns;
  job.reason = job.retry ? "the server ended while it ran, again and again"
                         : "the server ended while it ran";
}

JobTable::JobTable(UniqueFd lock, std::unique_ptr<Database> database)
    : lock_(std::move(lock)), database_(std::move(database)) {}
JobTable::JobTable(JobTable&&) noexcept = default;
JobTable::~JobTable() = default;

Result<JobTable> JobTable::Open(const fs::path& folder) {
  auto lock = HoldFolder(folder);
  if (!lock) {
    return lock.error();
  }
  const fs::path file = folder / "jobs.db";
  // App files may hold secrets: the file is its owner's alone.
  const UniqueFd made(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  auto database = Database::Open(file);
  if (!database) {
    return database.error();
  }
  JobTable table(std::move(*lock), std::move(*database));
  const auto mode = table.database_->QueryText("PRAGMA journal_mode = WAL");
  if (!mode) {
    return mode.error();
  }
  if (auto done = table.database_->Execute(
          "PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 4194304; "
          "PRAGMA cache_size = -512");
      !done) {
    return done.error();
  }
  if (auto done = Migrate(*table.database_, kLayouts); !done) {
    return done.error();
  }
  if (auto done = table.MarkInterrupted(); !done) {
    return done.error();
  }
  return table;
}

Result<void> JobTable::MarkInterrupted() {
  auto running = List({JobState::kRunning, 1000});
  if (!running) {
    return running.error();
  }
  for (AppJob& job : *running) {
    Interrupt(job, UtcNs());
    if (auto done = Update(job); !done) {
      return done;
    }
  }
  return {};
}

Result<void> JobTable::Add(const AppJob& job, const std::string& app_file) {
  auto insert = database_->Prepare(
      "INSERT INTO job(id, name, state, retry, interruptions, "
      "submitted_utc_ns, reason, runs, app_file) "
      "VALUES(?1, ?2, ?3, ?4, 0, ?5, '', '', ?6)");
  if (!insert) {
    return insert.error();
  }
  insert->BindText(1, job.id)
      .BindText(2, job.name)
      .BindText(3, JobStateName(job.state))
      .BindInt(4, job.retry ? 1 : 0)
      .BindInt(5, job.submitted_utc_ns)
      .BindText(6, app_file);
  return insert->Execute();
}

Result<void> JobTable::Update(const AppJob& job) {
  auto update = database_->Prepare(
      "UPDATE job SET state = ?2, interruptions = ?3, started_utc_ns = ?4, "
      "ended_utc_ns = ?5, exit_code = ?6, reason = ?7, runs = ?8 "
      "WHERE id = ?1");
  if (!update) {
    return update.error();
  }
  const std::string runs = Join(job.runs, " ");
  update->BindText(1, job.id)
      .BindText(2, JobStateName(job.state))
      .BindInt(3, job.interruptions);
  BindOptional(*update, 4, job.started_utc_ns);
  BindOptional(*update, 5, job.ended_utc_ns);
  BindOptional(*update, 6, job.exit_code);
  update->BindText(7, job.reason).BindText(8, runs);
  return update->Execute();
}

Result<std::vector<AppJob>> JobTable::List(const JobFilter& filter) const {
  auto query = database_->Prepare(std::string(kColumns) +
                                  (filter.state ? "WHERE state = ?2 " : "") +
                                  "ORDER BY row DESC LIMIT ?1");
  if (!query) {
    return query.error();
  }
  query->BindInt(1, filter.limit);
  if (filter.state) {
    query->BindText(2, JobStateName(*filter.state));
  }
  return Collect(*query);
}

Result<std::optional<AppJob>> JobTable::Find(const std::string& id) const {
  auto query = database_->Prepare(std::string(kColumns) + "WHERE id = ?1");
  if (!query) {
    return query.error();
  }
  query->BindText(1, id);
  auto jobs = Collect(*query);
  if (!jobs) {
    return jobs.error();
  }
  return jobs->empty() ? std::optional<AppJob>()
                       : std::optional(std::move(jobs->front()));
}

Result<std::optional<std::string>> JobTable::AppFileOf(
    const std::string& id) const {
  auto query = database_->Prepare("SELECT app_file FROM job WHERE id = ?1");
  if (!query) {
    return query.error();
  }
  query->BindText(1, id);
  const auto row = query->Step();
  if (!row) {
    return row.error();
  }
  return *row ? std::optional(std::string(query->Text(0))) : std::nullopt;
}

Result<std::optional<AppJob>> JobTable::NextQueued() const {
  auto query = database_->Prepare(
      std::string(kColumns) + "WHERE state = 'queued' ORDER BY row LIMIT 1");
  if (!query) {
    return query.error();
  }
  auto jobs = Collect(*query);
  if (!jobs) {
    return jobs.error();
  }
  return jobs->empty() ? std::optional<AppJob>()
                       : std::optional(std::move(jobs->front()));
}

Result<int64_t> JobTable::Count(JobState state) const {
  return database_->QueryInt("SELECT COUNT(*) FROM job WHERE state = '" +
                             std::string(JobStateName(state)) + "'");
}

Result<std::vector<std::string>> JobTable::Prune(int64_t keep) {
  auto query = database_->Prepare(
      "SELECT id FROM job WHERE state NOT IN ('queued', 'running') "
      "ORDER BY row DESC LIMIT -1 OFFSET ?1");
  if (!query) {
    return query.error();
  }
  query->BindInt(1, keep);
  std::vector<std::string> ids;
  while (true) {
    const auto row = query->Step();
    if (!row) {
      return row.error();
    }
    if (!*row) {
      break;
    }
    ids.emplace_back(query->Text(0));
  }
  for (const std::string& id : ids) {
    auto remove = database_->Prepare("DELETE FROM job WHERE id = ?1");
    if (!remove) {
      return remove.error();
    }
    remove->BindText(1, id);
    if (auto done = remove->Execute(); !done) {
      return done.error();
    }
  }
  return ids;
}

Result<void> JobTable::Sync() {
  const auto done = database_->QueryInt("PRAGMA wal_checkpoint(PASSIVE)");
  return done ? Result<void>() : done.error();
}

}  // namespace edgewise

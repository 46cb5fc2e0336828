#include "store/store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <system_error>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "base/text.h"
#include "base/unique_fd.h"
#include "store/run_json.h"
#include "store/run_writer_state.h"
#include "store/schema.h"
#include "store/store_state.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;

Error HomeError(const fs::path& home, int errno_value) {
  return {ErrorCodeFromErrno(errno_value),
          fmt::format("cannot make the store's folder {} ({}); set "
                      "EDGEWISE_HOME to a folder that you may write",
                      home.string(), ErrnoText(errno_value))};
}

Result<void> MakeHome(const fs::path& home) {
  std::error_code error;
  const fs::file_status status = fs::status(home, error);
  if (fs::is_directory(status)) {
    return {};
  }
  if (fs::exists(status)) {
    return Error{ErrorCode::kInvalid,
                 fmt::format("the store's folder {} is a file, not a folder; "
                             "set EDGEWISE_HOME to a folder",
                             home.string())};
  }
  if (home.has_parent_path()) {
    fs::create_directories(home.parent_path(), error);
    if (error) {
      return HomeError(home, error.value());
    }
  }
  if (mkdir(home.c_str(), 0700) != 0 && errno != EEXIST) {
    return HomeError(home, errno);
  }
  return {};
}

// Command lines and output may hold secrets: a new file is its owner's alone,
// and SQLite gives its log the same mode. An existing file is not opened here,
// since closing it would release the locks of another Store in this process.
Result<void> MakeFile(const fs::path& file) {
  const UniqueFd made(
      open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!made.valid() && errno != EEXIST) {
    return Error{ErrorCodeFromErrno(errno),
                 fmt::format("cannot make the store {} ({}); set EDGEWISE_HOME "
                             "to a folder that you may write",
                             file.string(), ErrnoText())};
  }
  return {};
}

// Two processes that turn a new file to WAL at once may meet a lock that
// SQLite's own waiting does not cover.
Result<void> UseWriteAheadLog(Database& database) {
  const int64_t give_up =
      MonotonicNs() + Database::kPatience.count() * kNsPerMs;
  while (true) {
    const auto mode = database.QueryText("PRAGMA journal_mode = WAL");
    if (mode) {
      return {};
    }
    if (mode.error().code != ErrorCode::kBusy || MonotonicNs() > give_up) {
      return mode.error();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

Result<void> Configure(Database& database) {
  const auto layout = LayoutOf(database);
  if (!layout) {
    return layout.error();
  }
  if (*layout == 0) {
    // Must come before the first table.
    if (auto done = database.Execute("PRAGMA auto_vacuum = INCREMENTAL");
        !done) {
      return done;
    }
  }
  if (auto done = UseWriteAheadLog(database); !done) {
    return done;
  }
  return database.Execute(
      "PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 16777216");
}

// Marks Runs whose writer is gone. Cheap: most often no Run is running.
Result<void> SweepDeadOwners(Database& database, const Owner& self) {
  auto running = database.Prepare(
      "SELECT row, owner_pid, owner_start_ticks, owner_boot_id, "
      "owner_pid_namespace, COALESCE(heartbeat_utc_ns, started_utc_ns) "
      "FROM run WHERE state = 'running'");
  if (!running) {
    return running.error();
  }
  std::vector<int64_t> dead;
  const int64_t now_ns = UtcNs();
  while (true) {
    auto row = running->Step();
    if (!row) {
      return row.error();
    }
    if (!*row) {
      break;
    }
    Owner owner;
    owner.pid = running->Int(1);
    owner.start_ticks = running->Int(2);
    owner.boot_id = running->Text(3);
    // A row of an older layout has none: it was this one as far as is known.
    owner.pid_namespace =
        running->IsNull(4) ? self.pid_namespace : std::string(running->Text(4));
    if (!IsAlive(owner, self, now_ns - running->Int(5))) {
      dead.push_back(running->Int(0));
    }
  }
  auto update = database.Prepare(
      "UPDATE run SET state = 'interrupted' WHERE row = ?1 AND "
      "state = 'running'");
  if (!update) {
    return update.error();
  }
  for (const int64_t row : dead) {
    if (auto done = update->BindInt(1, row).Execute(); !done) {
      return done;
    }
  }
  return {};
}

}  // namespace

fs::path DefaultHome() {
  const auto variable = [](const char* name) -> fs::path {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  if (const fs::path home = variable("EDGEWISE_HOME"); !home.empty()) {
    return home;
  }
  // The XDG specification has relative paths ignored.
  if (const fs::path data = variable("XDG_DATA_HOME"); data.is_absolute()) {
    return data / "edgewise";
  }
  return variable("HOME") / ".local/share/edgewise";
}

std::string NewRunId() {
  uint64_t bits = 0;
  // Cannot fail or fall short for so few bytes once the kernel has booted.
  if (getrandom(&bits, sizeof bits, 0) != sizeof bits) {
    bits = static_cast<uint64_t>(MonotonicNs()) ^
           (static_cast<uint64_t>(getpid()) << 32);
  }
  return fmt::format("{:012x}", bits & 0xFFFF'FFFF'FFFFULL);
}

Result<Store> Store::Open(const fs::path& home) {
  if (auto made = MakeHome(home); !made) {
    return made.error();
  }
  const fs::path file = home / "edgewise.db";
  if (auto made = MakeFile(file); !made) {
    return made.error();
  }
  auto database = Database::Open(file);
  if (!database) {
    return database.error();
  }
  auto state = std::make_unique<State>();
  state->home = home;
  state->database = std::move(*database);
  state->self = ThisProcess();
  if (auto done = Configure(*state->database); !done) {
    return done.error();
  }
  if (auto done = Migrate(*state->database); !done) {
    return done.error();
  }
  // Somebody who writes for long only delays the marking to the next Open.
  state->database->SetPatience(std::chrono::milliseconds(200));
  auto swept = SweepDeadOwners(*state->database, state->self);
  state->database->SetPatience(Database::kPatience);
  if (!swept && swept.error().code != ErrorCode::kBusy) {
    return swept.error();
  }
  return Store(std::move(state));
}

Store::Store(std::unique_ptr<State> state) : state_(std::move(state)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

const fs::path& Store::home() const { return state_->home; }

Result<RunWriter> Store::Begin(const Run& run, const WriterLimits& limits) {
  assert(!run.id.empty());
  Run document = run;
  document.state = RunState::kRunning;
  const std::string json = RunToJson(document);
  const std::string command = ShellQuote(run.command);
  const Owner& self = state_->self;
  auto insert = state_->database->Prepare(
      "INSERT INTO run(id, started_utc_ns, label, run_group, state, command, "
      "document, owner_pid, owner_start_ticks, owner_boot_id, "
      "owner_pid_namespace, heartbeat_utc_ns) "
      "VALUES(?1, ?2, ?3, ?4, 'running', ?5, ?6, ?7, ?8, ?9, ?10, ?11)");
  if (!insert) {
    return insert.error();
  }
  auto inserted = insert->BindText(1, run.id)
                      .BindInt(2, run.started_utc_ns)
                      .BindText(3, run.label)
                      .BindText(4, run.group)
                      .BindText(5, command)
                      .BindText(6, json)
                      .BindInt(7, self.pid)
                      .BindInt(8, self.start_ticks)
                      .BindText(9, self.boot_id)
                      .BindText(10, self.pid_namespace)
                      .BindInt(11, UtcNs())
                      .Execute();
  if (!inserted) {
    return inserted.error();
  }
  auto writer = std::make_unique<RunWriter::State>();
  writer->owner_database = state_->database.get();
  writer->limits = limits;
  writer->run_row = state_->database->LastInsertRow();
  writer->run_id = run.id;
  return RunWriter(std::move(writer));
}

int64_t Store::State::BytesOnDisk() const {
  int64_t bytes = 0;
  for (const char* suffix : {"", "-wal"}) {
    std::error_code error;
    const auto size = fs::file_size(database->path().string() + suffix, error);
    if (!error) {
      bytes += static_cast<int64_t>(size);
    }
  }
  return bytes;
}

}  // namespace edgewise

#include "store/schema.h"

#include <fmt/format.h>

namespace edgewise {
namespace {

// A series' id is (row of its run << 20) + its index in the run, so that a
// writer can name series without asking the database, and all of a run's
// series are one range of ids. AUTOINCREMENT: rows are never used again.
constexpr const char* kRunsAndBlocks = R"sql(
  CREATE TABLE run(
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    started_utc_ns INTEGER NOT NULL,
    label TEXT NOT NULL,
    run_group TEXT NOT NULL,
    state TEXT NOT NULL,
    command TEXT NOT NULL,
    document TEXT NOT NULL,
    owner_pid INTEGER,
    owner_start_ticks INTEGER,
    owner_boot_id TEXT
  );
  CREATE INDEX run_by_start ON run(started_utc_ns);
  CREATE INDEX run_by_label ON run(label, started_utc_ns);
  CREATE INDEX run_by_group ON run(run_group, started_utc_ns);
  CREATE INDEX run_by_state ON run(state);
  CREATE TABLE series(
    id INTEGER PRIMARY KEY,
    kind INTEGER NOT NULL,
    name TEXT NOT NULL,
    unit TEXT NOT NULL,
    count INTEGER NOT NULL DEFAULT 0,
    dropped INTEGER NOT NULL DEFAULT 0
  );
  CREATE TABLE block(
    row INTEGER PRIMARY KEY,
    series INTEGER NOT NULL,
    count INTEGER NOT NULL,
    data BLOB NOT NULL
  );
  CREATE INDEX block_by_series ON block(series);
  CREATE TABLE meta(
    run INTEGER NOT NULL,
    id INTEGER NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY(run, id)
  ) WITHOUT ROWID;
)sql";

// Bounded storage of unbounded streams, and owners in other pid namespaces.
constexpr const char* kDigestsAndHeartbeats = R"sql(
  CREATE TABLE digest(
    series INTEGER PRIMARY KEY,
    data BLOB NOT NULL
  );
  ALTER TABLE series ADD COLUMN summarised INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE run ADD COLUMN owner_pid_namespace TEXT;
  ALTER TABLE run ADD COLUMN heartbeat_utc_ns INTEGER;
)sql";

// The counted call stacks of a Run; `run` is its row.
constexpr const char* kStacks = R"sql(
  CREATE TABLE stacks(
    run INTEGER PRIMARY KEY,
    data BLOB NOT NULL
  );
)sql";

constexpr const char* kSteps[] = {kRunsAndBlocks, kDigestsAndHeartbeats,
                                  kStacks};

}  // namespace

std::span<const char* const> LayoutSteps() { return kSteps; }

Result<int64_t> LayoutOf(const Database& database,
                         std::span<const char* const> steps) {
  auto found = database.QueryInt("PRAGMA user_version");
  const auto newest = static_cast<int64_t>(steps.size());
  if (found && (*found > newest || *found < 0)) {
    return Error{
        ErrorCode::kUnsupported,
        fmt::format("the store {} has layout {}, and this edgewise knows "
                    "layouts up to {}: use the newer edgewise that wrote it, "
                    "or set EDGEWISE_HOME to another folder",
                    database.path().string(), *found, newest)};
  }
  return found;
}

Result<void> Migrate(Database& database, std::span<const char* const> steps) {
  const auto newest = static_cast<int64_t>(steps.size());
  if (auto layout = LayoutOf(database, steps); !layout) {
    return layout.error();
  } else if (*layout == newest) {
    return {};
  }
  auto transaction = Transaction::Begin(database);
  if (!transaction) {
    return transaction.error();
  }
  // Another process may have migrated while this one waited for the lock.
  auto layout = LayoutOf(database, steps);
  if (!layout) {
    return layout.error();
  }
  if (*layout == newest) {
    return {};
  }
  for (const char* step : steps.subspan(static_cast<size_t>(*layout))) {
    if (auto made = database.Execute(step); !made) {
      return made;
    }
  }
  if (auto set =
          database.Execute(fmt::format("PRAGMA user_version = {}", newest));
      !set) {
    return set;
  }
  return transaction->Commit();
}

}  // namespace edgewise

// The part of Store that removes Runs.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "store/store_state.h"

namespace edgewise {
namespace {

struct Candidate {
  int64_t row = 0;
  int64_t stored_utc_ns = 0;
  int64_t bytes = 0;  // of its document and records
  bool running = false;
};

// Every Run, oldest first, by when it was stored: data that are old when they
// are imported have only just come. Layouts without a heartbeat knew the start
// alone.
Result<std::vector<Candidate>> Candidates(const Database& database) {
  auto query = database.Prepare(fmt::format(
      "SELECT row, COALESCE(heartbeat_utc_ns, started_utc_ns), state = "
      "'running', length(document) + "
      "COALESCE((SELECT sum(length(data)) FROM block WHERE series >= "
      "(run.row << {0}) AND series < ((run.row + 1) << {0})), 0) + "
      "COALESCE((SELECT length(data) FROM stacks WHERE stacks.run = run.row), "
      "0) "
      "FROM run ORDER BY row",
      kSeriesBits));
  if (!query) {
    return query.error();
  }
  std::vector<Candidate> all;
  while (true) {
    auto row = query->Step();
    if (!row) {
      return row.error();
    }
    if (!*row) {
      return all;
    }
    all.push_back(
        {query->Int(0), query->Int(1), query->Int(3), query->Int(2) != 0});
  }
}

// Bytes of all pages in use: the size of the file after vacuuming.
Result<int64_t> UsedBytes(const Database& database) {
  int64_t figures[3];
  const char* const pragmas[] = {"PRAGMA page_count", "PRAGMA freelist_count",
                                 "PRAGMA page_size"};
  for (size_t i = 0; i < 3; ++i) {
    auto figure = database.QueryInt(pragmas[i]);
    if (!figure) {
      return figure.error();
    }
    figures[i] = *figure;
  }
  return (figures[0] - figures[1]) * figures[2];
}

// What to remove of `all` (oldest first) so that the rest satisfies the
// request, going by the estimated bytes of each Run.
std::vector<Candidate> Choose(const std::vector<Candidate>& all,
                              const GcRequest& request, int64_t now_utc_ns,
                              int64_t used_bytes) {
  std::vector<Candidate> chosen;
  auto left = static_cast<int64_t>(all.size());
  for (const Candidate& each : all) {
    const bool too_old = request.keep_age_ns &&
                         now_utc_ns - each.stored_utc_ns > *request.keep_age_ns;
    const bool too_many = request.keep_count && left > *request.keep_count;
    const bool too_large =
        request.keep_bytes && used_bytes > *request.keep_bytes;
    if (each.running || !(too_old || too_many || too_large)) {
      continue;
    }
    chosen.push_back(each);
    --left;
    used_bytes -= each.bytes;
  }
  return chosen;
}

}  // namespace

Result<void> Store::State::RemoveRow(int64_t run_row) {
  const std::string first = std::to_string(FirstSeriesOf(run_row));
  const std::string end = std::to_string(FirstSeriesOf(run_row + 1));
  return database->Execute(
      fmt::format("DELETE FROM block WHERE series >= {1} AND series < {2};"
                  "DELETE FROM digest WHERE series >= {1} AND series < {2};"
                  "DELETE FROM series WHERE id >= {1} AND id < {2};"
                  "DELETE FROM meta WHERE run = {0};"
                  "DELETE FROM stacks WHERE run = {0};"
                  "DELETE FROM run WHERE row = {0};",
                  run_row, first, end));
}

Result<void> Store::Remove(const std::string& run_id) {
  auto transaction = Transaction::Begin(*state_->database);
  if (!transaction) {
    return transaction.error();
  }
  const auto row = state_->RowOf(run_id);
  if (!row) {
    return row.error();
  }
  auto running = state_->database->QueryInt(
      fmt::format("SELECT state = 'running' FROM run WHERE row = {}", *row));
  if (!running) {
    return running.error();
  }
  if (*running != 0) {
    return Error{
        ErrorCode::kBusy,
        fmt::format("the Run {} is still being written; end it first", run_id)};
  }
  if (auto removed = state_->RemoveRow(*row); !removed) {
    return removed;
  }
  return transaction->Commit();
}

Result<GcOutcome> Store::CollectGarbage(const GcRequest& request,
                                        int64_t now_utc_ns) {
  Database& database = *state_->database;
  GcOutcome outcome;
  outcome.bytes_before = state_->BytesOnDisk();
  while (true) {
    auto transaction = Transaction::Begin(database);
    if (!transaction) {
      return transaction.error();
    }
    auto all = Candidates(database);
    if (!all) {
      return all.error();
    }
    auto used = UsedBytes(database);
    if (!used) {
      return used.error();
    }
    const auto chosen = Choose(*all, request, now_utc_ns, *used);
    outcome.removed_runs += static_cast<int64_t>(chosen.size());
    outcome.kept_runs = static_cast<int64_t>(all->size() - chosen.size());
    if (request.dry_run) {
      outcome.bytes_after = outcome.bytes_before;
      return outcome;
    }
    if (chosen.empty()) {
      break;
    }
    for (const Candidate& each : chosen) {
      if (auto removed = state_->RemoveRow(each.row); !removed) {
        return removed.error();
      }
    }
    if (auto committed = transaction->Commit(); !committed) {
      return committed.error();
    }
    // Estimates leave pages out that are only partly used: look again.
  }
  // Best effort: with readers at work the space comes back later.
  (void)database.Execute("PRAGMA incremental_vacuum");
  (void)database.Execute("PRAGMA wal_checkpoint(TRUNCATE)");
  outcome.bytes_after = state_->BytesOnDisk();
  return outcome;
}

}  // namespace edgewise

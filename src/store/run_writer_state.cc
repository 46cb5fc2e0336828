#include "store/run_writer_state.h"

#include <algorithm>
#include <cassert>
#include <optional>

#include "base/clock.h"
#include "store/block.h"
#include "store/run_names.h"
#include "store/store_state.h"

namespace edgewise {
namespace {

// Writes `records` as blocks; the bytes written, or an error.
template <typename Record>
Result<int64_t> WriteBlocks(Statement& insert, int64_t series,
                            std::span<const Record> records) {
  int64_t bytes = 0;
  while (!records.empty()) {
    const auto part = records.first(std::min(records.size(), kMaxBlockRecords));
    records = records.subspan(part.size());
    const std::string block = EncodeBlock(part);
    auto inserted = insert.BindInt(1, series)
                        .BindInt(2, static_cast<int64_t>(part.size()))
                        .BindBlob(3, block)
                        .Execute();
    if (!inserted) {
      return inserted.error();
    }
    bytes += static_cast<int64_t>(block.size());
  }
  return bytes;
}

}  // namespace

RunWriter::State::Series* RunWriter::State::Find(int64_t series_id) {
  const int64_t index = series_id - FirstSeriesOf(run_row);
  if (index < 0 || index >= static_cast<int64_t>(series.size())) {
    return nullptr;
  }
  return &series[static_cast<size_t>(index)];
}

template <typename Record>
void RunWriter::State::Add(int64_t series_id, std::span<const Record> records,
                           std::vector<Record> Series::*pending,
                           bool right_kind) {
  Series* to = Find(series_id);
  assert(to != nullptr && right_kind);
  if (to == nullptr || !right_kind || records.empty()) {
    return;
  }
  to->dirty = true;
  if (to->overflow) {
    to->dropped += static_cast<int64_t>(records.size());
    return;
  }
  if (stored_bytes >= limits.max_stored_bytes) {
    if (!to->digest) {
      to->digest = std::make_unique<SeriesDigest>();
    }
    for (const Record& record : records) {
      to->digest->Add(record);
    }
    return;
  }
  const size_t room =
      limits.max_buffered_bytes > buffered_bytes
          ? (limits.max_buffered_bytes - buffered_bytes) / sizeof(Record)
          : 0;
  const auto taken = records.first(std::min(room, records.size()));
  std::vector<Record>& buffer = to->*pending;
  buffer.insert(buffer.end(), taken.begin(), taken.end());
  buffered_bytes += taken.size_bytes();
  to->dropped += static_cast<int64_t>(records.size() - taken.size());
}

Result<int64_t> RunWriter::State::WriteSeries(Series& from, Statement& block) {
  auto row = database().Prepare(
      "INSERT INTO series(id, kind, name, unit, count, dropped, summarised) "
      "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT(id) DO UPDATE SET "
      "count = ?5, dropped = ?6, summarised = ?7");
  if (!row) {
    return row.error();
  }
  const int64_t summarised = from.digest ? from.digest->count() : 0;
  auto written = row->BindInt(1, from.id)
                     .BindInt(2, static_cast<int64_t>(from.kind))
                     .BindText(3, from.name)
                     .BindText(4, from.unit)
                     .BindInt(5, from.stored + from.Pending())
                     .BindInt(6, from.dropped)
                     .BindInt(7, summarised)
                     .Execute();
  if (!written) {
    return written.error();
  }
  if (from.digest) {
    auto digest = database().Prepare(
        "INSERT OR REPLACE INTO digest(series, data) VALUES(?1, ?2)");
    if (!digest) {
      return digest.error();
    }
    const std::string bytes = EncodeDigest(*from.digest);
    if (auto done = digest->BindInt(1, from.id).BindBlob(2, bytes).Execute();
        !done) {
      return done.error();
    }
  }
  int64_t bytes = 0;
  const auto add = [&](Result<int64_t> part) -> std::optional<Error> {
    if (!part) {
      return part.error();
    }
    bytes += *part;
    return std::nullopt;
  };
  std::optional<Error> error =
      add(WriteBlocks<Span>(block, from.id, from.spans));
  error = error ? error : add(WriteBlocks<Job>(block, from.id, from.jobs));
  error = error ? error : add(WriteBlocks<Point>(block, from.id, from.points));
  if (error) {
    return *error;
  }
  return bytes;
}

Result<int64_t> RunWriter::State::WritePending() {
  auto alive =
      database().Prepare("UPDATE run SET heartbeat_utc_ns = ?2 WHERE row = ?1");
  if (!alive) {
    return alive.error();
  }
  if (auto done = alive->BindInt(1, run_row).BindInt(2, UtcNs()).Execute();
      !done) {
    return done.error();
  }
  if (database().Changes() == 0) {
    return Error{ErrorCode::kNotFound,
                 "the Run " + run_id +
                     " was removed from the store while it was written"};
  }
  auto meta =
      database().Prepare("INSERT INTO meta(run, id, text) VALUES(?1, ?2, ?3)");
  if (!meta) {
    return meta.error();
  }
  for (const auto& [id, text] : new_metas) {
    if (auto done = meta->BindInt(1, run_row)
                        .BindInt(2, id)
                        .BindText(3, text)
                        .Execute();
        !done) {
      return done.error();
    }
  }
  auto block = database().Prepare(
      "INSERT INTO block(series, count, data) VALUES(?1, ?2, ?3)");
  if (!block) {
    return block.error();
  }
  int64_t bytes = 0;
  for (Series& each : series) {
    if (!each.dirty) {
      continue;
    }
    auto written = WriteSeries(each, *block);
    if (!written) {
      return written.error();
    }
    bytes += *written;
  }
  return bytes;
}

void RunWriter::State::ForgetPending(int64_t bytes_written) {
  stored_bytes += bytes_written;
  buffered_bytes = 0;
  new_metas.clear();
  for (Series& each : series) {
    if (each.dirty) {
      each.stored += each.Pending();
      each.spans.clear();
      each.jobs.clear();
      each.points.clear();
      each.dirty = false;
    }
  }
}

Result<void> RunWriter::State::WriteStacks() {
  if (stacks.empty()) {
    return {};
  }
  auto insert = database().Prepare(
      "INSERT OR REPLACE INTO stacks(run, data) VALUES(?1, ?2)");
  if (!insert) {
    return insert.error();
  }
  return insert->BindInt(1, run_row).BindBlob(2, stacks).Execute();
}

Result<void> RunWriter::State::MarkInterrupted() {
  auto update = database().Prepare(
      "UPDATE run SET state = ?2 WHERE row = ?1 AND state = ?3");
  if (!update) {
    return update.error();
  }
  return update->BindInt(1, run_row)
      .BindText(2, RunStateName(RunState::kInterrupted))
      .BindText(3, RunStateName(RunState::kRunning))
      .Execute();
}

// The three kinds of records there are.
template void RunWriter::State::Add(int64_t, std::span<const Span>,
                                    std::vector<Span> Series::*, bool);
template void RunWriter::State::Add(int64_t, std::span<const Job>,
                                    std::vector<Job> Series::*, bool);
template void RunWriter::State::Add(int64_t, std::span<const Point>,
                                    std::vector<Point> Series::*, bool);

}  // namespace edgewise

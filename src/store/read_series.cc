// The part of Store that reads series and their records.
#include <fmt/format.h>

#include <utility>

#include "stacks/encode.h"
#include "store/block.h"
#include "store/digest.h"
#include "store/store_state.h"

namespace edgewise {
namespace {

// Calls take(bytes) for every block of a series, in the order of writing.
template <typename Take>
Result<void> ForEachBlock(const Database& database, int64_t series, Take take) {
  auto query =
      database.Prepare("SELECT data FROM block WHERE series = ?1 ORDER BY row");
  if (!query) {
    return query.error();
  }
  query->BindInt(1, series);
  while (true) {
    auto row = query->Step();
    if (!row) {
      return row.error();
    }
    if (!*row) {
      return {};
    }
    if (Result<void> taken = take(query->Blob(0)); !taken) {
      return database.Damaged(taken.error().message);
    }
  }
}

template <typename Record>
Result<std::vector<Record>> AllRecords(const Database& database,
                                       int64_t series) {
  std::vector<Record> records;
  auto read = ForEachBlock(database, series, [&](std::string_view bytes) {
    return DecodeBlock(bytes, records);
  });
  if (!read) {
    return read.error();
  }
  return records;
}

}  // namespace

Result<std::vector<SeriesInfo>> Store::SeriesOf(
    const std::string& run_id) const {
  const auto run_row = state_->RowOf(run_id);
  if (!run_row) {
    return run_row.error();
  }
  auto query = state_->database->Prepare(
      "SELECT id, kind, name, unit, count, dropped, summarised FROM series "
      "WHERE id >= ?1 AND id < ?2 ORDER BY id");
  if (!query) {
    return query.error();
  }
  query->BindInt(1, FirstSeriesOf(*run_row))
      .BindInt(2, FirstSeriesOf(*run_row + 1));
  std::vector<SeriesInfo> all;
  while (true) {
    auto row = query->Step();
    if (!row) {
      return row.error();
    }
    if (!*row) {
      return all;
    }
    SeriesInfo info;
    info.id = query->Int(0);
    info.kind = static_cast<SeriesKind>(query->Int(1));
    info.name = query->Text(2);
    info.unit = query->Text(3);
    info.count = query->Int(4);
    info.dropped = query->Int(5);
    info.summarised = query->Int(6);
    all.push_back(std::move(info));
  }
}

Result<std::vector<Span>> Store::Spans(int64_t series) const {
  return AllRecords<Span>(*state_->database, series);
}

Result<std::vector<Job>> Store::Jobs(int64_t series) const {
  return AllRecords<Job>(*state_->database, series);
}

Result<std::vector<Point>> Store::Points(int64_t series) const {
  return AllRecords<Point>(*state_->database, series);
}

Result<void> Store::ReadSpans(
    int64_t series,
    const std::function<void(std::span<const Span>)>& take) const {
  std::vector<Span> block;
  return ForEachBlock(*state_->database, series,
                      [&](std::string_view bytes) -> Result<void> {
                        block.clear();
                        if (auto done = DecodeBlock(bytes, block); !done) {
                          return done;
                        }
                        take(block);
                        return {};
                      });
}

Result<std::optional<SeriesDigest>> Store::DigestOf(int64_t series) const {
  auto query =
      state_->database->Prepare("SELECT data FROM digest WHERE series = ?1");
  if (!query) {
    return query.error();
  }
  query->BindInt(1, series);
  auto row = query->Step();
  if (!row) {
    return row.error();
  }
  if (!*row) {
    return std::optional<SeriesDigest>();
  }
  auto digest = DecodeDigest(query->Blob(0));
  if (!digest) {
    return state_->database->Damaged(digest.error().message);
  }
  return std::optional<SeriesDigest>(std::move(*digest));
}

Result<std::optional<stacks::StackProfile>> Store::StacksOf(
    const std::string& run_id) const {
  const auto run_row = state_->RowOf(run_id);
  if (!run_row) {
    return run_row.error();
  }
  auto query =
      state_->database->Prepare("SELECT data FROM stacks WHERE run = ?1");
  if (!query) {
    return query.error();
  }
  query->BindInt(1, *run_row);
  auto row = query->Step();
  if (!row) {
    return row.error();
  }
  if (!*row) {
    return std::optional<stacks::StackProfile>();
  }
  auto profile = stacks::Decode(query->Blob(0));
  if (!profile) {
    return state_->database->Damaged(profile.error().message);
  }
  return std::optional<stacks::StackProfile>(std::move(*profile));
}

Result<std::string> Store::MetaText(const std::string& run_id,
                                    uint32_t meta) const {
  if (meta == 0) {
    return std::string();
  }
  const auto run_row = state_->RowOf(run_id);
  if (!run_row) {
    return run_row.error();
  }
  auto query = state_->database->Prepare(
      "SELECT text FROM meta WHERE run = ?1 AND id = ?2");
  if (!query) {
    return query.error();
  }
  query->BindInt(1, *run_row).BindInt(2, meta);
  auto row = query->Step();
  if (!row) {
    return row.error();
  }
  return *row ? std::string(query->Text(0)) : std::string();
}

}  // namespace edgewise

// What a RunWriter holds between flushes. Private to this room.
#ifndef EDGEWISE_STORE_RUN_WRITER_STATE_H_
#define EDGEWISE_STORE_RUN_WRITER_STATE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "store/database.h"
#include "store/digest.h"
#include "store/run_writer.h"

namespace edgewise {

struct RunWriter::State {
  struct Series {
    int64_t id = 0;
    SeriesKind kind = SeriesKind::kSpan;
    std::string name;
    std::string unit;
    bool overflow = false;  // stands for all names beyond the cap
    bool dirty = false;     // differs from what the store has
    int64_t stored = 0;     // records in the store
    int64_t dropped = 0;
    // One of these, by kind: records that are not in the store yet.
    std::vector<Span> spans;
    std::vector<Job> jobs;
    std::vector<Point> points;
    std::unique_ptr<SeriesDigest> digest;

    int64_t Pending() const {
      return static_cast<int64_t>(spans.size() + jobs.size() + points.size());
    }
  };
  struct TextHash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };
  template <typename T>
  using ByText = std::unordered_map<std::string, T, TextHash, std::equal_to<>>;

  Database* owner_database = nullptr;  // the Store's, which outlives this
  WriterLimits limits;
  int64_t run_row = 0;
  std::string run_id;
  bool finished = false;
  std::vector<Series> series;
  std::map<SeriesKind, ByText<int64_t>> ids;
  ByText<uint32_t> metas;
  std::vector<std::pair<uint32_t, std::string>> new_metas;
  size_t buffered_bytes = 0;
  int64_t stored_bytes = 0;
  std::string stacks;  // encoded; empty if there are none

  Database& database() { return *owner_database; }
  // nullptr for an id that this writer did not hand out.
  Series* Find(int64_t series_id);
  bool HasKind(int64_t series_id, SeriesKind kind) {
    const Series* found = Find(series_id);
    return found != nullptr && found->kind == kind;
  }
  // Buffers, summarises or drops records, as the limits have it.
  template <typename Record>
  void Add(int64_t series_id, std::span<const Record> records,
           std::vector<Record> Series::*pending, bool right_kind);

  // Inside a transaction: write everything that the store does not have; the
  // block bytes written. Nothing is forgotten until the commit has worked.
  Result<int64_t> WritePending();
  Result<int64_t> WriteSeries(Series& from, Statement& block);
  void ForgetPending(int64_t bytes_written);
  // Inside a transaction; nothing without stacks.
  Result<void> WriteStacks();
  Result<void> MarkInterrupted();
};

}  // namespace edgewise

#endif  // EDGEWISE_STORE_RUN_WRITER_STATE_H_

#include "report/run_csv.h"

#include <map>
#include <span>
#include <vector>

#include "report/csv_row.h"

namespace edgewise {
namespace {

constexpr int kSecondDecimals = 9;  // ns as s
constexpr int kMsDecimals = 6;      // ns as ms
constexpr size_t kPieceBytes = 1 << 18;

std::string CpuMs(int64_t cpu_ns) {
  return cpu_ns < 0 ? "" : CsvDecimal(cpu_ns, kMsDecimals);
}

// Collects rows and passes them on in large pieces.
class Pieces {
 public:
  explicit Pieces(const TextSink& sink) : sink_(sink) {}
  ~Pieces() { Pass(); }
  Pieces(const Pieces&) = delete;
  Pieces& operator=(const Pieces&) = delete;

  void Row(std::initializer_list<std::string_view> fields) {
    AppendCsvRow(&text_, fields);
    if (text_.size() >= kPieceBytes) {
      Pass();
    }
  }

 private:
  void Pass() {
    if (!text_.empty()) {
      sink_(text_);
      text_.clear();
    }
  }
  const TextSink& sink_;
  std::string text_;
};

// Calls each(info) for the series of a Run for which `wanted` holds.
template <typename Wanted, typename Each>
Result<void> ForEachSeries(const Store& store, const Run& run, Wanted wanted,
                           Each each) {
  const auto series = store.SeriesOf(run.id);
  if (!series) {
    return series.error();
  }
  for (const SeriesInfo& info : *series) {
    if (wanted(info.kind)) {
      if (Result<void> done = each(info); !done) {
        return done;
      }
    }
  }
  return {};
}

// The whole CSV of a function that hands it over in pieces.
Result<std::string> Whole(Result<void> (*write)(const Store&, const Run&,
                                                const TextSink&),
                          const Store& store, const Run& run) {
  std::string csv;
  const Result<void> written =
      write(store, run, [&csv](std::string_view piece) { csv += piece; });
  if (!written) {
    return written.error();
  }
  return csv;
}

}  // namespace

Result<void> SpansCsv(const Store& store, const Run& run,
                      const TextSink& sink) {
  Pieces pieces(sink);
  pieces.Row({"name", "start_s", "wall_ms", "cpu_ms", "tid", "meta"});
  std::map<uint32_t, std::string> meta_texts;
  Result<void> meta_read;
  const auto meta_text = [&](uint32_t meta) -> const std::string& {
    const auto [found, is_new] = meta_texts.try_emplace(meta);
    if (is_new && meta != 0) {
      if (auto text = store.MetaText(run.id, meta)) {
        found->second = *std::move(text);
      } else {
        meta_read = text.error();
      }
    }
    return found->second;
  };
  auto written = ForEachSeries(
      store, run, [](SeriesKind kind) { return kind == SeriesKind::kSpan; },
      [&](const SeriesInfo& info) {
        return store.ReadSpans(info.id, [&](std::span<const Span> spans) {
          for (const Span& span : spans) {
            pieces.Row({info.name, CsvDecimal(span.start_ns, kSecondDecimals),
                        CsvDecimal(span.wall_ns, kMsDecimals),
                        CpuMs(span.cpu_ns), std::to_string(span.tid),
                        meta_text(span.meta)});
          }
        });
      });
  return written ? meta_read : written;
}

Result<void> JobsCsv(const Store& store, const Run& run, const TextSink& sink) {
  Pieces pieces(sink);
  pieces.Row(
      {"name", "release_s", "start_s", "end_s", "deadline_s", "cpu_ms", "tid"});
  return ForEachSeries(
      store, run, [](SeriesKind kind) { return kind == SeriesKind::kJob; },
      [&](const SeriesInfo& info) -> Result<void> {
        const auto jobs = store.Jobs(info.id);
        if (!jobs) {
          return jobs.error();
        }
        for (const Job& job : *jobs) {
          pieces.Row({info.name, CsvDecimal(job.release_ns, kSecondDecimals),
                      CsvDecimal(job.start_ns, kSecondDecimals),
                      CsvDecimal(job.end_ns, kSecondDecimals),
                      CsvDecimal(job.deadline_ns, kSecondDecimals),
                      CpuMs(job.cpu_ns), std::to_string(job.tid)});
        }
        return {};
      });
}

Result<void> SeriesCsv(const Store& store, const Run& run,
                       const TextSink& sink) {
  Pieces pieces(sink);
  pieces.Row({"name", "unit", "t_s", "value"});
  return ForEachSeries(
      store, run,
      [](SeriesKind kind) {
        return kind == SeriesKind::kGauge || kind == SeriesKind::kSystem;
      },
      [&](const SeriesInfo& info) -> Result<void> {
        const auto points = store.Points(info.id);
        if (!points) {
          return points.error();
        }
        for (const Point& point : *points) {
          pieces.Row({info.name, info.unit,
                      CsvDecimal(point.t_ns, kSecondDecimals),
                      CsvNumber(point.value)});
        }
        return {};
      });
}

Result<std::string> SpansCsv(const Store& store, const Run& run) {
  return Whole(SpansCsv, store, run);
}

Result<std::string> JobsCsv(const Store& store, const Run& run) {
  return Whole(JobsCsv, store, run);
}

Result<std::string> SeriesCsv(const Store& store, const Run& run) {
  return Whole(SeriesCsv, store, run);
}

}  // namespace edgewise

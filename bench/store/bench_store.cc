// Speed of streaming spans to the store and of reading them back. The peer is
// the obvious way: one row per span, prepared statement, one transaction.
//
// Prints one line per figure: name, value, unit, bar, pass|fail|-.
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "store/database.h"
#include "store/store.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;

constexpr size_t kSpans = 3'000'000;
constexpr size_t kBatch = 2048;  // as drained from a ring
constexpr size_t kFlushBytes = size_t{4} << 20;
constexpr int kRounds = 3;
constexpr double kSpansPerSecondBar = 1e6;

// Spans of four threads, about one a microsecond in all.
std::vector<Span> MakeSpans() {
  std::mt19937_64 random(1);
  std::vector<Span> spans(kSpans);
  int64_t now_ns = 0;
  for (Span& span : spans) {
    now_ns += static_cast<int64_t>(500 + random() % 1000);
    span.start_ns = now_ns;
    span.wall_ns = static_cast<int64_t>(200 + random() % 4000);
    span.cpu_ns = span.wall_ns - static_cast<int64_t>(random() % 100);
    span.tid = static_cast<int32_t>(1000 + random() % 4);
  }
  return spans;
}

class Folder {
 public:
  Folder() {
    std::string pattern =
        (fs::temp_directory_path() / "edgewise-bench-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

[[noreturn]] void Die(const Error& error) {
  std::fprintf(stderr, "bench_store: %s\n", error.message.c_str());
  std::exit(1);
}

template <typename Work>
double SecondsOf(Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
      .count();
}

struct Streamed {
  double write_s = 0;
  double read_s = 0;
  int64_t lost = 0;
  double bytes = 0;
};

Streamed Stream(const std::vector<Span>& spans) {
  const Folder folder;
  Streamed outcome;
  int64_t series = 0;
  {
    auto store = Store::Open(folder.path());
    if (!store) {
      Die(store.error());
    }
    Run run;
    run.id = NewRunId();
    auto writer = store->Begin(run);
    if (!writer) {
      Die(writer.error());
    }
    outcome.write_s = SecondsOf([&] {
      series = writer->SeriesId(SeriesKind::kSpan, "frame", "");
      for (size_t i = 0; i < spans.size(); i += kBatch) {
        const size_t count = std::min(kBatch, spans.size() - i);
        writer->AddSpans(series, {&spans[i], count});
        if (writer->BufferedBytes() >= kFlushBytes) {
          if (auto flushed = writer->Flush(); !flushed) {
            Die(flushed.error());
          }
        }
      }
      run.state = RunState::kDone;
      if (auto finished = writer->Finish(run); !finished) {
        Die(finished.error());
      }
    });
    size_t read = 0;
    outcome.read_s = SecondsOf([&] {
      auto done = store->ReadSpans(
          series, [&](std::span<const Span> part) { read += part.size(); });
      if (!done) {
        Die(done.error());
      }
    });
    outcome.lost = static_cast<int64_t>(spans.size() - read);
  }
  outcome.bytes =
      static_cast<double>(fs::file_size(folder.path() / "edgewise.db"));
  return outcome;
}

double RowPerSpanSeconds(const std::vector<Span>& spans) {
  const Folder folder;
  auto database = Database::Open(folder.path() / "rows.db");
  if (!database) {
    Die(database.error());
  }
  auto made = (*database)->Execute(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
      "CREATE TABLE span(series INTEGER, start_ns INTEGER, wall_ns INTEGER, "
      "cpu_ns INTEGER, tid INTEGER, meta INTEGER)");
  if (!made) {
    Die(made.error());
  }
  return SecondsOf([&] {
    auto transaction = Transaction::Begin(**database);
    auto insert =
        (*database)->Prepare("INSERT INTO span VALUES(?1, ?2, ?3, ?4, ?5, ?6)");
    if (!transaction || !insert) {
      Die((*database)->LastError());
    }
    for (const Span& span : spans) {
      if (auto done = insert->BindInt(1, 1)
                          .BindInt(2, span.start_ns)
                          .BindInt(3, span.wall_ns)
                          .BindInt(4, span.cpu_ns)
                          .BindInt(5, span.tid)
                          .BindInt(6, span.meta)
                          .Execute();
          !done) {
        Die(done.error());
      }
    }
    if (auto done = transaction->Commit(); !done) {
      Die(done.error());
    }
  });
}

const char* Verdict(bool passed) { return passed ? "pass" : "fail"; }

int Main() {
  const std::vector<Span> spans = MakeSpans();
  const auto n = static_cast<double>(spans.size());
  Streamed best;
  best.write_s = best.read_s = 1e300;
  double rows_s = 1e300;
  int64_t lost = 0;
  for (int round = 0; round < kRounds; ++round) {
    const Streamed streamed = Stream(spans);
    best.write_s = std::min(best.write_s, streamed.write_s);
    best.read_s = std::min(best.read_s, streamed.read_s);
    best.bytes = streamed.bytes;
    lost += streamed.lost;
    rows_s = std::min(rows_s, RowPerSpanSeconds(spans));
  }
  const double rate = n / best.write_s;
  std::printf("store: spans written\t%.3g\tspans/s\t>= 1e+06\t%s\n", rate,
              Verdict(rate >= kSpansPerSecondBar));
  std::printf("store: spans lost\t%lld\tspans\t0\t%s\n",
              static_cast<long long>(lost), Verdict(lost == 0));
  std::printf("store: faster than a row per span\t%.3g\tx\t>= 2\t%s\n",
              rows_s / best.write_s, Verdict(rows_s / best.write_s >= 2));
  std::printf("store: spans read\t%.3g\tspans/s\t-\t-\n", n / best.read_s);
  std::printf("store: size on disk\t%.3g\tbytes/span\t-\t-\n", best.bytes / n);
  return 0;
}

}  // namespace
}  // namespace edgewise

int main() { return edgewise::Main(); }

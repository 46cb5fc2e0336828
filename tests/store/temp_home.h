// A store's folder that goes away with the test, and Runs to put into it.
#ifndef EDGEWISE_TESTS_STORE_TEMP_HOME_H_
#define EDGEWISE_TESTS_STORE_TEMP_HOME_H_

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>
#include <utility>

#include "store/store.h"

namespace edgewise {

class TempHome {
 public:
  TempHome() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "edgewise-test-XXXXXX")
            .string();
    path_ = mkdtemp(pattern.data());
  }
  TempHome(const TempHome&) = delete;
  TempHome& operator=(const TempHome&) = delete;
  ~TempHome() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path database() const { return path_ / "edgewise.db"; }
  Store Open() const {
    auto store = Store::Open(path_);
    EXPECT_TRUE(store) << store.error().message;
    return std::move(*store);
  }

 private:
  std::filesystem::path path_;
};

inline Run NewRun(std::string id, int64_t started_utc_ns = 1) {
  Run run;
  run.id = std::move(id);
  run.command = {"./app", "--fast"};
  run.started_utc_ns = started_utc_ns;
  return run;
}

// Spans of 1 ms, one every 2 ms.
inline std::vector<Span> RegularSpans(int64_t count) {
  std::vector<Span> spans;
  for (int64_t i = 0; i < count; ++i) {
    Span span;
    span.start_ns = i * 2'000'000;
    span.wall_ns = 1'000'000;
    span.cpu_ns = 400'000;
    span.tid = 7;
    spans.push_back(span);
  }
  return spans;
}

// Stores a finished Run with spans of one name.
inline Run StoreRun(Store& store, Run run, const std::vector<Span>& spans = {},
                    const std::string& name = "frame") {
  auto writer = store.Begin(run);
  EXPECT_TRUE(writer) << writer.error().message;
  if (!spans.empty()) {
    writer->AddSpans(writer->SeriesId(SeriesKind::kSpan, name, ""), spans);
  }
  run.state = RunState::kDone;
  if (!run.end_reason) {
    run.end_reason = EndReason::kExited;
    run.exit_code = 0;
  }
  const auto finished = writer->Finish(run);
  EXPECT_TRUE(finished) << finished.error().message;
  return run;
}

}  // namespace edgewise

#endif  // EDGEWISE_TESTS_STORE_TEMP_HOME_H_

// Runs for tests, written to a store.
#ifndef EDGEWISE_TESTS_PROJECT_STORED_RUNS_H_
#define EDGEWISE_TESTS_PROJECT_STORED_RUNS_H_

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/text.h"
#include "store/store.h"

namespace edgewise {

// A finished Run of a command, begun `minute` minutes after a fixed time.
inline Run SomeRun(const std::string& id, const std::string& command,
                   int minute) {
  Run run;
  run.id = id;
  run.command = *ShellSplit(command);
  run.started_utc_ns = (1'794'765'600 + 60 * minute) * kNsPerSecond;
  run.state = RunState::kDone;
  run.end_reason = EndReason::kExited;
  run.exit_code = 0;
  run.totals.wall_s = 1;
  run.machine.hostname = "node";
  run.machine.cores = 2;
  return run;
}

// Stores it with `count` spans of each name, of 10 to 20 ms.
inline void Keep(Store& store, const Run& run,
                 const std::vector<std::string>& spans = {}, int count = 100) {
  auto writer = store.Begin(run);
  ASSERT_TRUE(writer.ok()) << writer.error().message;
  for (const std::string& name : spans) {
    std::vector<Span> records;
    for (int64_t i = 0; i < count; ++i) {
      const int64_t wall_ns = 10 * kNsPerMs + i * 7919 % 1000 * 10'000;
      records.push_back({i * 30 * kNsPerMs, wall_ns, wall_ns / 2, 1, 0});
    }
    writer->AddSpans(writer->SeriesId(SeriesKind::kSpan, name, ""), records);
  }
  ASSERT_TRUE(writer->Finish(run).ok());
}

}  // namespace edgewise

#endif  // EDGEWISE_TESTS_PROJECT_STORED_RUNS_H_

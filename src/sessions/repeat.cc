#include "sessions/repeat.h"

#include <random>

#include "base/units.h"
#include "sessions/outcome.h"

namespace edgewise {
namespace {

// The error, with a word on what is not lost.
Error Kept(const Error& error, size_t runs) {
  if (runs == 0) {
    return error;
  }
  return {error.code, error.message + " (" +
                          FormatCount(static_cast<int64_t>(runs), "Run") +
                          " made before it kept: edgewise list)"};
}

}  // namespace

Result<std::vector<Run>> RunRepeated(Store& store,
                                     const SessionSettings& settings, int count,
                                     const ProgressListener& progress) {
  SessionSettings one = settings;
  if (count > 1) {
    one.group = NewRunId();
  }
  std::vector<Run> runs;
  for (int i = 0; i < count; ++i) {
    one.repeat_index = i;
    one.run_number = i + 1;
    one.run_count = count;
    auto run = RunSession(store, one, progress);
    if (!run) {
      return Kept(run.error(), runs.size());
    }
    const bool cancelled = WasCancelled(*run);
    runs.push_back(std::move(*run));
    if (cancelled) {
      break;
    }
  }
  return runs;
}

Result<InterleavedRuns> RunInterleaved(Store& store, const SessionSettings& a,
                                       const SessionSettings& b, int count,
                                       uint64_t seed,
                                       const ProgressListener& progress) {
  SessionSettings sides[2] = {a, b};
  const std::string group = NewRunId();
  sides[0].group_role = "a";
  sides[1].group_role = "b";
  InterleavedRuns runs;
  std::mt19937_64 random(seed);
  for (int i = 0; i < count && !runs.cancelled; ++i) {
    const size_t first = random() % 2;
    std::vector<Run> pair(2);
    for (const size_t side : {first, 1 - first}) {
      sides[side].group = group;
      sides[side].repeat_index = i;
      sides[side].run_number = 2 * i + (side == first ? 1 : 2);
      sides[side].run_count = 2 * count;
      auto run = RunSession(store, sides[side], progress);
      if (!run) {
        return Kept(run.error(), 2 * runs.a.size());
      }
      runs.cancelled = runs.cancelled || WasCancelled(*run);
      pair[side] = std::move(*run);
      if (runs.cancelled) {
        break;
      }
    }
    // Half a pair says nothing about the other command.
    if (!runs.cancelled) {
      runs.a.push_back(std::move(pair[0]));
      runs.b.push_back(std::move(pair[1]));
    }
  }
  return runs;
}

}  // namespace edgewise

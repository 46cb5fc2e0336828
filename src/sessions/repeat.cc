#include "sessions/repeat.h"

#include <random>

namespace edgewise {

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
    auto run = RunSession(store, one, progress);
    if (!run) {
      return run.error();
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
      auto run = RunSession(store, sides[side], progress);
      if (!run) {
        return run.error();
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

#include "store/pooled_samples.h"

#include <algorithm>
#include <utility>

namespace edgewise {

Result<std::vector<SamplePool>> PoolSamples(const Store& store,
                                            std::span<const Run> runs) {
  std::vector<SamplePool> pools;
  for (const Run& run : runs) {
    auto all = store.SeriesOf(run.id);
    if (!all) {
      return all.error();
    }
    for (const SeriesInfo& series : *all) {
      if (!HasSamples(series)) {
        continue;
      }
      auto samples = LoadSamples(store, run, series);
      if (!samples) {
        return samples.error();
      }
      const auto same = [&](const SamplePool& pool) {
        return pool.name == samples->name &&
               pool.parts.front().are_jobs == samples->are_jobs;
      };
      auto pool = std::find_if(pools.begin(), pools.end(), same);
      if (pool == pools.end()) {
        pools.push_back({samples->name, {}});
        pool = pools.end() - 1;
      }
      pool->parts.push_back(std::move(*samples));
    }
  }
  return pools;
}

int64_t CountFailed(std::span<const Run> runs) {
  return std::count_if(runs.begin(), runs.end(), [](const Run& run) {
    if (run.state != RunState::kDone || !run.end_reason) {
      return run.kind != "import";
    }
    switch (*run.end_reason) {
      case EndReason::kExited:
        return run.exit_code.value_or(0) != 0;
      case EndReason::kDuration:
      case EndReason::kDetached:
        return false;
      default:
        return true;
    }
  });
}

}  // namespace edgewise

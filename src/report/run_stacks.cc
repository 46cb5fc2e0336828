#include "report/run_stacks.h"

#include <algorithm>
#include <utility>

namespace edgewise {

Error NoStacks(const Run& run) {
  for (const Unavailable& entry : run.unavailable) {
    if (entry.what == "stacks") {
      return {ErrorCode::kInvalid,
              "Run " + run.id + " has no stacks: " + entry.why};
    }
  }
  if (run.conditions.stack_hz) {
    return {ErrorCode::kInvalid,
            "Run " + run.id +
                " has no stacks: it used too little CPU time for a sample"};
  }
  return {ErrorCode::kInvalid,
          "Run " + run.id +
              " has no stacks; `edgewise run --stacks 99 -- COMMAND` samples "
              "them, `edgewise import perf-script FILE` reads them"};
}

Result<stacks::StackProfile> StacksOfRun(const Store& store, const Run& run) {
  auto profile = store.StacksOf(run.id);
  if (!profile) {
    return profile.error();
  }
  if (!*profile || (*profile)->counts.empty()) {
    return NoStacks(run);
  }
  return **std::move(profile);
}

void PathOf(const stacks::StackProfile& profile, int32_t node,
            std::vector<int32_t>* frames) {
  frames->clear();
  for (; node >= 0; node = profile.nodes[static_cast<size_t>(node)].parent) {
    frames->push_back(profile.nodes[static_cast<size_t>(node)].frame);
  }
  std::reverse(frames->begin(), frames->end());
}

Result<void> ExportCollapsed(const Store& store, const Run& run,
                             const stacks::CollapsedWriteOptions& options,
                             const TextSink& sink) {
  const auto profile = StacksOfRun(store, run);
  if (!profile) {
    return profile.error();
  }
  stacks::WriteCollapsed(*profile, options, sink);
  return {};
}

}  // namespace edgewise

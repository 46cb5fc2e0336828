#include "store/import_stacks.h"

namespace edgewise {

Result<Run> ImportStacks(Store& store, const stacks::StackProfile& profile,
                         const std::string& label, const std::string& note,
                         int64_t now_utc_ns) {
  Run run;
  run.id = NewRunId();
  run.kind = "import";
  run.label = label;
  run.note = note;
  run.started_utc_ns = now_utc_ns;
  run.unavailable.push_back({"wall time, CPU time and memory",
                             "a text of stacks does not have them"});
  auto writer = store.Begin(run);
  if (!writer) {
    return writer.error();
  }
  writer->SetStacks(profile);
  run.state = RunState::kDone;
  if (auto finished = writer->Finish(run); !finished) {
    return finished.error();
  }
  return run;
}

}  // namespace edgewise

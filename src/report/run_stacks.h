// The stacks of a Run, for what cannot do without.
#ifndef EDGEWISE_REPORT_RUN_STACKS_H_
#define EDGEWISE_REPORT_RUN_STACKS_H_

#include <string>
#include <vector>

#include "base/result.h"
#include "report/run_csv.h"
#include "stacks/collapsed.h"
#include "stacks/profile.h"
#include "store/run.h"
#include "store/store.h"

namespace edgewise {

// kInvalid, with the way to have some, for a Run without.
Result<stacks::StackProfile> StacksOfRun(const Store& store, const Run& run);

// The error of StacksOfRun.
Error NoStacks(const Run& run);

// The frames of a node, outermost first; none for -1.
void PathOf(const stacks::StackProfile& profile, int32_t node,
            std::vector<int32_t>* frames);

// `export --format collapsed`.
Result<void> ExportCollapsed(const Store& store, const Run& run,
                             const stacks::CollapsedWriteOptions& options,
                             const TextSink& sink);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_RUN_STACKS_H_

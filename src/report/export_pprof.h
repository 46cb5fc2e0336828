// A Run's stacks for `go tool pprof` and what else reads profile.proto.
#ifndef EDGEWISE_REPORT_EXPORT_PPROF_H_
#define EDGEWISE_REPORT_EXPORT_PPROF_H_

#include <string>

#include "base/result.h"
#include "report/run_csv.h"
#include "stacks/profile.h"
#include "store/run.h"
#include "store/store.h"

namespace edgewise {

// perftools.profiles.Profile, as gzip. Frames inlined into another share its
// location, as pprof has it; samples are labelled with thread and process.
Result<void> ExportPprof(const Store& store, const Run& run,
                         const TextSink& sink);

// The message before compression.
std::string PprofMessage(const stacks::StackProfile& profile, const Run& run);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_EXPORT_PPROF_H_

// A Run over time for chrome://tracing and https://ui.perfetto.dev.
#ifndef EDGEWISE_REPORT_EXPORT_CHROME_H_
#define EDGEWISE_REPORT_EXPORT_CHROME_H_

#include "base/result.h"
#include "report/run_csv.h"
#include "store/run.h"
#include "store/store.h"

namespace edgewise {

// Trace Event Format, as a JSON object: spans and jobs are complete slices
// ("X") of their threads, series are counters ("C"), names of processes and
// threads metadata ("M"). Times are microseconds from the Run's start. Handed
// over in pieces, block by block. kInvalid for a Run with none of these.
Result<void> ExportChrome(const Store& store, const Run& run,
                          const TextSink& sink);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_EXPORT_CHROME_H_

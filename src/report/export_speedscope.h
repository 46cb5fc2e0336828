// A Run's stacks for https://www.speedscope.app: one profile a thread.
#ifndef EDGEWISE_REPORT_EXPORT_SPEEDSCOPE_H_
#define EDGEWISE_REPORT_EXPORT_SPEEDSCOPE_H_

#include "base/result.h"
#include "report/run_csv.h"
#include "store/run.h"
#include "store/store.h"

namespace edgewise {

// The file format of speedscope (its "evented and sampled" JSON). Equal stacks
// of a thread are one sample with their weight: time order is not kept.
Result<void> ExportSpeedscope(const Store& store, const Run& run,
                              const TextSink& sink);

}  // namespace edgewise

#endif  // EDGEWISE_REPORT_EXPORT_SPEEDSCOPE_H_

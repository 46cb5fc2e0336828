// A Run as files of an archive: its document, its figures and its records.
#ifndef EDGEWISE_PROJECT_RUN_FILES_H_
#define EDGEWISE_PROJECT_RUN_FILES_H_

#include "base/result.h"
#include "project/deliverable.h"
#include "store/store.h"

namespace edgewise {

// Adds runs/ID/run.json, summary.csv and, if it has any, spans.csv and
// jobs.csv; unless they are there. Records that would make more than 64 MiB are
// left out, with a warning.
Result<void> AddRunFiles(const Store& store, const Run& run,
                         Deliverable* deliverable);

}  // namespace edgewise

#endif  // EDGEWISE_PROJECT_RUN_FILES_H_

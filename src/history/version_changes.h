// Each version of an app against the one before it.
#ifndef EDGEWISE_HISTORY_VERSION_CHANGES_H_
#define EDGEWISE_HISTORY_VERSION_CHANGES_H_

#include "base/result.h"
#include "history/history.h"

namespace edgewise {

// Sets `changes`, `compared` and `insufficient` of the line: of the totals that
// decide and of the spans, what an interval shows to have changed.
Result<void> CompareVersions(const Store& store, HistoryLine& line);

bool IsRegression(const VersionChange& change);

}  // namespace edgewise

#endif  // EDGEWISE_HISTORY_VERSION_CHANGES_H_

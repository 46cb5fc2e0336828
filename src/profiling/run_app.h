// RunApp: an app file to Runs.
//
// The room `profiling` knows in which order things are brought, started and
// ended for an app as it is shipped: dataset, companions, the app itself.
#ifndef EDGEWISE_PROFILING_RUN_APP_H_
#define EDGEWISE_PROFILING_RUN_APP_H_

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "appfile/app_file.h"
#include "base/result.h"
#include "datasets/dataset.h"
#include "sessions/session.h"

namespace edgewise {

struct AppRequest {
  AppFile app;
  // What the command line asks for; where it says something, it is taken
  // instead of what the file says.
  SessionSettings settings;
  std::string target;  // one only; empty: all
  int repeat = 1;
  DatasetSettings datasets;
  DatasetListener dataset_progress;
};

// The Runs of one target, in order.
struct TargetRuns {
  std::string target;
  std::vector<Run> runs;
};

// Runs every target, one after another. Ends early when the user cancels. Runs
// made before an error stay in the store. kUnsupported and kPermission: this
// machine cannot do it (no engine, no netem, a companion that fails); kNotFound
// and kInvalid: the file asks for what is not there.
Result<std::vector<TargetRuns>> RunApp(Store& store, const AppRequest& request,
                                       const ProgressListener& progress);

}  // namespace edgewise

#endif  // EDGEWISE_PROFILING_RUN_APP_H_

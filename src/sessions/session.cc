#include "sessions/session.h"

#include <utility>

#include "sessions/describe_run.h"
#include "sessions/hook.h"
#include "sessions/prepare_tree.h"
#include "sessions/session_state.h"

namespace edgewise {

Result<Run> Session::Execute() {
  cpu_before_ns_ = ProcessCpuNs();
  run_ = DescribeRun(settings_);
  if (!attached()) {
    auto tree = PrepareTree(store_.home(), settings_, signals_, &run_);
    if (!tree) {
      return tree.error();
    }
    guardian_.emplace(std::move(tree->guardian));
    cgroups_ = std::move(tree->cgroups);
    left_by_prepare_ = std::move(tree->left_by_prepare);
  }
  run_.started_utc_ns = UtcNs();
  run_.started_monotonic_ns = MonotonicNs();
  auto writer = store_.Begin(run_);
  if (!writer) {
    return writer.error();
  }
  writer_.emplace(std::move(*writer));
  const Result<void> started = attached() ? Attach() : Launch();
  if (started) {
    run_.started_monotonic_ns = start_ns_;
    Collect();
  }
  if (!started || launch_failed_) {
    // Nothing ran: there is nothing to keep.
    const Error error = started ? *failure_ : started.error();
    if (guardian_) {
      (void)RunHook(*guardian_, signals_, settings_, run_.id,
                    settings_.conditions.cleanup, "--cleanup");
    }
    recorder_.reset();
    writer_.reset();
    (void)store_.Remove(run_.id);
    return error;
  }
  return Conclude();
}

Result<Run> RunSession(Store& store, const SessionSettings& settings,
                       const ProgressListener& progress) {
  if (const Result<void> checked = CheckSettings(settings); !checked) {
    return checked.error();
  }
  RecoverStacks(store);
  Session session(store, settings, progress);
  auto run = session.Execute();
  if (!run && !session.exec_failed() &&
      (run.error().code == ErrorCode::kNotFound ||
       run.error().code == ErrorCode::kPermission)) {
    return Error{ErrorCode::kIo, run.error().message};
  }
  return run;
}

}  // namespace edgewise

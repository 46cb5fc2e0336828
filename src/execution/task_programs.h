// TaskPrograms: the programs of a plan's tasks, each in a session of its own,
// from their start until they wait for jobs, and to their end.
//
// Whatever happens to this process, the guardians of the sessions end the
// programs. The calling process must have no Store open.
#ifndef EDGEWISE_EXECUTION_TASK_PROGRAMS_H_
#define EDGEWISE_EXECUTION_TASK_PROGRAMS_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "execution/release_file.h"
#include "experiments/child_session.h"
#include "scheduling/plan.h"
#include "store/run.h"

namespace edgewise {

// Where a task's releases come from.
struct TaskChannel {
  ReleaseFile* file = nullptr;
  uint32_t slot = 0;
};

struct ProgramSettings {
  std::string group;
  std::string role;        // "planned", "naive"
  std::string experiment;  // "exec plan.yaml"
  bool naive = false;      // no cores, no limits: as the lab's runner
};

class TaskPrograms {
 public:
  // `channels`: one for each task; all must outlive this object.
  TaskPrograms(const Plan& plan, std::vector<TaskChannel> channels,
               std::filesystem::path home);

  // Starts all programs.
  Result<void> Start(const ProgramSettings& settings);
  // Waits until every program waits for its first job. `cancelled` is asked
  // now and then; true ends it with kBusy. The error says which program did
  // not, and what it wrote last.
  Result<void> AwaitReady(int64_t timeout_ns,
                          const std::function<bool()>& cancelled);
  // Takes what the sessions say. The first task whose program is over.
  std::optional<size_t> Poll(int timeout_ms);
  // Tells all programs that it is over, and waits; who does not listen is
  // ended after `grace_ns`.
  void Stop(int64_t grace_ns);

  // After the end: the Run of a task's program, empty if none was stored.
  std::string RunOf(size_t task) const;
  // Why a task's program ended by itself, as a sentence with its last output.
  // After Stop.
  Error EndOf(size_t task) const;
  // "; its last words: …", for the end of a sentence.
  std::string LastWordsOf(size_t task) const;

 private:
  SessionSettings SettingsOf(const PlannedTask& task, size_t index,
                             const ProgramSettings& settings) const;
  std::optional<Run> StoredRun(size_t task) const;

  const Plan& plan_;
  std::vector<TaskChannel> channels_;
  std::filesystem::path home_;
  std::vector<std::unique_ptr<ChildSession>> sessions_;
};

}  // namespace edgewise

#endif  // EDGEWISE_EXECUTION_TASK_PROGRAMS_H_

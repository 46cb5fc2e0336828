// Gives one running program the cores, class and limits that a plan has for
// it, each change journalled before it is made.
#ifndef EDGEWISE_EXECUTION_APPLY_PROGRAM_H_
#define EDGEWISE_EXECUTION_APPLY_PROGRAM_H_

#include <sys/types.h>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "controls/applied_journal.h"
#include "controls/thread_state.h"
#include "execution/applied_group.h"
#include "execution/running_program.h"
#include "scheduling/plan.h"

namespace edgewise {

struct AppliedChange {
  std::string task;
  pid_t pid = 0;
  std::string what;     // "cores 0-1 -> 0"
  std::string command;  // what a shell would say
};
using ChangeListener = std::function<void(const AppliedChange&)>;

// The journal must outlive it; without one nothing is changed, and the
// listener hears what would be.
class ProgramApplier {
 public:
  ProgramApplier(AppliedJournal* journal, bool with_cpusets,
                 ChangeListener listener)
      : journal_(journal),
        with_cpusets_(with_cpusets),
        listener_(std::move(listener)),
        earlier_(journal == nullptr ? 0 : journal->record().threads.size()) {}

  // What was refused and matters to the proof, as sentences; what matters less
  // goes to `notes`. An error only where the journal cannot be written.
  Result<std::vector<std::string>> Apply(const PlannedTask& task, pid_t pid,
                                         std::vector<std::string>* notes);

 private:
  // Makes the group and moves the program into it; `controller` says where it
  // was.
  Result<void> Enter(const AppliedGroup& group, const std::string& controller,
                     const PlannedTask& task, pid_t pid);
  Result<void> Note(const ProgramThread& thread, const ThreadState& state);
  Result<void> NoteThreads(pid_t pid);
  // errno of the kernel's answer; an error only if it could not be journalled.
  Result<int> SetThread(const PlannedTask& task, pid_t pid,
                        const ProgramThread& thread);
  Result<void> SetThreads(const PlannedTask& task, pid_t pid,
                          std::vector<std::string>* refused);
  void Tell(const PlannedTask& task, pid_t pid, std::string what,
            std::string command) const;

  AppliedJournal* journal_;
  bool with_cpusets_;
  ChangeListener listener_;
  size_t earlier_;  // threads that the journal knew from earlier applies
  std::map<pid_t, ThreadState> before_;  // of the program at hand, by thread
};

// The class that the task's threads get; nullopt: any ordinary one will do.
std::optional<SchedulingAttributes> AttributesFor(const PlannedTask& task);

}  // namespace edgewise

#endif  // EDGEWISE_EXECUTION_APPLY_PROGRAM_H_

// The job starter: makes a task of a program that knows nothing of edgewise.
// It waits for releases, starts the program once for each, and reports when it
// has ended.
//
// It is edgewise itself under a hidden word, so that it is there wherever
// edgewise is, and runs in the session of the task.
#ifndef EDGEWISE_EXECUTION_JOB_STARTER_H_
#define EDGEWISE_EXECUTION_JOB_STARTER_H_

#include <string>
#include <vector>

#include "scheduling/plan.h"

namespace edgewise {

// First argument of an edgewise that is a job starter.
inline constexpr char kJobStarterWord[] = "@each-job";

// What to run for a task of one process per job.
std::vector<std::string> JobStarterCommand(const PlannedTask& task);

// The life of a job starter; `arguments` are those after the word. Returns its
// exit code: 0 if it was told to end, else what the program answered when it
// failed (127, 126 where it cannot be started).
int RunJobStarter(const std::vector<std::string>& arguments);

}  // namespace edgewise

#endif  // EDGEWISE_EXECUTION_JOB_STARTER_H_

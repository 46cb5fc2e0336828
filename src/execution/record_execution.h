// An execution as a stored Run: the schedule, with the jobs of every task.
#ifndef EDGEWISE_EXECUTION_RECORD_EXECUTION_H_
#define EDGEWISE_EXECUTION_RECORD_EXECUTION_H_

#include <filesystem>
#include <string>

#include "base/result.h"
#include "execution/execution.h"

namespace edgewise {

// Stores it, and returns its id. Each task's jobs are a series of its name;
// "NAME stolen" has what was stolen from each of them, "NAME skipped" and "NAME
// unstarted" how many releases came to nothing (if any did), "core N steal" the
// kernel's count of stolen time where it rose, "dispatchers" what they cost,
// "realtime" whether such policies could be had.
// Times count from the first release. read_execution.h reads it back.
// Call it once all sessions of the execution are over.
Result<std::string> RecordExecution(const std::filesystem::path& home,
                                    const std::string& plan_name,
                                    const ExecutionTrace& trace,
                                    const Execution& execution);

}  // namespace edgewise

#endif  // EDGEWISE_EXECUTION_RECORD_EXECUTION_H_

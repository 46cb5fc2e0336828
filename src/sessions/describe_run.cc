#include "sessions/describe_run.h"

#include <cstdlib>
#include <string>

#include "base/text.h"
#include "probes/machine.h"
#include "store/store.h"

namespace edgewise {

Run DescribeRun(const SessionSettings& settings) {
  Run run;
  const bool attached = settings.attach_pid != 0;
  run.id = NewRunId();
  run.kind = attached ? "attach" : "run";
  run.group = settings.group;
  run.group_role = settings.group_role;
  run.experiment = settings.experiment;
  run.repeat_index = settings.repeat_index;
  run.label = settings.label;
  run.note = settings.note;
  run.details = settings.details;
  // A Run of a job of `edgewise serve` says so, and is found by that.
  if (const char* job = std::getenv("EDGEWISE_JOB"); job != nullptr) {
    run.details["job"] = job;
  }
  run.command = settings.command;
  run.conditions = settings.conditions;
  run.machine = ReadMachine();
  run.edgewise_version = EDGEWISE_VERSION;
  if (attached) {
    const std::string pid = std::to_string(settings.attach_pid);
    std::string line =
        TryReadFile("/proc/" + pid + "/cmdline").value_or(std::string());
    while (!line.empty() && line.back() == '\0') {
      line.pop_back();
    }
    if (line.empty()) {  // a kernel thread: as ps shows it
      line = TryReadFile("/proc/" + pid + "/comm").value_or(std::string());
      line = "[" + std::string(Trim(line)) + "]";
    }
    for (const std::string_view word : Split(line, '\0')) {
      run.command.emplace_back(word);
    }
  }
  return run;
}

}  // namespace edgewise

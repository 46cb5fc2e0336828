// Programs that run already: which process is meant, and what threads it has.
#ifndef EDGEWISE_EXECUTION_RUNNING_PROGRAM_H_
#define EDGEWISE_EXECUTION_RUNNING_PROGRAM_H_

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace edgewise {

// Whether a process with these words was started as `command`: the same words,
// of the first only the file's name if one of both has no folder or both
// name the same file.
bool IsCommand(const std::vector<std::string>& words,
               const std::vector<std::string>& command);

// Pids of processes that were started so, ascending; of a process and its own
// forks only the first. This process is never one. The root is for tests.
std::vector<pid_t> ProcessesRunning(
    const std::vector<std::string>& command,
    const std::filesystem::path& proc_root = "/proc");

struct ProgramThread {
  pid_t process = 0;
  pid_t thread = 0;
  uint64_t start_ticks = 0;  // tells a reused number
};

// All threads of the process and of its descendants; none if it is gone.
std::vector<ProgramThread> ThreadsOf(pid_t process);

// When the process or thread began, in ticks since boot; nullopt if it is gone.
std::optional<uint64_t> StartTicks(pid_t pid);

}  // namespace edgewise

#endif  // EDGEWISE_EXECUTION_RUNNING_PROGRAM_H_

// The guardian program, which is embedded in this library, and starting it.
#ifndef EDGEWISE_CONTROLS_GUARDIAN_PROGRAM_H_
#define EDGEWISE_CONTROLS_GUARDIAN_PROGRAM_H_

#include <sys/types.h>

#include <filesystem>

#include "base/result.h"
#include "base/unique_fd.h"

namespace edgewise {

struct GuardianProcess {
  pid_t pid = 0;  // a child of the caller, who waits for it
  UniqueFd command;
  UniqueFd event;
};

// Starts the guardian from memory; where the system forbids that, from a
// nameless file in `home` or the folder for temporary files. Its process group
// is its own, and the signals that end programs at a terminal do not reach it.
Result<GuardianProcess> StartGuardianProgram(const std::filesystem::path& home);

}  // namespace edgewise

#endif  // EDGEWISE_CONTROLS_GUARDIAN_PROGRAM_H_

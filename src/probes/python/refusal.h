// Why the memory of a process may not be read, and what would help.
#ifndef EDGEWISE_PROBES_PYTHON_REFUSAL_H_
#define EDGEWISE_PROBES_PYTHON_REFUSAL_H_

#include <sys/types.h>

#include <filesystem>
#include <string>

#include "base/result.h"

namespace edgewise::python {

// "process 12 (python3)".
std::string NameProcess(pid_t pid, const std::filesystem::path& proc_root);

// `code` is how the attempt ended. For kPermission the message names the
// setting (kernel.yama.ptrace_scope), the user or the capability in the way.
Error WhyRefused(pid_t pid, ErrorCode code,
                 const std::filesystem::path& proc_root);

}  // namespace edgewise::python

#endif  // EDGEWISE_PROBES_PYTHON_REFUSAL_H_

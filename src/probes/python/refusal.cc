#include "probes/python/refusal.h"

#include <unistd.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/text.h"

namespace edgewise::python {

std::string NameProcess(pid_t pid, const std::filesystem::path& proc_root) {
  const std::string number = std::to_string(pid);
  const std::string comm =
      TryReadFile(proc_root / number / "comm").value_or("");
  const std::string_view name = Trim(comm);
  return "process " + number +
         (name.empty() ? "" : " (" + std::string(name) + ")");
}

Error WhyRefused(pid_t pid, ErrorCode code,
                 const std::filesystem::path& proc_root) {
  const std::string who = NameProcess(pid, proc_root);
  if (code == ErrorCode::kNotFound) {
    return {code, who + " has ended."};
  }
  if (code != ErrorCode::kPermission) {
    return {code, "the memory of " + who + " cannot be read."};
  }
  const auto status = TryReadFile(proc_root / std::to_string(pid) / "status");
  const std::optional<int64_t> user =
      status ? FindKeyedInt(*status, "Uid") : std::nullopt;
  if (user && geteuid() != 0 && *user != static_cast<int64_t>(geteuid())) {
    return {code, who + " belongs to user " + std::to_string(*user) +
                      ": its Python functions can be told only by that user or "
                      "by root."};
  }
  const auto yama = TryReadFile(proc_root / "sys/kernel/yama/ptrace_scope");
  const int64_t scope = yama ? ParseInt(Trim(*yama)).value_or(0) : 0;
  if (scope > 0) {
    std::string help =
        scope >= 3 ? "3 stays until the machine is booted with another value."
        : geteuid() == 0
            ? "set it to 0, or grant CAP_SYS_PTRACE."
            : "set it to 0 (sysctl kernel.yama.ptrace_scope=0) or run as root.";
    return {code, "the Python functions of " + who +
                      " cannot be told because kernel.yama.ptrace_scope is " +
                      std::to_string(scope) + ": " + help};
  }
  return {code, who +
                    " has rights that this user lacks, or forbids to look into "
                    "it: its Python functions can be told only with "
                    "CAP_SYS_PTRACE (root has it outside of containers)."};
}

}  // namespace edgewise::python

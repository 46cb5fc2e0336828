#include "tenants/scratch_folder.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "base/text.h"

namespace edgewise::tenants {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "edgewise-tenants-";  // PID-XXXXXX

// Others may be at work at the same time: only those of the dead go.
void RemoveStale(const fs::path& root) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(root, ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kPrefix)) {
      continue;
    }
    const std::string rest = name.substr(kPrefix.size());
    const auto pid = ParseInt(rest.substr(0, rest.find('-')));
    if (pid && *pid > 0 && ::kill(static_cast<pid_t>(*pid), 0) != 0 &&
        errno == ESRCH) {
      std::error_code failed;
      fs::remove_all(entry.path(), failed);
    }
  }
}

}  // namespace

Result<ScratchFolder> ScratchFolder::Make(const fs::path& root) {
  RemoveStale(root);
  std::string name =
      (root / (std::string(kPrefix) + std::to_string(getpid()) + "-XXXXXX"))
          .string();
  if (::mkdtemp(name.data()) == nullptr) {
    return Error{ErrorCodeFromErrno(errno),
                 "no folder for logs can be made in " + root.string() + ": " +
                     ErrnoText()};
  }
  return ScratchFolder(name);
}

ScratchFolder::~ScratchFolder() {
  if (!path_.empty()) {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
}

}  // namespace edgewise::tenants

#include "live/own_process.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <vector>

#include "base/text.h"

namespace edgewise::live {

Result<void> MakeFolderOf(const std::string& socket_path) {
  const std::filesystem::path folder =
      std::filesystem::path(socket_path).parent_path();
  std::error_code error;
  if (folder.empty() || std::filesystem::exists(folder, error)) {
    return {};
  }
  if (!std::filesystem::create_directories(folder, error) || error ||
      chmod(folder.c_str(), 0755) != 0) {
    return Error{ErrorCode::kPermission,
                 "the folder " + folder.string() +
                     " cannot be made: start the agent as root, or choose "
                     "another place with --socket"};
  }
  return {};
}

void RaiseDescriptorLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 &&
      limit.rlim_cur < limit.rlim_max) {
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
  }
}

int64_t OwnRssBytes() {
  const auto statm = TryReadFile("/proc/self/statm");
  const auto fields =
      statm ? SplitFields(*statm) : std::vector<std::string_view>();
  const auto pages = fields.size() > 1 ? ParseInt(fields[1]) : std::nullopt;
  return pages.value_or(0) * sysconf(_SC_PAGESIZE);
}

}  // namespace edgewise::live

#include "jobs/folder_lock.h"

#include <sys/stat.h>

#include <cerrno>

#include "base/file_lock.h"

namespace edgewise {

namespace fs = std::filesystem;

Result<UniqueFd> HoldFolder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder.parent_path(), error);
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    return Error{ErrorCodeFromErrno(errno),
                 "cannot make the folder of jobs " + folder.string() + " (" +
                     ErrnoText() +
                     "): set EDGEWISE_HOME to a folder that you may write"};
  }
  auto lock = HoldFile(folder / "lock");
  if (!lock && lock.error().code == ErrorCode::kBusy) {
    return Error{ErrorCode::kBusy,
                 "another edgewise serve runs the jobs in " + folder.string() +
                     ": set EDGEWISE_HOME to another folder, or end it"};
  }
  return lock;
}

}  // namespace edgewise

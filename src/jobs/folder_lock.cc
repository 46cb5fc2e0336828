#include "jobs/folder_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>

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
  const fs::path file = folder / "lock";
  UniqueFd lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock.valid()) {
    return Error{ErrorCodeFromErrno(errno),
                 "cannot open " + file.string() + " (" + ErrnoText() + ")"};
  }
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    return Error{ErrorCode::kBusy,
                 "another edgewise serve runs the jobs in " + folder.string() +
                     ": set EDGEWISE_HOME to another folder, or end it"};
  }
  return lock;
}

}  // namespace edgewise

#include "base/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>

namespace edgewise {

Result<UniqueFd> HoldFile(const std::filesystem::path& file) {
  constexpr mode_t kOwn = 0600;
  UniqueFd lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kOwn));
  if (!lock.valid()) {
    return Error{ErrorCodeFromErrno(errno),
                 "cannot open " + file.string() + " (" + ErrnoText() + ")"};
  }
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
    return Error{ErrorCode::kBusy,
                 "another process holds " + file.string() + ": let it end"};
  }
  return lock;
}

}  // namespace edgewise

#include "base/result.h"

#include <cerrno>
#include <cstring>
#include <system_error>

namespace edgewise {

std::string ErrnoText(int errno_value) {
  return std::generic_category().message(errno_value);
}

std::string ErrnoText() { return ErrnoText(errno); }

ErrorCode ErrorCodeFromErrno(int errno_value) {
  switch (errno_value) {
    case EACCES:
    case EPERM:
    case EROFS:
      return ErrorCode::kPermission;
    case ENOENT:
    case ESRCH:
      return ErrorCode::kNotFound;
    case EINVAL:
      return ErrorCode::kInvalid;
    case ENOSYS:
    case EOPNOTSUPP:
    case ENODEV:
      return ErrorCode::kUnsupported;
    case EBUSY:
    case EAGAIN:
      return ErrorCode::kBusy;
    default:
      return ErrorCode::kIo;
  }
}

}  // namespace edgewise

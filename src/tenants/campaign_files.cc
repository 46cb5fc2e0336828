#include "tenants/campaign_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

#include "base/text.h"
#include "base/unique_fd.h"
#include "base/write_all.h"

namespace edgewise::tenants {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kMode = 0644;

Error CannotWrite(const fs::path& path, int error_number) {
  return {ErrorCodeFromErrno(error_number),
          path.string() + " cannot be written: " + ErrnoText(error_number)};
}

}  // namespace

Result<void> AppendLines(const fs::path& path, std::string_view header,
                         const std::string& lines) {
  const std::string before = TryReadFile(path).value_or("");
  const size_t whole = before.rfind('\n') + 1;  // npos + 1 is 0
  const UniqueFd fd(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, kMode));
  if (!fd.valid() || ::ftruncate(fd.get(), static_cast<off_t>(whole)) != 0 ||
      ::lseek(fd.get(), 0, SEEK_END) < 0) {
    return CannotWrite(path, errno);
  }
  const std::string text = (whole == 0 ? std::string(header) : "") + lines;
  if (const int failed = WriteAll(fd.get(), text); failed != 0) {
    return CannotWrite(path, failed);
  }
  return ::fsync(fd.get()) == 0 ? Result<void>() : CannotWrite(path, errno);
}

Result<void> CutFromLine(const fs::path& path, const std::string& begin) {
  const auto text = ReadFile(path);
  if (!text) {
    return text.error();
  }
  const size_t at = text->find("\n" + begin);
  if (at == std::string::npos) {
    return {};
  }
  return ::truncate(path.c_str(), static_cast<off_t>(at + 1)) == 0
             ? Result<void>()
             : CannotWrite(path, errno);
}

Result<void> ReplaceFile(const fs::path& path, std::string_view content) {
  const fs::path next = path.string() + ".new";
  int failed = 0;
  {
    const UniqueFd fd(
        ::open(next.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kMode));
    failed = fd.valid() ? WriteAll(fd.get(), content) : errno;
    if (failed == 0 && ::fsync(fd.get()) != 0) {
      failed = errno;
    }
  }
  if (failed == 0 && ::rename(next.c_str(), path.c_str()) != 0) {
    failed = errno;
  }
  if (failed != 0) {
    ::unlink(next.c_str());
    return CannotWrite(path, failed);
  }
  return {};
}

}  // namespace edgewise::tenants

#include "cli/output_file.h"

#include <cerrno>
#include <cstdio>

#include "cli/context.h"

namespace edgewise::cli {

Result<void> WriteOutput(const std::string& path, std::string_view text) {
  if (path == "-") {
    Print(text);
    return {};
  }
  const std::string partial = path + ".partial";
  const auto failed = [&path](int errno_value) {
    return Error{ErrorCodeFromErrno(errno_value),
                 "cannot write " + path + ": " + ErrnoText(errno_value)};
  };
  std::FILE* file = std::fopen(partial.c_str(), "w");
  if (file == nullptr) {
    return failed(errno);
  }
  errno = 0;
  bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  written = std::fclose(file) == 0 && written;
  if (!written || std::rename(partial.c_str(), path.c_str()) != 0) {
    const Error error = failed(errno);
    std::remove(partial.c_str());
    return error;
  }
  return {};
}

}  // namespace edgewise::cli

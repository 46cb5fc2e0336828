#include "datasets/record_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/text.h"
#include "base/unique_fd.h"
#include "base/write_all.h"

namespace edgewise {

namespace fs = std::filesystem;

std::optional<Record> ReadRecord(const fs::path& path) {
  const auto text = TryReadFile(path);
  if (!text) {
    return std::nullopt;
  }
  Record record;
  for (const std::string_view line : Split(*text, '\n')) {
    const size_t blank = line.find(' ');
    if (blank != std::string_view::npos && blank > 0) {
      record.emplace(line.substr(0, blank), line.substr(blank + 1));
    }
  }
  return record;
}

Result<void> WriteRecord(const fs::path& path, const Record& record) {
  std::string text;
  for (const auto& [name, value] : record) {
    std::string line = name + " " + value;
    std::replace(line.begin(), line.end(), '\n', ' ');
    text += line + "\n";
  }
  const std::string partial =
      path.string() + "." + std::to_string(::getpid()) + ".new";
  int failed = 0;
  {
    const UniqueFd file(::open(partial.c_str(),
                               O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    failed = file.valid() ? WriteAll(file.get(), text) : errno;
  }
  if (failed == 0 && ::rename(partial.c_str(), path.c_str()) != 0) {
    failed = errno;
  }
  if (failed != 0) {
    ::unlink(partial.c_str());
    return Error{ErrorCodeFromErrno(failed),
                 "cannot write " + path.string() + ": " + ErrnoText(failed)};
  }
  return {};
}

std::string ValueOf(const Record& record, const std::string& name) {
  const auto found = record.find(name);
  return found == record.end() ? "" : found->second;
}

std::optional<int64_t> NumberOf(const Record& record, const std::string& name) {
  return ParseInt(ValueOf(record, name));
}

}  // namespace edgewise

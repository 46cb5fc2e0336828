#include "probes/small_files.h"

#include <unistd.h>

#include <algorithm>

#include "base/text.h"

namespace edgewise {

std::string ReadName(const std::filesystem::path& path) {
  auto text = TryReadFile(path);
  if (!text) {
    return {};
  }
  std::erase(*text, '\0');
  return std::string(Trim(*text));
}

std::optional<int64_t> ReadNumber(const std::filesystem::path& path) {
  const auto text = TryReadFile(path);
  return text ? ParseInt(Trim(*text)) : std::nullopt;
}

bool Exists(const std::filesystem::path& path) {
  return ::access(path.c_str(), F_OK) == 0;
}

std::vector<std::filesystem::path> SortedEntries(
    const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> entries;
  std::error_code error;
  std::filesystem::directory_iterator at(folder, error);
  for (; !error && at != std::filesystem::directory_iterator();
       at.increment(error)) {
    entries.push_back(at->path());
  }
  std::sort(entries.begin(), entries.end());
  return entries;
}

std::optional<std::filesystem::path> FindProgram(const std::string& name,
                                                 const std::string& folders) {
  for (const std::string_view folder : Split(folders, ':')) {
    const auto program = std::filesystem::path(folder) / name;
    if (!folder.empty() && ::access(program.c_str(), X_OK) == 0) {
      return program;
    }
  }
  return std::nullopt;
}

}  // namespace edgewise

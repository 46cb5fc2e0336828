#include "datasets/entry_name.h"

#include <algorithm>

#include "base/text.h"

namespace edgewise {
namespace {

constexpr size_t kMaxName = 3000;  // leaves room for the folder's own path
constexpr size_t kMaxPart = 255;

Error Refused(std::string_view name, std::string_view why) {
  return {ErrorCode::kCorrupt,
          "\"" + std::string(name.substr(0, 200)) + "\" " + std::string(why)};
}

}  // namespace

Result<std::string> EntryName(std::string_view name) {
  if (name.empty() || name.find('\0') != std::string_view::npos) {
    return Refused(name, "is no name of a file");
  }
  if (name.front() == '/') {
    return Refused(name, "leads out of the dataset's folder");
  }
  if (name.size() > kMaxName) {
    return Refused(name, "is too long a name");
  }
  std::string path;
  for (const std::string_view part : Split(name, '/')) {
    if (part.empty() || part == ".") {
      continue;
    }
    if (part == "..") {
      return Refused(name, "leads out of the dataset's folder");
    }
    if (part.size() > kMaxPart) {
      return Refused(name, "is too long a name");
    }
    path += path.empty() ? "" : "/";
    path += part;
  }
  return path;
}

bool LinkStaysInside(std::string_view name, std::string_view target) {
  if (target.empty() || target.front() == '/' ||
      target.find('\0') != std::string_view::npos || target.size() > kMaxName) {
    return false;
  }
  // The folders that the link lies in are no links themselves.
  auto depth = std::count(name.begin(), name.end(), '/');
  bool down = false;
  for (const std::string_view part : Split(target, '/')) {
    if (part == "..") {
      if (down || --depth < 0) {
        return false;
      }
    } else if (!part.empty() && part != ".") {
      down = true;
    }
  }
  return true;
}

}  // namespace edgewise

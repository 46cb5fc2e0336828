#include "controls/network_namespace.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include "base/text.h"

namespace edgewise {
namespace {

namespace fs = std::filesystem;

constexpr char kOwn[] = "/proc/thread-self/ns/net";
constexpr std::string_view kStart = "net:[";

UniqueFd OpenFile(const fs::path& file) {
  return UniqueFd(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
}

// The number in "net:[4026531840]", by which files of a namespace are known.
std::optional<uint64_t> NumberOf(std::string_view name) {
  if (!name.starts_with(kStart) || !name.ends_with(']')) {
    return std::nullopt;
  }
  name.remove_prefix(kStart.size());
  name.remove_suffix(1);
  return ParseUint(name);
}

// Files of all namespaces are on one device, which has no others.
UniqueFd OpenIf(const fs::path& file, uint64_t number) {
  struct stat own {};
  struct stat other {};
  if (::stat(kOwn, &own) == 0 && ::stat(file.c_str(), &other) == 0 &&
      other.st_dev == own.st_dev && other.st_ino == number) {
    return OpenFile(file);
  }
  return UniqueFd();
}

}  // namespace

std::string CurrentNetworkNamespace() {
  std::error_code error;
  return fs::read_symlink(kOwn, error).string();
}

bool IsNetworkNamespaceName(std::string_view name) {
  return NumberOf(name).has_value();
}

bool IsHostNetworkNamespace() {
  std::error_code error;
  const fs::path first = fs::read_symlink("/proc/1/ns/net", error);
  return error || first == CurrentNetworkNamespace();
}

UniqueFd FindNetworkNamespace(const std::string& name) {
  if (name == CurrentNetworkNamespace()) {
    return OpenFile(kOwn);
  }
  const auto number = NumberOf(name);
  if (!number) {
    return UniqueFd();
  }
  std::error_code error;
  for (fs::directory_iterator entry("/run/netns", error), end;
       !error && entry != end; entry.increment(error)) {
    if (UniqueFd found = OpenIf(entry->path(), *number); found.valid()) {
      return found;
    }
  }
  error.clear();
  for (fs::directory_iterator entry("/proc", error), end;
       !error && entry != end; entry.increment(error)) {
    if (ParseUint(entry->path().filename().native())) {
      if (UniqueFd found = OpenIf(entry->path() / "ns/net", *number);
          found.valid()) {
        return found;
      }
    }
  }
  return UniqueFd();
}

InNetworkNamespace::InNetworkNamespace(int namespace_fd) {
  if (namespace_fd < 0) {
    return;
  }
  before_ = OpenFile(kOwn);
  if (!before_.valid() || ::setns(namespace_fd, CLONE_NEWNET) != 0) {
    error_ = errno;
    before_.reset();
  }
}

InNetworkNamespace::~InNetworkNamespace() {
  // What could be left can be gone back to; a thread in the wrong namespace
  // must not go on.
  if (before_.valid() && ::setns(before_.get(), CLONE_NEWNET) != 0) {
    std::abort();
  }
}

}  // namespace edgewise

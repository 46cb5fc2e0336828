#include "controls/launch_request.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "controls/guardian_protocol.h"

namespace edgewise {
namespace {

// Co-mounted controllers share a folder, which is entered once.
std::vector<std::string> DistinctFolders(const CgroupFolders& cgroups) {
  std::vector<std::string> folders;
  for (const auto* folder : {&cgroups.unified, &cgroups.cpu, &cgroups.cpuacct,
                             &cgroups.memory, &cgroups.blkio}) {
    if (!folder->empty() && std::find(folders.begin(), folders.end(),
                                      folder->string()) == folders.end()) {
      folders.push_back(folder->string());
    }
  }
  return folders;
}

Result<void> WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = write(fd, bytes.data(), bytes.size());
    if (put < 0 && errno != EINTR) {
      return Error{ErrorCodeFromErrno(errno),
                   "cannot hand the command to the guardian: " + ErrnoText()};
    }
    bytes.remove_prefix(static_cast<size_t>(std::max<ssize_t>(put, 0)));
  }
  return {};
}

}  // namespace

Result<UniqueFd> EncodeLaunchRequest(const LaunchRequest& request,
                                     const CgroupFolders& cgroups) {
  if (request.argv.empty()) {
    return Error{ErrorCode::kInvalid,
                 "there is no command to run: write it after --"};
  }
  const std::vector<std::string> folders =
      request.in_cgroup ? DistinctFolders(cgroups) : std::vector<std::string>();
  guardian::RequestHead head{};
  head.cpus = static_cast<uint32_t>(request.cpus.size());
  head.cgroups = static_cast<uint32_t>(folders.size());
  head.arguments = static_cast<uint32_t>(request.argv.size());
  head.environment = static_cast<uint32_t>(request.env.size());
  head.has_nice = request.nice.has_value();
  head.nice = request.nice.value_or(0);
  head.has_policy = request.policy.has_value();
  if (request.policy) {
    head.policy = request.policy->policy;
    head.priority = request.policy->priority;
  }
  head.counted = request.in_cgroup;

  std::string bytes(reinterpret_cast<const char*>(&head), sizeof(head));
  for (const int32_t cpu : request.cpus) {
    bytes.append(reinterpret_cast<const char*>(&cpu), sizeof(cpu));
  }
  for (const auto* list : {&folders, &request.argv, &request.env}) {
    for (const std::string& text : *list) {
      bytes.append(text.c_str(), text.size() + 1);
    }
  }
  bytes.append(request.cwd.c_str(), request.cwd.size() + 1);
  if (bytes.size() > guardian::kMaxRequestBytes) {
    return Error{ErrorCode::kInvalid,
                 "the command with its environment is larger than 64 MiB: "
                 "shorten it"};
  }
  UniqueFd fd(memfd_create("edgewise-request", MFD_CLOEXEC));
  if (!fd.valid()) {
    return Error{ErrorCodeFromErrno(errno),
                 "cannot make a memory file for the command: " + ErrnoText()};
  }
  if (auto written = WriteAll(fd.get(), bytes); !written) {
    return written.error();
  }
  return fd;
}

}  // namespace edgewise

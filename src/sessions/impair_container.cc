#include "sessions/impair_container.h"

#include <fcntl.h>
#include <net/if.h>
#include <sys/stat.h>

#include <string>
#include <string_view>

#include "base/unique_fd.h"
#include "controls/netem_queue.h"
#include "controls/network_namespace.h"
#include "impair/netem.h"

namespace edgewise {
namespace {

bool SameFile(int a, const char* path) {
  struct stat one {};
  struct stat other {};
  return ::fstat(a, &one) == 0 && ::stat(path, &other) == 0 &&
         one.st_ino == other.st_ino && one.st_dev == other.st_dev;
}

}  // namespace

Result<void> ImpairContainer(pid_t pid, const Impairment& impairment) {
  const std::string path = "/proc/" + std::to_string(pid) + "/ns/net";
  const UniqueFd inside(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!inside.valid()) {
    return Error{ErrorCodeFromErrno(errno),
                 "the container's network cannot be entered: " + ErrnoText()};
  }
  if (SameFile(inside.get(), "/proc/self/ns/net")) {
    return Error{ErrorCode::kInvalid,
                 "`network` would impair this whole machine, whose network the "
                 "container shares: leave one of them out"};
  }
  const InNetworkNamespace in(inside.get());
  if (in.error() != 0) {
    return Error{
        ErrorCodeFromErrno(in.error()),
        "the container's network cannot be entered: " + ErrnoText(in.error())};
  }
  int impaired = 0;
  int refusal = 0;
  struct if_nameindex* all = ::if_nameindex();
  for (const auto* each = all; each != nullptr && each->if_index != 0; ++each) {
    if (std::string_view(each->if_name) == "lo") {
      continue;
    }
    const int error = AddNetem(static_cast<int32_t>(each->if_index),
                               kLeastNetemHandle, NetemValuesFrom(impairment));
    impaired += error == 0 ? 1 : 0;
    refusal = error != 0 ? error : refusal;
  }
  ::if_freenameindex(all);
  if (refusal != 0) {
    return Error{ErrorCodeFromErrno(refusal),
                 "`network`: the container's interface takes no netem queue: " +
                     ErrnoText(refusal)};
  }
  if (impaired == 0) {
    return Error{ErrorCode::kInvalid,
                 "`network` has nothing to impair: the container has no "
                 "interface but loopback"};
  }
  return {};
}

}  // namespace edgewise

// Guardian::HoldNetem: see guardian.h.
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <vector>

#include "base/text.h"
#include "base/unique_fd.h"
#include "controls/guardian.h"
#include "controls/guardian_link.h"
#include "controls/guardian_state.h"
#include "controls/netem_queue.h"
#include "controls/network_namespace.h"

namespace edgewise {
namespace {

// Sessions have handles of their own (by FNV-1a), so that none removes another
// one's queue.
int32_t HandleFor(const std::string& id) {
  uint32_t hash = 2166136261u;
  for (const char letter : id) {
    hash = (hash ^ static_cast<unsigned char>(letter)) * 16777619u;
  }
  constexpr uint32_t kCount = kMostNetemHandle - kLeastNetemHandle + 1;
  return kLeastNetemHandle + static_cast<int32_t>(hash % kCount);
}

std::string InterfaceNames() {
  std::vector<std::string> names;
  struct if_nameindex* all = ::if_nameindex();
  for (const auto* each = all; each != nullptr && each->if_index != 0; ++each) {
    names.emplace_back(each->if_name);
  }
  ::if_freenameindex(all);
  return Join(names, ", ");
}

bool IsLoopback(const std::string& name) {
  const UniqueFd socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  ifreq request{};
  std::strncpy(request.ifr_name, name.c_str(), IFNAMSIZ - 1);
  return ::ioctl(socket.get(), SIOCGIFFLAGS, &request) != 0 ||
         (request.ifr_flags & IFF_LOOPBACK) != 0;
}

Error Explain(const std::string& interface, int error) {
  switch (error) {
    case EEXIST:
      return {ErrorCode::kBusy,
              interface +
                  " has a queue that somebody set, which could not be put "
                  "back: look with tc qdisc show dev " +
                  interface};
    case ENOENT:
      return {ErrorCode::kUnsupported,
              "this kernel has no netem: load it with modprobe sch_netem, or "
              "impair with the proxy"};
    case EPERM:
      return {ErrorCode::kPermission,
              "only root may give " + interface + " a netem queue"};
    default:
      return {
          ErrorCodeFromErrno(error),
          "cannot give " + interface + " a netem queue: " + ErrnoText(error)};
  }
}

}  // namespace

Result<void> Guardian::HoldNetem(const std::string& interface,
                                 const NetemValues& values) {
  const unsigned index =
      interface.size() < IFNAMSIZ ? ::if_nametoindex(interface.c_str()) : 0;
  if (index == 0) {
    return Error{ErrorCode::kInvalid, "there is no network interface \"" +
                                          interface + "\": choose from " +
                                          InterfaceNames()};
  }
  if (IsLoopback(interface) && IsHostNetworkNamespace()) {
    return Error{ErrorCode::kInvalid,
                 interface +
                     " is the loopback of this machine, on which all its "
                     "programs depend: name another interface, or leave it out "
                     "to impair one path alone"};
  }
  State& own = *state_;
  const JournalNetem netem{CurrentNetworkNamespace(),
                           static_cast<int32_t>(index),
                           HandleFor(own.record.id), interface};
  auto question = MakeCommand(guardian::Kind::kNetem, netem.interface,
                              std::to_string(netem.handle));
  if (!question) {
    return question.error();
  }
  if (auto added = AddNetemToJournal(own.journal, netem); !added) {
    return added;
  }
  own.record.netems.push_back(netem);
  const auto reply = own.Ask(*question);
  if (!reply) {
    return reply.error();
  }
  const int error = reply->error != 0
                        ? reply->error
                        : AddNetem(netem.interface, netem.handle, values);
  return error == 0 ? Result<void>() : Explain(interface, error);
}

}  // namespace edgewise

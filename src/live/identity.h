// AppIdentity: by what name an app is known, and where that comes from.
//
// What a process says of itself is a claim: it names the app, and never makes
// it another user's. Container and pod come from the kernel and the engine.
#ifndef EDGEWISE_LIVE_IDENTITY_H_
#define EDGEWISE_LIVE_IDENTITY_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace edgewise::live {

using Labels = std::vector<std::pair<std::string, std::string>>;

struct AppIdentity {
  std::string name;
  std::string instance;   // one of several of that name: "0", "1", …
  std::string container;  // its name, else the start of its id; or empty
  std::string pod;        // "namespace/name", else its uid; or empty
  Labels labels;          // as the app says; keys are unique and in order

  friend bool operator==(const AppIdentity&, const AppIdentity&) = default;
};

// What a process says of itself (client/ring_layout.h). Anything that makes no
// sense is left out.
struct ClaimedIdentity {
  std::string app;
  std::string instance;
  Labels labels;
  std::optional<int64_t> detached_ns;  // CLOCK_MONOTONIC
};
ClaimedIdentity ParseIdentity(std::string_view text);

// "a=b,c=d". Keys as Prometheus takes them for labels; those that edgewise
// sets itself, and more than 16, are left out.
Labels ParseLabels(std::string_view text);

// What a cgroup's path tells.
struct ContainerIds {
  std::string container;  // 64 hex digits; empty outside containers
  std::string pod;        // a Kubernetes uid; or empty
};
// Of the text of /proc/PID/cgroup: Docker, Podman, containerd and CRI-O, under
// cgroupfs and systemd.
ContainerIds ParseContainerIds(std::string_view cgroup);

// A name for a program from its command line (NUL-separated, as in
// /proc/PID/cmdline): the script's for interpreters, else the program's.
// Empty if there is none.
std::string NameFromCommand(std::string_view cmdline);

}  // namespace edgewise::live

#endif  // EDGEWISE_LIVE_IDENTITY_H_

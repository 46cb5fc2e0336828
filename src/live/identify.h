// Identifier: finds out who a process is, from what it says, its command, its
// cgroup and the engine.
#ifndef EDGEWISE_LIVE_IDENTIFY_H_
#define EDGEWISE_LIVE_IDENTIFY_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "live/engine.h"
#include "live/registry.h"
#include "probes/rings/ring_events.h"

namespace edgewise::live {

// Not thread-safe.
class Identifier {
 public:
  // `host_root` is where the files of engines and /proc are.
  explicit Identifier(std::filesystem::path host_root = "/")
      : host_root_(std::move(host_root)) {}

  // A client of the in-app library.
  Newcomer Identify(const RingClient& client);
  // A process of which only this is known.
  Newcomer Identify(int32_t pid, uint32_t uid);

 private:
  void AddContainer(int32_t pid, AppIdentity* identity);
  std::string CommandName(int32_t pid) const;

  std::filesystem::path host_root_;
  std::map<std::string, EngineNames> names_;  // by container id
};

}  // namespace edgewise::live

#endif  // EDGEWISE_LIVE_IDENTIFY_H_

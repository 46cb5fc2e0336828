// Registry: all apps of this node, from their first connection until some time
// after their end.
//
// Decides which app a process is. The labels of an app (name, instance,
// container, pod) are its own for as long as it is kept; a process can continue
// an app that is gone only if it is of the same user.
#ifndef EDGEWISE_LIVE_REGISTRY_H_
#define EDGEWISE_LIVE_REGISTRY_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "live/app.h"

namespace edgewise::live {

// A process that wants to be an app.
struct Newcomer {
  AppIdentity identity;  // instance: as claimed; or empty
  uint32_t uid = 0;
  int32_t pid = 0;
  std::optional<int64_t> detached_ns;  // it was without a collector since
};

// Not thread-safe.
class Registry {
 public:
  // How long an app is kept after its end.
  explicit Registry(int64_t keep_gone_ns = 60 * kNsPerSecond)
      : keep_gone_ns_(keep_gone_ns) {}

  // The app that the process is now: one that was gone and is back, or a new
  // one. Valid until it expires.
  LiveApp& Join(const Newcomer& newcomer, int64_t now_ns);
  // Its process has ended or closed its connection.
  void Leave(LiveApp& app, int64_t now_ns);
  // Forgets apps that have been gone for long enough.
  void Expire(int64_t now_ns);

  // In order of first appearance.
  const std::map<uint64_t, std::unique_ptr<LiveApp>>& apps() const {
    return apps_;
  }
  size_t alive_count() const;

 private:
  LiveApp* FindGone(const Newcomer& newcomer) const;
  // An instance's name that no app with these labels has.
  std::string FreeInstance(const AppIdentity& identity) const;
  bool IsTaken(const AppIdentity& identity) const;

  int64_t keep_gone_ns_;
  uint64_t next_id_ = 1;
  std::map<uint64_t, std::unique_ptr<LiveApp>> apps_;
  // Apps by what of their labels the instance does not tell apart.
  std::multimap<std::string, LiveApp*> by_group_;
};

// The app that `name` means: "NAME" if there is one of it, or "NAME/INSTANCE".
// The error says what there is.
Result<const LiveApp*> FindApp(const Registry& registry, std::string_view name);

}  // namespace edgewise::live

#endif  // EDGEWISE_LIVE_REGISTRY_H_

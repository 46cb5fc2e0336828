// Agent: collects from all apps of this node as they run, and hands out what it
// knows.
//
// The room `live` knows running apps: who they are, how they do, and how that
// is shown and exported. It changes nothing about them unless there are goals
// to keep (control_loop.h). One thread runs the loop; Snapshot() may be called
// from any.
#ifndef EDGEWISE_LIVE_AGENT_H_
#define EDGEWISE_LIVE_AGENT_H_

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "live/control_loop.h"
#include "live/snapshot.h"

namespace edgewise::live {

inline constexpr char kDefaultSocket[] = "/run/edgewise/agent.sock";
// Where an agent answers `top` and the like, beside the socket for apps.
std::string ControlSocketOf(const std::string& socket_path);

struct AgentSettings {
  std::string socket_path = kDefaultSocket;
  // Of the socket: everybody's for root, whose apps are; else one's own.
  std::optional<mode_t> socket_mode;
  std::string waggle_socket;    // empty: none
  std::filesystem::path cards;  // folder; empty: none
  std::filesystem::path host_root = "/";
  std::filesystem::path home;  // where a node without an id keeps one
  std::string version;
  int64_t keep_gone_ns = 60 * kNsPerSecond;
  int64_t drain_every_ns = kNsPerSecond / 10;
  int64_t sample_every_ns = kNsPerSecond;  // of each app; slower if many
  size_t most_clients = 4096;
  std::optional<ControlSettings> control;  // none: apps are only watched
};

class Agent {
 public:
  // Listens. kBusy: another agent does.
  static Result<std::unique_ptr<Agent>> Create(AgentSettings settings);
  ~Agent();

  // Collects until `stop_fd` is readable.
  void Run(int stop_fd);

  // Everything as it is now. Thread-safe.
  AgentSnapshot Snapshot(Intervals intervals = Intervals::kWith) const;
  // The last minutes of each metric; see recent_values.h. Thread-safe.
  std::string RecentJson() const;

 private:
  struct State;
  explicit Agent(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace edgewise::live

#endif  // EDGEWISE_LIVE_AGENT_H_

// ClusterWatch: the latest state of a cluster, kept fresh by a thread of its
// own, so that those who ask never wait for the monitoring.
#ifndef EDGEWISE_CLUSTER_CLUSTER_WATCH_H_
#define EDGEWISE_CLUSTER_CLUSTER_WATCH_H_

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "base/result.h"
#include "cluster/node_state.h"

namespace edgewise::cluster {

// What is known at a moment.
struct ClusterNow {
  std::shared_ptr<const ClusterState> state;  // null: never read
  double age_s = 0;                           // of the state
  // Why the latest reading failed; empty if it did not.
  std::string problem;
};

// Thread-safe.
class ClusterWatch {
 public:
  using Reader = std::function<Result<ClusterState>()>;

  // Reads once before it returns, then every `pause` from its thread.
  ClusterWatch(Reader reader, std::chrono::milliseconds pause);
  ~ClusterWatch();
  ClusterWatch(const ClusterWatch&) = delete;
  ClusterWatch& operator=(const ClusterWatch&) = delete;

  ClusterNow Now() const;
  uint64_t readings() const;
  uint64_t failures() const;

 private:
  void Read();
  void Watch();

  const Reader reader_;
  const std::chrono::milliseconds pause_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::shared_ptr<const ClusterState> state_;
  std::string problem_;
  uint64_t readings_ = 0;
  uint64_t failures_ = 0;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace edgewise::cluster

#endif  // EDGEWISE_CLUSTER_CLUSTER_WATCH_H_

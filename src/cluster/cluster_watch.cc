#include "cluster/cluster_watch.h"

#include "base/clock.h"

namespace edgewise::cluster {

ClusterWatch::ClusterWatch(Reader reader, std::chrono::milliseconds pause)
    : reader_(std::move(reader)), pause_(pause) {
  Read();
  thread_ = std::thread([this] { Watch(); });
}

ClusterWatch::~ClusterWatch() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

ClusterNow ClusterWatch::Now() const {
  const std::lock_guard lock(mutex_);
  ClusterNow now;
  now.state = state_;
  now.problem = problem_;
  if (state_ != nullptr) {
    now.age_s = static_cast<double>(MonotonicNs() - state_->taken_ns) * 1e-9;
  }
  return now;
}

uint64_t ClusterWatch::readings() const {
  const std::lock_guard lock(mutex_);
  return readings_;
}

uint64_t ClusterWatch::failures() const {
  const std::lock_guard lock(mutex_);
  return failures_;
}

void ClusterWatch::Read() {
  auto state = reader_();
  const std::lock_guard lock(mutex_);
  ++readings_;
  if (!state) {
    ++failures_;
    problem_ = state.error().message;
    return;
  }
  state->generation = readings_;
  state_ = std::make_shared<const ClusterState>(std::move(*state));
  problem_.clear();
}

void ClusterWatch::Watch() {
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, pause_, [this] { return stopping_; })) {
    lock.unlock();
    Read();
    lock.lock();
  }
}

}  // namespace edgewise::cluster

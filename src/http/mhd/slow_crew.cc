#include "http/mhd/slow_crew.h"

namespace edgewise::http {

bool SlowCrew::Do(std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    if (finishing_ || waiting_.size() >= queue_limit_) {
      return false;
    }
    while (static_cast<int>(threads_.size()) < thread_count_) {
      threads_.emplace_back([this] { Work(); });
    }
    waiting_.push_back(std::move(work));
  }
  changed_.notify_one();
  return true;
}

void SlowCrew::Finish() {
  {
    const std::lock_guard lock(mutex_);
    finishing_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) {
    if (thread.joinable()) {
      thread.join();
    }
  }
}

void SlowCrew::Work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return finishing_ || !waiting_.empty(); });
    if (waiting_.empty()) {
      return;
    }
    const std::function<void()> work = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    work();
    lock.lock();
  }
}

}  // namespace edgewise::http

#include "load/crew.h"

#include <cassert>
#include <cstdint>

namespace edgewise::apps {

Crew::Crew(int threads) {
  assert(threads >= 1);
  for (int worker = 1; worker < threads; ++worker) {
    others_.emplace_back([this, worker] { Serve(worker); });
  }
}

Crew::~Crew() {
  {
    const std::lock_guard lock(mutex_);
    leave_ = true;
  }
  begin_.notify_all();
  for (std::thread& thread : others_) {
    thread.join();
  }
}

void Crew::Share(int count, const Body& body) {
  {
    const std::lock_guard lock(mutex_);
    body_ = &body;
    count_ = count;
    busy_ = static_cast<int>(others_.size());
    ++round_;
  }
  begin_.notify_all();
  WorkOnSlice(0);
  std::unique_lock lock(mutex_);
  end_.wait(lock, [this] { return busy_ == 0; });
}

void Crew::Serve(int worker) {
  int seen = 0;
  std::unique_lock lock(mutex_);
  while (true) {
    begin_.wait(lock, [&] { return leave_ || round_ != seen; });
    if (leave_) {
      return;
    }
    seen = round_;
    lock.unlock();
    WorkOnSlice(worker);
    lock.lock();
    if (--busy_ == 0) {
      end_.notify_one();
    }
  }
}

// Unlocked: the fields change only between rounds.
void Crew::WorkOnSlice(int worker) const {
  const int64_t count = count_;
  const int first = static_cast<int>(count * worker / size());
  const int last = static_cast<int>(count * (worker + 1) / size());
  if (first < last) {
    (*body_)(first, last, worker);
  }
}

}  // namespace edgewise::apps

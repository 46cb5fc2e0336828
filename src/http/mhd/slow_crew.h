// SlowCrew: threads for requests whose handlers take their time.
#ifndef EDGEWISE_HTTP_MHD_SLOW_CREW_H_
#define EDGEWISE_HTTP_MHD_SLOW_CREW_H_

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace edgewise::http {

// Thread-safe. Threads start with the first piece of work.
class SlowCrew {
 public:
  SlowCrew(int threads, size_t queue_limit)
      : thread_count_(threads), queue_limit_(queue_limit) {}
  ~SlowCrew() { Finish(); }
  SlowCrew(const SlowCrew&) = delete;
  SlowCrew& operator=(const SlowCrew&) = delete;

  // False if too much is waiting, or it has finished.
  bool Do(std::function<void()> work);
  // Does what is waiting and returns when all is done; no more is taken.
  void Finish();

 private:
  void Work();

  const int thread_count_;
  const size_t queue_limit_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> waiting_;
  bool finishing_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace edgewise::http

#endif  // EDGEWISE_HTTP_MHD_SLOW_CREW_H_

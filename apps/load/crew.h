// Threads that share the work of one item.
#ifndef EDGEWISE_APPS_LOAD_CREW_H_
#define EDGEWISE_APPS_LOAD_CREW_H_

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace edgewise::apps {

// The caller is one of the crew; the others wait between calls. What each
// does depends only on its number and the count, so results do not depend on
// timing. Not for use by several callers at a time.
class Crew {
 public:
  explicit Crew(int threads);  // >= 1
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  int size() const { return static_cast<int>(others_.size()) + 1; }

  // Calls body(first, last, worker) for slices of [0, count), worker being 0
  // to size() - 1, and returns when all are done. `body` must not throw.
  using Body = std::function<void(int first, int last, int worker)>;
  void Share(int count, const Body& body);

 private:
  void Serve(int worker);
  void WorkOnSlice(int worker) const;

  std::mutex mutex_;
  std::condition_variable begin_;
  std::condition_variable end_;
  const Body* body_ = nullptr;
  int count_ = 0;
  int round_ = 0;  // which call of Share this is
  int busy_ = 0;   // others that have not finished the round
  bool leave_ = false;
  std::vector<std::thread> others_;
};

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_LOAD_CREW_H_

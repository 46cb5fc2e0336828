// WaitingLine: requests of one replica, from when they arrive to when their
// service begins.
//
// Who finds the replica free does not wait: its service begins when it arrives,
// even if the replica wakes up somewhat later. Arrivals are known in advance
// and happen whether or not anybody looks: a replica that was busy finds all
// that came meanwhile, each with its own time. So no slow answer can delay a
// later arrival, and nobody but the replica needs to run for requests to
// arrive. Not thread-safe.
#ifndef EDGEWISE_APPS_TENANT_WAITING_LINE_H_
#define EDGEWISE_APPS_TENANT_WAITING_LINE_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>

namespace edgewise::apps {

struct Request {
  uint64_t number = 0;
  int64_t arrival_ns = 0;
  std::optional<int64_t> interarrival_ns;  // nullopt: the first
  int queue_length = 0;                    // it found so many waiting
};

class WaitingLine {
 public:
  // When the next request arrives, never before the one before; nullopt: no
  // more come.
  using Source = std::function<std::optional<int64_t>()>;
  using Dropped = std::function<void(const Request&)>;

  // `capacity` requests may wait; what arrives beyond is dropped.
  WaitingLine(Source source, int capacity, Dropped dropped);

  // Lets all arrive that come up to that time.
  void AdmitUntil(int64_t now_ns);
  // The one to be served next, which makes the replica busy; nullopt if nobody
  // has come. Only while it is free.
  std::optional<Request> Serve();
  // The replica is free again; who arrived before found it busy.
  void Finish(int64_t now_ns);
  // What is left at the end, one after another.
  std::optional<Request> TakeLeft();
  std::optional<int64_t> NextArrivalNs() const { return next_ns_; }
  int64_t arrived() const { return static_cast<int64_t>(arrived_); }

 private:
  Source source_;
  size_t capacity_;
  Dropped dropped_;
  std::optional<int64_t> next_ns_;
  std::optional<int64_t> last_ns_;
  uint64_t arrived_ = 0;
  bool busy_ = false;
  std::optional<Request> called_;  // the replica is free for it
  std::deque<Request> waiting_;
};

// Gaps are exponential; from `begin_ns` on, without end unless `most` is given.
WaitingLine::Source PoissonArrivals(double rate_per_s, uint64_t seed,
                                    int64_t begin_ns,
                                    std::optional<int64_t> most);

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_TENANT_WAITING_LINE_H_

// Traffic: how many requests each route answered, how, and how fast.
//
// Counted by the server's threads, read by any; figures of one reading may be
// a request apart from each other.
#ifndef EDGEWISE_HTTP_TRAFFIC_H_
#define EDGEWISE_HTTP_TRAFFIC_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace edgewise::http {

// Upper bounds of the classes in which times are counted; one more class holds
// the rest.
inline constexpr std::array<double, 10> kTimeBounds_s = {
    0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10};

struct RouteTraffic {
  std::vector<std::pair<int, uint64_t>> by_status;  // ascending, without zeros
  std::array<uint64_t, kTimeBounds_s.size() + 1> by_time{};
  double time_s = 0;
};

class Traffic {
 public:
  explicit Traffic(size_t routes);

  void Count(size_t route, int status, int64_t time_ns);
  RouteTraffic Of(size_t route) const;

  // Now, not in total.
  std::atomic<int64_t> connections{0};
  std::atomic<int64_t> requests{0};
  std::atomic<int64_t> streams{0};
  // In total.
  std::atomic<uint64_t> unmatched{0};  // no route: 404 and 405
  std::atomic<uint64_t> cut{0};        // connections ended for idling

 private:
  static constexpr int kFirstStatus = 100;
  static constexpr int kStatuses = 500;
  struct Counts {
    std::array<std::atomic<uint64_t>, kStatuses> by_status{};
    std::array<std::atomic<uint64_t>, kTimeBounds_s.size() + 1> by_time{};
    std::atomic<int64_t> time_ns{0};
  };
  std::vector<std::unique_ptr<Counts>> routes_;
};

}  // namespace edgewise::http

#endif  // EDGEWISE_HTTP_TRAFFIC_H_

// RoleRecords: what a role counts, recorded through the in-app library twice a
// second, with its own CPU time and memory.
//
// Counting is an atomic addition, so that a message costs no record each.
#ifndef EDGEWISE_MQTT_ROLE_RECORDS_H_
#define EDGEWISE_MQTT_ROLE_RECORDS_H_

#include <sys/types.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace edgewise::mqtt {

class RoleRecords {
 public:
  using Count = std::atomic<int64_t>;

  // Starts to watch its own process under that name.
  explicit RoleRecords(std::string_view name);
  ~RoleRecords() { Finish(); }
  RoleRecords(const RoleRecords&) = delete;
  RoleRecords& operator=(const RoleRecords&) = delete;

  // A counter, from 0. Valid as long as this object. Before Start.
  Count& Counter(const std::string& name);
  // Read twice a second. Before Start.
  void Gauge(const std::string& name, std::function<double()> read);
  // Another process beside this one, under its own name. Any time.
  void Watch(std::string_view name, pid_t pid);

  void Start();
  // Records all a last time.
  void Finish();

 private:
  struct Counted {
    uint32_t name;
    Count count{0};
    int64_t told = 0;
  };
  struct Gauged {
    uint32_t name;
    std::function<double()> read;
  };
  struct Watched {
    pid_t pid;
    uint32_t cpu_name;
    uint32_t memory_name;
    int64_t told_us = 0;
    bool seen = false;
  };

  void Tell();

  std::deque<Counted> counters_;
  std::vector<Gauged> gauges_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Watched> watched_;
  bool leaving_ = false;
  std::thread thread_;
};

}  // namespace edgewise::mqtt

#endif  // EDGEWISE_MQTT_ROLE_RECORDS_H_

// Pusher: sends the metrics to a Pushgateway, for nodes that cannot be scraped.
#ifndef EDGEWISE_LIVE_PUSH_H_
#define EDGEWISE_LIVE_PUSH_H_

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "base/result.h"

namespace edgewise::live {

struct PushSettings {
  std::string url;  // of the Pushgateway, e.g. "http://gateway:9091"
  std::string job = "edgewise";
  std::string instance;  // the node's name
  int64_t every_ns = 0;
};

// Where the metrics go: URL/metrics/job/JOB/instance/INSTANCE. kInvalid: the
// URL is none.
Result<std::string> PushUrl(const PushSettings& settings);

// Pushes from a thread of its own until it is destroyed, and takes back what it
// pushed at the end. A gateway that is away costs nothing but its figures: the
// next push is tried in time.
class Pusher {
 public:
  // `metrics` makes the text to push (format 0.0.4) and is called from the
  // thread; `report` is told when pushing begins to fail, and to work again.
  static Result<std::unique_ptr<Pusher>> Start(
      const PushSettings& settings, std::function<std::string()> metrics,
      std::function<void(const std::string&)> report);
  ~Pusher();
  Pusher(const Pusher&) = delete;
  Pusher& operator=(const Pusher&) = delete;

 private:
  Pusher(std::string url, int64_t every_ns,
         std::function<std::string()> metrics,
         std::function<void(const std::string&)> report);
  void Run();
  bool WaitForTurn();

  std::string url_;
  int64_t every_ns_;
  std::function<std::string()> metrics_;
  std::function<void(const std::string&)> report_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace edgewise::live

#endif  // EDGEWISE_LIVE_PUSH_H_

// Publishes the sensor's own input, at the times that were asked for: whole
// numbers, which name synthetic input.
#ifndef EDGEWISE_APPS_SENSOR_FEEDER_H_
#define EDGEWISE_APPS_SENSOR_FEEDER_H_

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "base/result.h"
#include "load/options.h"
#include "sensor/broker.h"

namespace edgewise::apps {

// With a thread and a connection of its own, so that slow work does not hold
// it up.
class Feeder {
 public:
  // Starts at once; `broker` is one that nobody else uses.
  Feeder(std::unique_ptr<Broker> broker, std::string topic,
         const LoadOptions& options);
  ~Feeder();
  Feeder(const Feeder&) = delete;
  Feeder& operator=(const Feeder&) = delete;

  // When a message that was fed was meant to come; nullopt for others'.
  std::optional<int64_t> IntendedNs(std::string_view payload);
  // Why it stopped feeding too early; nullopt if it did not.
  std::optional<Error> error();

 private:
  void Feed();

  const std::unique_ptr<Broker> broker_;
  const std::string topic_;
  const LoadOptions options_;
  std::atomic<bool> leave_ = false;
  std::mutex mutex_;
  std::map<uint64_t, int64_t> intended_ns_;
  std::optional<Error> error_;
  std::thread thread_;  // last: it uses the others
};

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_SENSOR_FEEDER_H_

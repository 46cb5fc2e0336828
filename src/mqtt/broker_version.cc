#include "mqtt/broker_version.h"

#include <mutex>

#include "base/clock.h"
#include "mqtt/station.h"

namespace edgewise::mqtt {
namespace {

constexpr char kTopic[] = "$SYS/broker/version";
constexpr int64_t kPatienceNs = 500 * kNsPerMs;
constexpr size_t kMostBytes = 100;

}  // namespace

Result<std::string> AskBroker(const PipelineSettings& settings,
                              RoleControl& control, RoleRecords& records) {
  std::mutex mutex;
  std::string version;
  Station station(settings, "conductor", control, records);
  StationEvents events;
  events.message = [&](const Received& message) {
    if (message.topic == kTopic) {
      {
        const std::lock_guard lock(mutex);
        version = message.payload.substr(0, kMostBytes);
      }
      control.Wake();
    }
  };
  if (const auto connected = station.Connect(std::move(events)); !connected) {
    return connected.error();
  }
  // A broker may well forbid it.
  if (station.transport().Subscribe(kTopic, 0)) {
    control.WaitUntil(MonotonicNs() + kPatienceNs, [&] {
      const std::lock_guard lock(mutex);
      return !version.empty();
    });
  }
  station.Disconnect();
  return version;
}

}  // namespace edgewise::mqtt

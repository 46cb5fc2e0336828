// A connection to an MQTT broker, through Eclipse Paho.
#ifndef EDGEWISE_APPS_SENSOR_BROKER_H_
#define EDGEWISE_APPS_SENSOR_BROKER_H_

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/result.h"

namespace edgewise::apps {

struct Message {
  std::string payload;
  int64_t arrival_ns = 0;  // CLOCK_MONOTONIC
};

struct BrokerSettings {
  std::string address = "tcp://127.0.0.1:1883";
  std::string client_id;  // unique at the broker
  int qos = 1;
};

// Messages are stamped and queued as they arrive, by a thread of Paho's; they
// are taken and answered by one thread of the app.
class Broker {
 public:
  // The error says which broker does not answer.
  static Result<std::unique_ptr<Broker>> Connect(BrokerSettings settings);
  ~Broker();
  Broker(const Broker&) = delete;
  Broker& operator=(const Broker&) = delete;

  Result<void> Subscribe(const std::string& topic);

  // The next message; nullopt if none came within about a tenth of a second.
  // Connects again where the connection was lost.
  std::optional<Message> Wait();

  // Returns when the broker has it, as far as the quality of service tells.
  Result<void> Publish(const std::string& topic, std::string_view payload);

  // Messages that came while too many were waiting.
  int64_t dropped() const;

 private:
  explicit Broker(BrokerSettings settings) : settings_(std::move(settings)) {}
  Result<void> Connect();
  void TryAgain();
  void Arrived(std::string payload);
  void Delivered(int token);

  // Callbacks for Paho, declared where its types are known.
  struct Callbacks;

  const BrokerSettings settings_;
  std::string topic_;       // what was subscribed to; empty: nothing
  void* handle_ = nullptr;  // an MQTTClient

  mutable std::mutex mutex_;
  std::condition_variable changed_;  // one of the next two
  std::deque<Message> inbox_;
  std::set<int> delivered_;  // tokens of messages that the broker has
  int64_t dropped_ = 0;
};

}  // namespace edgewise::apps

#endif  // EDGEWISE_APPS_SENSOR_BROKER_H_

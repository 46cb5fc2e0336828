// PahoTransport: Transport through the synchronous client of Eclipse Paho C.
//
// Its publish call writes to the socket itself, where Paho's asynchronous
// client and the C++ library hand each message to another thread first
// (docs/decisions/0009-mqtt.md has the figures).
#ifndef EDGEWISE_MQTT_PAHO_PAHO_TRANSPORT_H_
#define EDGEWISE_MQTT_PAHO_PAHO_TRANSPORT_H_

#include <MQTTClient.h>

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "mqtt/paho/acknowledgements.h"
#include "mqtt/transport.h"

namespace edgewise::mqtt {

class PahoTransport : public Transport {
 public:
  PahoTransport(TransportSettings settings, TransportEvents& events);
  ~PahoTransport() override;

  Result<void> Connect() override;
  Result<void> Subscribe(const std::string& topic, int qos) override;
  Result<void> Publish(const std::string& topic, std::string_view payload,
                       int qos, uint64_t cookie) override;
  bool HasRoom(size_t bytes) const override;
  bool connected() const override { return up_; }
  int in_flight() const override { return in_flight_; }
  ConnectionFacts facts() const override;
  void Disconnect() override;

 private:
  struct Callbacks;

  bool v5() const { return settings_.version == Version::k5; }
  // 0, or Paho's or the broker's code.
  int TryConnect(bool clean);
  int TrySubscribe(const std::string& topic, int qos);
  // Reads what can be known of a new connection.
  void Look();
  void TellAnswer(const Answer& answer);
  void WentDown();
  // The keeper's thread: connects again.
  void Keep();

  const TransportSettings settings_;
  TransportEvents& events_;
  MQTTClient handle_ = nullptr;
  Acknowledgements acknowledgements_;
  std::atomic<bool> up_ = false;
  std::atomic<int> in_flight_ = 0;
  std::atomic<int> window_;
  std::atomic<int> socket_ = -1;  // Paho's; -1: not found

  mutable std::mutex mutex_;
  std::condition_variable changed_;  // went down, or leaving
  bool leaving_ = false;
  std::map<std::string, int> subscriptions_;
  ConnectionFacts facts_;
  std::thread keeper_;
};

}  // namespace edgewise::mqtt

#endif  // EDGEWISE_MQTT_PAHO_PAHO_TRANSPORT_H_

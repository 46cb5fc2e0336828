#include "sensor/broker.h"

#include <MQTTClient.h>

#include <chrono>

#include "base/clock.h"
#include "load/stop.h"

namespace edgewise::apps {
namespace {

constexpr auto kPatience = std::chrono::milliseconds(100);
constexpr int64_t kRetryNs = kNsPerSecond;
constexpr int kConnectTimeoutS = 5;
constexpr auto kAnswerPatience = std::chrono::seconds(10);
constexpr int kDisconnectTimeoutMs = 1'000;
constexpr size_t kMostWaiting = 10'000;

std::string Reason(int code) {
  const char* text = MQTTClient_strerror(code);
  return text != nullptr ? text : "code " + std::to_string(code);
}

}  // namespace

struct Broker::Callbacks {
  static int Arrived(void* context, char* topic, int /*topic_bytes*/,
                     MQTTClient_message* message) {
    static_cast<Broker*>(context)->Arrived(
        {static_cast<const char*>(message->payload),
         static_cast<size_t>(message->payloadlen)});
    MQTTClient_freeMessage(&message);
    MQTTClient_free(topic);
    return 1;
  }
  static void Delivered(void* context, MQTTClient_deliveryToken token) {
    static_cast<Broker*>(context)->Delivered(token);
  }
  // Wait() looks for itself whether there is a connection.
  static void Lost(void*, char*) {}
};

Result<std::unique_ptr<Broker>> Broker::Connect(BrokerSettings settings) {
  std::unique_ptr<Broker> broker(new Broker(std::move(settings)));
  const BrokerSettings& known = broker->settings_;
  // Paho takes an address without a scheme for a host's name.
  const int failed =
      known.address.find("://") == std::string::npos
          ? MQTTCLIENT_BAD_PROTOCOL
          : MQTTClient_create(&broker->handle_, known.address.c_str(),
                              known.client_id.c_str(),
                              MQTTCLIENT_PERSISTENCE_NONE, nullptr);
  if (failed != MQTTCLIENT_SUCCESS) {
    broker->handle_ = nullptr;
    return Error{ErrorCode::kInvalid, "--broker: \"" + known.address +
                                          "\" is no address of a broker (" +
                                          Reason(failed) +
                                          "); write it as tcp://HOST:PORT"};
  }
  MQTTClient_setCallbacks(broker->handle_, broker.get(), Callbacks::Lost,
                          Callbacks::Arrived, Callbacks::Delivered);
  if (const auto connected = broker->Connect(); !connected) {
    return connected.error();
  }
  return broker;
}

Broker::~Broker() {
  if (handle_ != nullptr) {
    MQTTClient_disconnect(handle_, kDisconnectTimeoutMs);
    MQTTClient_destroy(&handle_);
  }
}

Result<void> Broker::Connect() {
  MQTTClient_connectOptions options = MQTTClient_connectOptions_initializer;
  options.connectTimeout = kConnectTimeoutS;
  const int failed = MQTTClient_connect(handle_, &options);
  if (failed != MQTTCLIENT_SUCCESS) {
    return Error{ErrorCode::kUnsupported,
                 "no MQTT broker answers at " + settings_.address + " (" +
                     Reason(failed) +
                     "): start one, as mosquitto, or name it with --broker"};
  }
  return {};
}

Result<void> Broker::Subscribe(const std::string& topic) {
  topic_ = topic;
  const int failed =
      MQTTClient_subscribe(handle_, topic.c_str(), settings_.qos);
  if (failed != MQTTCLIENT_SUCCESS) {
    return Error{ErrorCode::kInvalid, "--topic: the broker refuses \"" + topic +
                                          "\" (" + Reason(failed) + ")"};
  }
  return {};
}

void Broker::TryAgain() {
  if (Connect() && (topic_.empty() || Subscribe(topic_))) {
    return;
  }
  SleepUntil(MonotonicNs() + kRetryNs);
}

std::optional<Message> Broker::Wait() {
  std::unique_lock lock(mutex_);
  if (inbox_.empty()) {
    lock.unlock();
    if (MQTTClient_isConnected(handle_) == 0) {
      TryAgain();
    }
    lock.lock();
  }
  if (!changed_.wait_for(lock, kPatience, [this] { return !inbox_.empty(); })) {
    return std::nullopt;
  }
  Message message = std::move(inbox_.front());
  inbox_.pop_front();
  return message;
}

void Broker::Arrived(std::string payload) {
  {
    const std::lock_guard lock(mutex_);
    if (inbox_.size() >= kMostWaiting) {
      ++dropped_;
      return;
    }
    inbox_.push_back({std::move(payload), MonotonicNs()});
  }
  changed_.notify_all();
}

Result<void> Broker::Publish(const std::string& topic,
                             std::string_view payload) {
  MQTTClient_message message = MQTTClient_message_initializer;
  // Paho reads it only.
  message.payload = const_cast<char*>(payload.data());
  message.payloadlen = static_cast<int>(payload.size());
  message.qos = settings_.qos;
  MQTTClient_deliveryToken token = 0;
  int failed =
      MQTTClient_publishMessage(handle_, topic.c_str(), &message, &token);
  // Paho's own function for this looks only ten times a second.
  if (failed == MQTTCLIENT_SUCCESS && settings_.qos > 0) {
    std::unique_lock lock(mutex_);
    failed = changed_.wait_for(lock, kAnswerPatience,
                               [&] { return delivered_.erase(token) > 0; })
                 ? MQTTCLIENT_SUCCESS
                 : MQTTCLIENT_DISCONNECTED;
  }
  if (failed != MQTTCLIENT_SUCCESS) {
    return Error{ErrorCode::kIo, "the broker at " + settings_.address +
                                     " does not take messages for \"" + topic +
                                     "\" (" + Reason(failed) + ")"};
  }
  return {};
}

void Broker::Delivered(int token) {
  {
    const std::lock_guard lock(mutex_);
    delivered_.insert(token);
  }
  changed_.notify_all();
}

int64_t Broker::dropped() const {
  const std::lock_guard lock(mutex_);
  return dropped_;
}

}  // namespace edgewise::apps

#include "mqtt/paho/paho_transport.h"

#include <algorithm>
#include <chrono>
#include <string_view>

#include "base/clock.h"
#include "mqtt/paho/connect_options.h"
#include "mqtt/paho/socket_facts.h"

namespace edgewise::mqtt {
namespace {

constexpr int64_t kSubscribeNs = 10 * kNsPerSecond;
constexpr auto kSubscribePause = std::chrono::milliseconds(20);
constexpr int kFirstFailure = 128;  // of MQTT 5's reason codes
constexpr int kPubackType = 4;
constexpr int kPubcompType = 7;

std::string UriOf(const TransportSettings& settings) {
  const bool v6 = settings.host.find(':') != std::string::npos;
  return std::string(settings.tls ? "ssl://" : "tcp://") + (v6 ? "[" : "") +
         settings.host + (v6 ? "]" : "") + ":" + std::to_string(settings.port);
}

std::string LibraryVersion() {
  std::string version;
  for (const MQTTClient_nameValue* each = MQTTClient_getVersionInfo();
       each->name != nullptr; ++each) {
    if (std::string_view(each->name) == "Version") {
      version = each->value;
    }
  }
  return "Eclipse Paho C " + version;
}

}  // namespace

struct PahoTransport::Callbacks {
  static PahoTransport& Of(void* context) {
    return *static_cast<PahoTransport*>(context);
  }
  static int Arrived(void* context, char* topic, int topic_bytes,
                     MQTTClient_message* message) {
    const int64_t at_ns = MonotonicNs();
    const std::string_view name =
        topic_bytes > 0
            ? std::string_view(topic, static_cast<size_t>(topic_bytes))
            : std::string_view(topic);
    Of(context).events_.OnMessage({name,
                                   {static_cast<const char*>(message->payload),
                                    static_cast<size_t>(message->payloadlen)},
                                   message->qos,
                                   message->retained != 0,
                                   at_ns});
    MQTTClient_freeMessage(&message);
    MQTTClient_free(topic);
    return 1;
  }
  // With Paho's lock held.
  static void Answered(void* context, int number, int reason) {
    PahoTransport& own = Of(context);
    if (const auto answer =
            own.acknowledgements_.Answered(number, MonotonicNs(), reason)) {
      own.TellAnswer(*answer);
    }
  }
  static void Delivered(void* context, MQTTClient_deliveryToken number) {
    if (!Of(context).v5()) {
      Answered(context, number, 0);
    }
  }
  static void Published(void* context, int number, int packet_type,
                        MQTTProperties* /*properties*/,
                        enum MQTTReasonCodes reason) {
    if (packet_type == kPubackType || packet_type == kPubcompType ||
        reason >= kFirstFailure) {
      Answered(context, number, reason);
    }
  }
  static void Lost(void* context, char* /*cause*/) { Of(context).WentDown(); }
  static void Disconnected(void* context, MQTTProperties* /*properties*/,
                           enum MQTTReasonCodes /*reason*/) {
    Of(context).WentDown();
  }
};

PahoTransport::PahoTransport(TransportSettings settings,
                             TransportEvents& events)
    : settings_(std::move(settings)),
      events_(events),
      window_(settings_.window) {
  facts_.library = LibraryVersion();
  MQTTClient_createOptions options = MQTTClient_createOptions_initializer;
  options.MQTTVersion = static_cast<int>(settings_.version);
  if (MQTTClient_createWithOptions(
          &handle_, UriOf(settings_).c_str(), settings_.client_id.c_str(),
          MQTTCLIENT_PERSISTENCE_NONE, nullptr, &options) != 0) {
    handle_ = nullptr;
    return;
  }
  MQTTClient_setCallbacks(handle_, this, Callbacks::Lost, Callbacks::Arrived,
                          Callbacks::Delivered);
  if (v5()) {
    MQTTClient_setPublished(handle_, this, Callbacks::Published);
    MQTTClient_setDisconnected(handle_, this, Callbacks::Disconnected);
  }
}

PahoTransport::~PahoTransport() {
  Disconnect();
  if (handle_ != nullptr) {
    MQTTClient_destroy(&handle_);
  }
}

int PahoTransport::TrySubscribe(const std::string& topic, int qos) {
  if (!v5()) {
    return MQTTClient_subscribe(handle_, topic.c_str(), qos);
  }
  MQTTSubscribe_options options = MQTTSubscribe_options_initializer;
  MQTTProperties properties = MQTTProperties_initializer;
  MQTTResponse response =
      MQTTClient_subscribe5(handle_, topic.c_str(), qos, &options, &properties);
  const int code = response.reasonCode;
  MQTTResponse_free(response);
  // A success is the quality of service that the broker grants.
  return code >= 0 && code < kFirstFailure ? 0 : code;
}

Result<void> PahoTransport::Subscribe(const std::string& topic, int qos) {
  {
    // From now on the keeper subscribes whenever it connects.
    const std::lock_guard lock(mutex_);
    subscriptions_[topic] = qos;
  }
  const int64_t until_ns = MonotonicNs() + kSubscribeNs;
  int code = TrySubscribe(topic, qos);
  while (code != 0 && code < kFirstFailure && MonotonicNs() < until_ns) {
    // The connection was lost just now.
    std::this_thread::sleep_for(kSubscribePause);
    code = up_ ? TrySubscribe(topic, qos) : code;
  }
  if (code == 0) {
    return {};
  }
  const std::lock_guard lock(mutex_);
  subscriptions_.erase(topic);
  if (code < kFirstFailure) {
    return Error{ErrorCode::kUnsupported,
                 "the connection to the broker was lost while subscribing to " +
                     topic + ": check the link, and try again"};
  }
  return Error{ErrorCode::kInvalid,
               "the broker does not let us subscribe to \"" + topic +
                   "\" (code " + std::to_string(code) +
                   "): check the topic and the broker's access rules"};
}

Result<void> PahoTransport::Publish(const std::string& topic,
                                    std::string_view payload, int qos,
                                    uint64_t cookie) {
  if (!up_) {
    return Error{ErrorCode::kIo, "no connection to the broker now"};
  }
  if (qos > 0) {
    if (in_flight_.fetch_add(1) >= window_) {
      --in_flight_;
      return Error{ErrorCode::kBusy, "the window is full"};
    }
  }
  MQTTClient_deliveryToken number = 0;
  int code = 0;
  // Paho reads it only.
  void* const bytes = const_cast<char*>(payload.data());
  const int size = static_cast<int>(payload.size());
  if (v5()) {
    const MQTTResponse response = MQTTClient_publish5(
        handle_, topic.c_str(), size, bytes, qos, 0, nullptr, &number);
    code = response.reasonCode;
    MQTTResponse_free(response);
  } else {
    code = MQTTClient_publish(handle_, topic.c_str(), size, bytes, qos, 0,
                              &number);
  }
  if (code != 0) {
    if (qos > 0) {
      --in_flight_;
    }
    return Error{ErrorCode::kIo, "no connection to the broker now"};
  }
  if (qos > 0) {
    if (const auto answer = acknowledgements_.Sent(number, cookie)) {
      TellAnswer(*answer);
    }
  }
  return {};
}

bool PahoTransport::HasRoom(size_t bytes) const {
  // Half, as the kernel counts more than the bytes alone. A message of which
  // Paho could write only a part fills it.
  const auto room = up_ ? SendRoomBytes(socket_) : std::nullopt;
  return room && static_cast<int64_t>(bytes) < *room / 2;
}

void PahoTransport::TellAnswer(const Answer& answer) {
  --in_flight_;
  std::string_view refusal;
  if (answer.reason >= kFirstFailure) {
    const char* const text =
        MQTTReasonCode_toString(static_cast<MQTTReasonCodes>(answer.reason));
    refusal = text != nullptr ? text : "an unknown reason";
  }
  events_.OnAnswer(answer.cookie, answer.at_ns, refusal);
}

}  // namespace edgewise::mqtt

extern "C" __attribute__((visibility("default"))) edgewise::mqtt::Transport*
edgewise_mqtt_transport_1(const edgewise::mqtt::TransportSettings& settings,
                          edgewise::mqtt::TransportEvents& events) {
  return new edgewise::mqtt::PahoTransport(settings, events);
}

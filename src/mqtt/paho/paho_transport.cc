#include "mqtt/paho/paho_transport.h"

#include <algorithm>
#include <chrono>
#include <string_view>

#include "base/clock.h"
#include "mqtt/paho/connect_options.h"
#include "mqtt/paho/socket_facts.h"

namespace edgewise::mqtt {
namespace {

constexpr auto kFirstPause = std::chrono::milliseconds(50);
constexpr auto kLongestPause = std::chrono::seconds(2);
constexpr auto kLookEvery = std::chrono::milliseconds(200);
constexpr int kDisconnectMs = 500;
// So that a publish call does not have to wait for the link: Paho waits in
// steps of 100 ms.
constexpr int64_t kSendBufferBytes = 4 << 20;
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

int PahoTransport::TryConnect(bool clean) {
  ConnectOptions options(settings_, clean);
  if (!v5()) {
    return MQTTClient_connect(handle_, options.options());
  }
  MQTTResponse response = MQTTClient_connect5(handle_, options.options(),
                                              options.properties(), nullptr);
  const int code = response.reasonCode;
  if (code == 0) {
    const auto number =
        [&response](MQTTPropertyCodes which) -> std::optional<int64_t> {
      if (response.properties == nullptr ||
          MQTTProperties_hasProperty(response.properties, which) == 0) {
        return std::nullopt;
      }
      return MQTTProperties_getNumericValue(response.properties, which);
    };
    const std::lock_guard lock(mutex_);
    facts_.maximum_packet_bytes = number(MQTTPROPERTY_CODE_MAXIMUM_PACKET_SIZE);
    facts_.receive_maximum.reset();
    window_ = settings_.window;
    if (const auto most = number(MQTTPROPERTY_CODE_RECEIVE_MAXIMUM)) {
      facts_.receive_maximum = static_cast<int>(*most);
      window_ = std::min(settings_.window, static_cast<int>(*most));
    }
  }
  MQTTResponse_free(response);
  return code;
}

void PahoTransport::Look() {
  const auto fd = SocketToPort(settings_.port);
  const std::lock_guard lock(mutex_);
  facts_.window = window_;
  if (fd) {
    // Paho leaves it off: a small message would wait until the broker's kernel
    // has acknowledged the one before, up to 40 ms.
    SetTcpNoDelay(*fd);
    WidenSendBuffer(*fd, kSendBufferBytes);
    facts_.tcp_nodelay = TcpNoDelay(*fd);
    facts_.send_buffer_bytes = SendBufferBytes(*fd);
  }
}

Result<void> PahoTransport::Connect() {
  if (handle_ == nullptr) {
    return Error{ErrorCode::kInvalid,
                 "\"" + UriOf(settings_) +
                     "\" is no address of a broker: write --broker HOST:PORT"};
  }
  // A session that was begun clean is not kept by brokers of MQTT 3.1.1, nor on
  // the disk of mosquitto 2.0 with MQTT 5; client ids are new ones, so that
  // there is none from before.
  const bool clean = settings_.session_expiry_s == 0;
  if (const int code = TryConnect(clean); code != 0) {
    return ConnectError(settings_, code);
  }
  Look();
  up_ = true;
  if (!keeper_.joinable()) {
    keeper_ = std::thread([this] { Keep(); });
  }
  return {};
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
  if (const int code = TrySubscribe(topic, qos); code != 0) {
    return Error{ErrorCode::kInvalid,
                 "the broker does not let us subscribe to \"" + topic +
                     "\" (code " + std::to_string(code) +
                     "): check the topic and the broker's access rules"};
  }
  const std::lock_guard lock(mutex_);
  subscriptions_[topic] = qos;
  return {};
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

void PahoTransport::WentDown() {
  {
    const std::lock_guard lock(mutex_);
    if (leaving_ || !up_) {
      return;
    }
    up_ = false;
  }
  changed_.notify_all();
  events_.OnConnection(false);
}

void PahoTransport::Keep() {
  auto pause =
      std::chrono::duration_cast<std::chrono::milliseconds>(kFirstPause);
  std::unique_lock lock(mutex_);
  while (!leaving_) {
    if (up_) {
      changed_.wait_for(lock, kLookEvery, [this] { return leaving_ || !up_; });
      // In case Paho did not tell.
      if (up_ && !leaving_) {
        lock.unlock();
        if (MQTTClient_isConnected(handle_) == 0) {
          WentDown();
        }
        lock.lock();
      }
      pause = kFirstPause;
      continue;
    }
    changed_.wait_for(lock, pause, [this] { return leaving_; });
    if (leaving_) {
      break;
    }
    pause = std::min<std::chrono::milliseconds>(2 * pause, kLongestPause);
    const auto subscriptions = subscriptions_;
    lock.unlock();
    bool good = TryConnect(/*clean=*/false) == 0;
    if (good) {
      Look();
      for (const auto& [topic, qos] : subscriptions) {
        // Also where the broker says that it remembers: asking again is cheap,
        // and a broker that was restored from its disk may be wrong.
        good = good && TrySubscribe(topic, qos) == 0;
      }
    }
    if (good) {
      up_ = true;
      events_.OnConnection(true);
    }
    lock.lock();
    facts_.reconnects += good ? 1 : 0;
  }
}

ConnectionFacts PahoTransport::facts() const {
  const std::lock_guard lock(mutex_);
  return facts_;
}

void PahoTransport::Disconnect() {
  {
    const std::lock_guard lock(mutex_);
    leaving_ = true;
  }
  changed_.notify_all();
  if (keeper_.joinable()) {
    keeper_.join();
  }
  if (handle_ == nullptr || !up_.exchange(false)) {
    return;
  }
  if (v5()) {
    MQTTProperties properties = MQTTProperties_initializer;
    MQTTProperty expiry{};
    expiry.identifier = MQTTPROPERTY_CODE_SESSION_EXPIRY_INTERVAL;
    expiry.value.integer4 = 0;
    MQTTProperties_add(&properties, &expiry);
    MQTTClient_disconnect5(handle_, kDisconnectMs, MQTTREASONCODE_SUCCESS,
                           &properties);
    MQTTProperties_free(&properties);
    return;
  }
  MQTTClient_disconnect(handle_, kDisconnectMs);
  // Only a clean session makes a broker of MQTT 3.1.1 forget the one before.
  if (settings_.session_expiry_s > 0 && TryConnect(/*clean=*/true) == 0) {
    MQTTClient_disconnect(handle_, kDisconnectMs);
  }
}

}  // namespace edgewise::mqtt

extern "C" __attribute__((visibility("default"))) edgewise::mqtt::Transport*
edgewise_mqtt_transport_1(const edgewise::mqtt::TransportSettings& settings,
                          edgewise::mqtt::TransportEvents& events) {
  return new edgewise::mqtt::PahoTransport(settings, events);
}

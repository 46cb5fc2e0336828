// The part of PahoTransport that connects, connects again, and disconnects.
#include <algorithm>
#include <chrono>

#include "mqtt/paho/connect_options.h"
#include "mqtt/paho/paho_transport.h"
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

}  // namespace

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
  socket_ = fd.value_or(-1);
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
                 "\"" + settings_.host +
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

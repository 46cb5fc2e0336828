// Transport: one connection to a broker. Its one implementation is Eclipse
// Paho in a module of its own (libedgewise-mqtt.so), so that edgewise itself
// links neither Paho nor OpenSSL.
//
// The room `mqtt` knows messages on their way from a producer over a processor
// to a consumer: how they are sent, stamped, counted and broken into stages. It
// must not know how figures are shown.
#ifndef EDGEWISE_MQTT_TRANSPORT_H_
#define EDGEWISE_MQTT_TRANSPORT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace edgewise::mqtt {

enum class Version { k311 = 4, k5 = 5 };

struct TransportSettings {
  std::string host = "localhost";
  int port = 1883;
  Version version = Version::k5;
  std::string client_id;  // unique at the broker
  std::string user;       // empty: none
  std::string password;
  bool tls = false;
  std::string ca_file;  // whom to trust; empty: the system's list
  int keep_alive_s = 20;
  // How long the broker keeps subscriptions and undelivered messages while the
  // connection is lost; 0: not at all.
  int session_expiry_s = 120;
  // Messages of QoS 1 and 2 without the broker's answer, at most. A broker of
  // MQTT 5 may ask for less.
  int window = 100;
};

// What became of the settings.
struct ConnectionFacts {
  std::string library;              // "Eclipse Paho C 1.3.11"
  std::optional<bool> tcp_nodelay;  // as the kernel has it
  std::optional<int64_t> send_buffer_bytes;
  std::optional<int> receive_maximum;           // of the broker; MQTT 5 only
  std::optional<int64_t> maximum_packet_bytes;  // likewise
  int window = 0;
  int64_t reconnects = 0;
};

// Valid during the call only.
struct Received {
  std::string_view topic;
  std::string_view payload;
  int qos = 0;
  bool retained = false;
  int64_t at_ns = 0;  // CLOCK_MONOTONIC, when it was handed over
};

// Told from threads of the transport, which must not be called back from there:
// a publish call may wait for the very thread that tells. Only of QoS 0, and
// where HasRoom, it does not.
class TransportEvents {
 public:
  virtual ~TransportEvents() = default;
  virtual void OnMessage(const Received& message) = 0;
  // The broker has answered for a message of QoS 1 or 2. `refusal` is empty if
  // it took it, else says why not (MQTT 5 only).
  virtual void OnAnswer(uint64_t cookie, int64_t at_ns,
                        std::string_view refusal) = 0;
  virtual void OnConnection(bool up) = 0;
};

class Transport {
 public:
  virtual ~Transport() = default;

  // Tries once. kPermission: the broker refuses who we are. kUnsupported:
  // nobody answers, or does not speak this version; trying again may help.
  // After the first success a lost connection is made again by itself, with
  // growing pauses, and so are subscriptions.
  virtual Result<void> Connect() = 0;
  virtual Result<void> Subscribe(const std::string& topic, int qos) = 0;
  // Returns when the message is on its way, not when the broker has it. Of
  // QoS 1 and 2 it is sent again after a lost connection until the broker
  // answers. kBusy: the window is full; kIo: no connection now. `cookie` is for
  // OnAnswer.
  virtual Result<void> Publish(const std::string& topic,
                               std::string_view payload, int qos,
                               uint64_t cookie) = 0;
  // Whether a message of QoS 0 and of that size would go out at once.
  virtual bool HasRoom(size_t bytes) const = 0;
  virtual bool connected() const = 0;
  virtual int in_flight() const = 0;
  virtual ConnectionFacts facts() const = 0;
  // The end: the broker forgets the session. No events after it.
  virtual void Disconnect() = 0;
};

// Loads the module on first use. `events` must outlive the transport.
Result<std::unique_ptr<Transport>> MakeTransport(
    const TransportSettings& settings, TransportEvents& events);

// The name under which the module exports its factory, and its type; the name
// changes with the interface above.
inline constexpr char kTransportFactory[] = "edgewise_mqtt_transport_1";
using TransportFactory = Transport* (*)(const TransportSettings&,
                                        TransportEvents&);

}  // namespace edgewise::mqtt

#endif  // EDGEWISE_MQTT_TRANSPORT_H_

// ConnectOptions: Paho's options for connecting, with all that they point to.
#ifndef EDGEWISE_MQTT_PAHO_CONNECT_OPTIONS_H_
#define EDGEWISE_MQTT_PAHO_CONNECT_OPTIONS_H_

#include <MQTTClient.h>

#include "mqtt/transport.h"

namespace edgewise::mqtt {

class ConnectOptions {
 public:
  // `settings` must outlive it. `clean`: the broker forgets what it knew.
  ConnectOptions(const TransportSettings& settings, bool clean);
  ~ConnectOptions() { MQTTProperties_free(&properties_); }
  ConnectOptions(const ConnectOptions&) = delete;
  ConnectOptions& operator=(const ConnectOptions&) = delete;

  MQTTClient_connectOptions* options() { return &options_; }
  MQTTProperties* properties() { return &properties_; }

 private:
  MQTTClient_connectOptions options_;
  MQTTClient_SSLOptions tls_ = MQTTClient_SSLOptions_initializer;
  MQTTProperties properties_ = MQTTProperties_initializer;
};

// Why a connection was refused, as an error that says what to do.
Error ConnectError(const TransportSettings& settings, int code);

}  // namespace edgewise::mqtt

#endif  // EDGEWISE_MQTT_PAHO_CONNECT_OPTIONS_H_

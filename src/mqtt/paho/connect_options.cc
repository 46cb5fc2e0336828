#include "mqtt/paho/connect_options.h"

#include "mqtt/paho/socket_facts.h"

namespace edgewise::mqtt {
namespace {

constexpr int kConnectTimeoutS = 5;

MQTTClient_connectOptions PlainOptions(Version version) {
  if (version == Version::k5) {
    const MQTTClient_connectOptions options =
        MQTTClient_connectOptions_initializer5;
    return options;
  }
  const MQTTClient_connectOptions options =
      MQTTClient_connectOptions_initializer;
  return options;
}

}  // namespace

ConnectOptions::ConnectOptions(const TransportSettings& settings, bool clean)
    : options_(PlainOptions(settings.version)) {
  options_.MQTTVersion = static_cast<int>(settings.version);
  options_.keepAliveInterval = settings.keep_alive_s;
  options_.connectTimeout = kConnectTimeoutS;
  // Else Paho has one message in flight at a time.
  options_.reliable = 0;
  // We keep the window ourselves, as Paho would wait in steps of 100 ms.
  options_.maxInflightMessages = settings.window + 1;
  if (settings.version == Version::k5) {
    options_.cleanstart = clean ? 1 : 0;
    MQTTProperty expiry{};
    expiry.identifier = MQTTPROPERTY_CODE_SESSION_EXPIRY_INTERVAL;
    expiry.value.integer4 = static_cast<unsigned>(settings.session_expiry_s);
    MQTTProperties_add(&properties_, &expiry);
  } else {
    options_.cleansession = clean ? 1 : 0;
  }
  if (!settings.user.empty()) {
    options_.username = settings.user.c_str();
    options_.password = settings.password.c_str();
  }
  if (settings.tls) {
    tls_.enableServerCertAuth = 1;
    tls_.verify = 1;
    if (!settings.ca_file.empty()) {
      tls_.trustStore = settings.ca_file.c_str();
      tls_.disableDefaultTrustStore = 1;
    }
    options_.ssl = &tls_;
  }
}

Error ConnectError(const TransportSettings& settings, int code) {
  const std::string where = settings.host + ":" + std::to_string(settings.port);
  const bool v5 = settings.version == Version::k5;
  if (v5 ? code == MQTTREASONCODE_BAD_USER_NAME_OR_PASSWORD ||
               code == MQTTREASONCODE_NOT_AUTHORIZED
         : code == 4 || code == 5) {
    return {ErrorCode::kPermission,
            "the broker at " + where + " refuses " +
                (settings.user.empty() ? "who gives no name: use --user"
                                       : "user " + settings.user) +
                (settings.user.empty()
                     ? " and $EDGEWISE_MQTT_PASSWORD"
                     : ": check the name and the password in "
                       "$EDGEWISE_MQTT_PASSWORD or --password-file")};
  }
  if (v5 ? code == MQTTREASONCODE_UNSUPPORTED_PROTOCOL_VERSION : code == 1) {
    return {ErrorCode::kInvalid, "the broker at " + where +
                                     " does not speak this version of MQTT: "
                                     "try the other --mqtt-version"};
  }
  const std::string why = WhyUnreachable(settings.host.c_str(), settings.port);
  if (!why.empty()) {
    return {ErrorCode::kUnsupported,
            "no broker answers at " + where + " (" + why +
                "): start one, as mosquitto, or name it with --broker"};
  }
  if (settings.tls) {
    return {ErrorCode::kUnsupported,
            "no TLS connection to " + where +
                ": check that the port speaks TLS, that --ca is the authority "
                "of its certificate, and that this is issued to " +
                settings.host};
  }
  const char* const text =
      v5 ? MQTTReasonCode_toString(static_cast<MQTTReasonCodes>(code))
         : nullptr;
  return {ErrorCode::kUnsupported,
          "what listens at " + where + " does not answer as an MQTT broker (" +
              (text != nullptr ? std::string(text)
                               : "code " + std::to_string(code)) +
              "): check the port, and whether it wants TLS (mqtts://)"};
}

}  // namespace edgewise::mqtt

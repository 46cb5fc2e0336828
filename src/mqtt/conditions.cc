#include "mqtt/conditions.h"

#include <array>
#include <cstdio>

#include "base/text.h"

namespace edgewise::mqtt {
namespace {

// "30", "0.5".
std::string ShortNumber(double value) {
  std::array<char, 32> text{};
  (void)std::snprintf(text.data(), text.size(), "%g", value);
  return text.data();
}

}  // namespace

Details ConditionsOf(const PipelineSettings& settings) {
  Details details;
  const TransportSettings& connection = settings.connection;
  details["qos"] = std::to_string(settings.qos);
  details["payload_bytes"] = std::to_string(settings.payload_bytes);
  details["format"] = settings.format == Format::kJson ? "json" : "binary";
  details["topic"] = settings.topic;
  details["rate_per_s"] = ShortNumber(settings.rate_per_s);
  details["arrivals"] =
      settings.arrivals == stats::ArrivalKind::kPoisson ? "poisson" : "even";
  details["mqtt_version"] = connection.version == Version::k5 ? "5" : "3.1.1";
  details["tls"] = connection.tls ? "yes" : "no";
  details["keep_alive_s"] = std::to_string(connection.keep_alive_s);
  details["session_expiry_s"] = std::to_string(connection.session_expiry_s);
  details["work"] = settings.direct            ? "no processor"
                    : settings.command.empty() ? "none"
                                               : ShellQuote(settings.command);
  if (!settings.direct) {
    details["queue_length"] = std::to_string(settings.queue_length);
  }
  return details;
}

bool IsLocalHost(const std::string& host) {
  return host == "localhost" || host == "::1" || host.starts_with("127.");
}

}  // namespace edgewise::mqtt

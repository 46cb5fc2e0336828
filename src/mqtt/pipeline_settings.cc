#include "mqtt/pipeline_settings.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "base/units.h"

namespace edgewise::mqtt {
namespace {

constexpr int kPlainPort = 1883;
constexpr int kTlsPort = 8883;
constexpr size_t kMostTopicBytes = 1024;
constexpr double kMostPerSecond = 1e6;
constexpr int64_t kMostMessages = int64_t{1} << 40;

Error Invalid(std::string message) {
  return {ErrorCode::kInvalid, std::move(message)};
}

std::string Hex(uint64_t value) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  do {
    text.insert(text.begin(), kDigits[value % 16]);
    value /= 16;
  } while (value != 0);
  return text;
}

}  // namespace

std::string_view RoleVerb(Role role) {
  switch (role) {
    case Role::kProduce:
      return "produce";
    case Role::kProcess:
      return "process";
    case Role::kConsume:
      break;
  }
  return "consume";
}

std::string_view RoleName(Role role) {
  switch (role) {
    case Role::kProduce:
      return "producer";
    case Role::kProcess:
      return "processor";
    case Role::kConsume:
      break;
  }
  return "consumer";
}

std::string ResultTopic(const PipelineSettings& settings) {
  return settings.direct ? settings.topic : settings.topic + "/processed";
}
std::string ControlTopic(const PipelineSettings& settings) {
  return settings.topic + "/control";
}
std::string ClockAskTopic(const PipelineSettings& settings) {
  return settings.topic + "/clock/ask";
}
std::string ClockAnswerTopic(const PipelineSettings& settings) {
  return settings.topic + "/clock/answer";
}

Result<void> CheckPipeline(const PipelineSettings& settings) {
  if (settings.topic.empty() || settings.topic.size() > kMostTopicBytes ||
      settings.topic.find_first_of("+#") != std::string::npos ||
      settings.topic.find('\0') != std::string::npos ||
      settings.topic.front() == '$') {
    return Invalid("--topic \"" + settings.topic +
                   "\" cannot be published to: it must have no + or #, and "
                   "must not begin with $");
  }
  if (settings.qos < 0 || settings.qos > 2) {
    return Invalid("--qos must be 0, 1 or 2");
  }
  if (!(settings.rate_per_s > 0) || settings.rate_per_s > kMostPerSecond) {
    return Invalid("--rate must be messages a second, above 0, up to 1000000");
  }
  if (settings.messages < 1 || settings.messages > kMostMessages) {
    return Invalid("--duration and --rate come to no message: make one larger");
  }
  const auto least = static_cast<int64_t>(LeastPayloadBytes(settings.format));
  if (settings.payload_bytes < least) {
    return Invalid("--payload " +
                   FormatBytes(static_cast<double>(settings.payload_bytes)) +
                   " is too small for the time stamps: at least " +
                   std::to_string(least) + " bytes" +
                   (settings.format == Format::kJson
                        ? ", or " + std::to_string(kBinaryHeaderBytes) +
                              " with --format binary"
                        : std::string()));
  }
  if (settings.payload_bytes > static_cast<int64_t>(kMostPayloadBytes)) {
    return Invalid("--payload is more than MQTT can carry: at most 256 MiB");
  }
  if (settings.direct && !settings.command.empty()) {
    return Invalid("--direct has no processor to run a command: leave one out");
  }
  if (settings.per_message && settings.command.empty()) {
    return Invalid("--per-message needs a command after --");
  }
  if (settings.queue_length < 1) {
    return Invalid("--queue must be at least 1");
  }
  if (settings.connection.window < 1 || settings.connection.window > 65000) {
    return Invalid("--window must be from 1 to 65000");
  }
  return {};
}

Result<void> ParseBroker(std::string_view text, TransportSettings* connection) {
  const auto refuse = [text] {
    return Invalid("--broker \"" + std::string(text) +
                   "\" is no address: write HOST:PORT, mqtt://HOST:PORT or "
                   "mqtts://HOST:PORT");
  };
  std::string_view rest = text;
  connection->tls = false;
  if (const size_t scheme = rest.find("://");
      scheme != std::string_view::npos) {
    const std::string_view name = rest.substr(0, scheme);
    if (name == "mqtts" || name == "ssl" || name == "tls") {
      connection->tls = true;
    } else if (name != "mqtt" && name != "tcp") {
      return refuse();
    }
    rest.remove_prefix(scheme + 3);
  }
  connection->port = connection->tls ? kTlsPort : kPlainPort;
  std::string_view host = rest;
  std::string_view port;
  if (rest.starts_with('[')) {  // IPv6
    const size_t close = rest.find(']');
    if (close == std::string_view::npos) {
      return refuse();
    }
    host = rest.substr(1, close - 1);
    rest.remove_prefix(close + 1);
    if (!rest.empty() && rest.front() != ':') {
      return refuse();
    }
    port = rest.empty() ? rest : rest.substr(1);
  } else if (const size_t colon = rest.rfind(':');
             colon != std::string_view::npos) {
    host = rest.substr(0, colon);
    port = rest.substr(colon + 1);
    if (port.empty() || host.find(':') != std::string_view::npos) {
      return refuse();
    }
  }
  if (host.empty() || host.find_first_of(" /@") != std::string_view::npos) {
    return refuse();
  }
  if (!port.empty()) {
    const auto number = ParseInt(port);
    if (!number || *number < 1 || *number > 65535) {
      return refuse();
    }
    connection->port = static_cast<int>(*number);
  }
  connection->host = host;
  return {};
}

std::vector<std::string> RoleArguments(const PipelineSettings& settings,
                                       Role role) {
  const TransportSettings& connection = settings.connection;
  const bool v6 = connection.host.find(':') != std::string::npos;
  std::vector<std::string> words{
      "mqtt",
      std::string(RoleVerb(role)),
      "--broker",
      std::string(connection.tls ? "mqtts://" : "mqtt://") + (v6 ? "[" : "") +
          connection.host + (v6 ? "]" : "") + ":" +
          std::to_string(connection.port),
      "--topic",
      settings.topic,
      "--qos",
      std::to_string(settings.qos),
      "--mqtt-version",
      connection.version == Version::k5 ? "5" : "3.1.1",
      "--keep-alive",
      std::to_string(connection.keep_alive_s) + "s",
      "--session-expiry",
      std::to_string(connection.session_expiry_s) + "s",
      "--window",
      std::to_string(connection.window),
      "--format",
      settings.format == Format::kJson ? "json" : "binary"};
  const auto add = [&words](const char* flag, std::string value) {
    words.emplace_back(flag);
    words.push_back(std::move(value));
  };
  const auto in_ns = [](int64_t ns) { return std::to_string(ns) + "ns"; };
  add("--wait", in_ns(settings.patience_ns));
  if (!connection.user.empty()) {
    add("--user", connection.user);
  }
  if (!settings.password_file.empty()) {
    add("--password-file", settings.password_file);
  }
  if (!connection.ca_file.empty()) {
    add("--ca", connection.ca_file);
  }
  if (settings.run) {
    add("--run", Hex(*settings.run));
  }
  if (settings.direct) {
    words.emplace_back("--direct");
  }
  if (settings.report_fd >= 0) {
    add("--report-fd", std::to_string(settings.report_fd));
  }
  if (role == Role::kProduce) {
    add("--rate", std::to_string(settings.rate_per_s));
    add("--messages", std::to_string(settings.messages));
    add("--warm-up", std::to_string(settings.warm_up));
    add("--payload", std::to_string(settings.payload_bytes));
    add("--seed", std::to_string(settings.seed));
    add("--arrivals",
        settings.arrivals == stats::ArrivalKind::kPoisson ? "poisson" : "even");
  }
  if (role == Role::kProcess) {
    add("--queue", std::to_string(settings.queue_length));
    add("--rate", std::to_string(settings.rate_per_s));
    if (settings.per_message) {
      words.emplace_back("--per-message");
    }
  }
  if (role == Role::kConsume) {
    add("--drain", in_ns(settings.drain_ns));
  }
  return words;
}

}  // namespace edgewise::mqtt

// The settings that the options of `edgewise mqtt` stand for.
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "base/text.h"
#include "base/units.h"
#include "cli/option_values.h"
#include "cli/verbs/mqtt_options.h"
#include "impair/impairment.h"

namespace edgewise::cli {
namespace {

constexpr char kAuto[] = "auto";
constexpr double kUsualDurationS = 10;
constexpr double kUsualWarmUpS = 1;

Error Flag(const char* flag, const Error& error) {
  return {error.code, std::string(flag) + ": " + error.message};
}
Error Bad(std::string message) {
  return {ErrorCode::kInvalid, std::move(message)};
}

Result<void> ReadPassword(const MqttOptions& options,
                          mqtt::PipelineSettings* settings) {
  settings->password_file = options.password_file;
  if (!options.password_file.empty()) {
    const auto text = ReadFile(options.password_file);
    if (!text) {
      return Flag("--password-file", text.error());
    }
    settings->connection.password =
        text->substr(0, text->find_first_of("\r\n"));
  } else if (const char* const password =
                 std::getenv("EDGEWISE_MQTT_PASSWORD")) {
    settings->connection.password = password;
  }
  return {};
}

Result<void> ReadConnection(const MqttOptions& options,
                            mqtt::PipelineSettings* settings) {
  mqtt::TransportSettings& connection = settings->connection;
  if (options.broker == kAuto) {
    return Bad("--broker auto is for bench and pipeline: name one here");
  }
  if (const auto parsed = mqtt::ParseBroker(options.broker, &connection);
      !parsed) {
    return parsed;
  }
  connection.user = options.user;
  if (const auto read = ReadPassword(options, settings); !read) {
    return read;
  }
  connection.ca_file = options.ca;
  if (!options.ca.empty() && !connection.tls) {
    return Bad("--ca is for TLS: write the broker as mqtts://HOST:PORT");
  }
  if (!options.ca.empty() && !TryReadFile(options.ca)) {
    return Bad("--ca " + options.ca + " cannot be read: name a PEM file");
  }
  connection.version =
      options.version == "5" ? mqtt::Version::k5 : mqtt::Version::k311;
  connection.window = options.window;
  const auto keep_alive =
      DurationOrZeroOption("--keep-alive", options.keep_alive);
  const auto expiry =
      DurationOrZeroOption("--session-expiry", options.session_expiry);
  const auto wait = DurationOrZeroOption("--wait", options.wait);
  for (const auto* each : {&keep_alive, &expiry, &wait}) {
    if (!*each) {
      return each->error();
    }
  }
  if (*keep_alive) {
    connection.keep_alive_s = static_cast<int>(**keep_alive / kNsPerSecond);
  }
  if (*expiry) {
    connection.session_expiry_s = static_cast<int>(**expiry / kNsPerSecond);
  }
  settings->patience_ns = wait->value_or(settings->patience_ns);
  return {};
}

Result<void> ReadLoad(const MqttOptions& options,
                      mqtt::PipelineSettings* settings) {
  const auto rate = ParseDouble(options.rate);
  if (!rate) {
    return Bad("--rate \"" + options.rate +
               "\" must be a number of messages a second");
  }
  settings->rate_per_s = *rate;
  const auto duration = DurationOrZeroOption("--duration", options.duration);
  if (!duration) {
    return duration.error();
  }
  const double seconds =
      *duration ? static_cast<double>(**duration) / 1e9 : kUsualDurationS;
  settings->messages =
      options.messages > 0
          ? options.messages
          : static_cast<int64_t>(std::llround(std::min(seconds * *rate, 1e15)));
  settings->warm_up = options.warm_up >= 0
                          ? options.warm_up
                          : static_cast<int64_t>(std::ceil(
                                std::min(kUsualWarmUpS * *rate, 1000.0)));
  if (!options.payload.empty()) {
    const auto bytes = ParseBytes(options.payload);
    if (!bytes) {
      return Flag("--payload", bytes.error());
    }
    settings->payload_bytes = *bytes;
  }
  settings->format =
      options.format == "binary" ? mqtt::Format::kBinary : mqtt::Format::kJson;
  settings->arrivals = options.arrivals == "poisson"
                           ? stats::ArrivalKind::kPoisson
                           : stats::ArrivalKind::kEven;
  settings->seed = options.seed;
  return {};
}

Result<std::vector<mqtt::Role>> LinksFrom(const std::string& text) {
  std::vector<mqtt::Role> roles;
  for (const std::string_view word : Split(text, ',')) {
    bool known = false;
    for (const mqtt::Role role :
         {mqtt::Role::kProduce, mqtt::Role::kProcess, mqtt::Role::kConsume}) {
      if (word == mqtt::RoleVerb(role)) {
        roles.push_back(role);
        known = true;
      }
    }
    if (!known) {
      return Bad("--impair-links: \"" + std::string(word) +
                 "\" must be produce, process or consume");
    }
  }
  return roles;
}

}  // namespace

Result<mqtt::PipelineSettings> PipelineFrom(
    const MqttOptions& options, const std::vector<std::string>& command) {
  mqtt::PipelineSettings settings;
  if (const auto read = ReadConnection(options, &settings); !read) {
    return read.error();
  }
  if (!options.topic.empty()) {
    settings.topic = options.topic;
  }
  const auto qos = ParseInt(options.qos);
  if (!qos || *qos < 0 || *qos > 2) {
    return Bad("--qos \"" + options.qos + "\" must be 0, 1 or 2");
  }
  settings.qos = static_cast<int>(*qos);
  if (const auto read = ReadLoad(options, &settings); !read) {
    return read.error();
  }
  if (!options.run.empty()) {
    uint64_t run = 0;
    const char* const end = options.run.data() + options.run.size();
    if (std::from_chars(options.run.data(), end, run, 16).ptr != end) {
      return Bad("--run \"" + options.run + "\" must be a hexadecimal number");
    }
    settings.run = run;
  }
  settings.direct = options.direct;
  settings.report_fd = options.report_fd;
  settings.command = command;
  settings.per_message = options.per_message;
  settings.queue_length = options.queue;
  const auto drain = DurationOrZeroOption("--drain", options.drain);
  if (!drain) {
    return drain.error();
  }
  settings.drain_ns = drain->value_or(settings.drain_ns);
  if (const auto checked = mqtt::CheckPipeline(settings); !checked) {
    return checked.error();
  }
  return settings;
}

Result<mqtt::ConductSettings> ConductFrom(
    const MqttOptions& options, const std::vector<std::string>& command) {
  MqttOptions named = options;
  if (options.broker == kAuto) {
    named.broker = "127.0.0.1";  // its port is known when it runs
  }
  auto pipeline = PipelineFrom(named, command);
  if (!pipeline) {
    return pipeline.error();
  }
  mqtt::ConductSettings settings;
  settings.pipeline = std::move(*pipeline);
  settings.own_broker = options.broker == kAuto;
  if (!options.impair.empty()) {
    auto impairment = ParseImpairment(options.impair.front());
    if (!impairment) {
      return Flag("--impair", impairment.error());
    }
    settings.impairment = *impairment;
  }
  if (!options.impair_links.empty()) {
    auto links = LinksFrom(options.impair_links);
    if (!links) {
      return links.error();
    }
    settings.impaired = std::move(*links);
  }
  return settings;
}

std::vector<std::string> PipelineArguments(const MqttOptions& options) {
  std::vector<std::string> words{"mqtt", "pipeline"};
  const auto add = [&words](const char* flag, const std::string& value) {
    if (!value.empty()) {
      words.emplace_back(flag);
      words.push_back(value);
    }
  };
  add("--broker", options.broker);
  add("--topic", options.topic);
  add("--user", options.user);
  add("--password-file", options.password_file);
  add("--ca", options.ca);
  add("--mqtt-version", options.version);
  add("--keep-alive", options.keep_alive);
  add("--session-expiry", options.session_expiry);
  add("--wait", options.wait);
  add("--window", std::to_string(options.window));
  add("--qos", options.qos);
  add("--payload", options.payload);
  add("--rate", options.rate);
  add("--duration", options.duration);
  if (options.messages > 0) {
    add("--messages", std::to_string(options.messages));
  }
  if (options.warm_up >= 0) {
    add("--warm-up", std::to_string(options.warm_up));
  }
  add("--arrivals", options.arrivals);
  add("--seed", std::to_string(options.seed));
  add("--format", options.format);
  add("--queue", std::to_string(options.queue));
  add("--drain", options.drain);
  if (options.per_message) {
    words.emplace_back("--per-message");
  }
  if (options.direct) {
    words.emplace_back("--direct");
  }
  for (const std::string& text : options.impair) {
    add("--impair", text);
  }
  add("--impair-links", options.impair_links);
  return words;
}

}  // namespace edgewise::cli

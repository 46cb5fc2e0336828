// What the three roles are asked to do; checked once, before anything starts.
#ifndef EDGEWISE_MQTT_PIPELINE_SETTINGS_H_
#define EDGEWISE_MQTT_PIPELINE_SETTINGS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "mqtt/message.h"
#include "mqtt/transport.h"
#include "stats/arrivals.h"

namespace edgewise::mqtt {

enum class Role { kProduce, kProcess, kConsume };
// "produce", as on the command line.
std::string_view RoleVerb(Role role);
// "producer", as in names of counters and reports.
std::string_view RoleName(Role role);

struct PipelineSettings {
  // Its client_id is made of the run and the role.
  TransportSettings connection;
  std::string password_file;  // where the password came from; may be empty
  // How long a broker that does not answer is waited for.
  int64_t patience_ns = 5 * kNsPerSecond;

  // Requests; results go to TOPIC/processed.
  std::string topic = "lab/e2e";
  // Whose messages count; nullopt: anybody's.
  std::optional<uint64_t> run;
  int qos = 0;
  bool direct = false;  // no processor: the consumer takes the requests

  // Of the producer.
  double rate_per_s = 30;
  stats::ArrivalKind arrivals = stats::ArrivalKind::kEven;
  uint64_t seed = 1;
  int64_t messages = 900;
  int64_t warm_up = 0;  // further ones before these, in no figure
  int64_t payload_bytes = 1024;
  Format format = Format::kJson;

  // Of the processor. Without a command it answers at once.
  std::vector<std::string> command;
  bool per_message = false;     // one process for each message
  int64_t queue_length = 1000;  // more are dropped, the newest first

  // How long the consumer waits for messages that were sent but did not come.
  int64_t drain_ns = 3 * kNsPerSecond;

  // Talks to whoever conducts it through standard input and this descriptor;
  // -1: runs by itself.
  int report_fd = -1;
};

// "lab/e2e/processed" and the like.
std::string ResultTopic(const PipelineSettings& settings);
std::string ControlTopic(const PipelineSettings& settings);
std::string ClockAskTopic(const PipelineSettings& settings);
std::string ClockAnswerTopic(const PipelineSettings& settings);

// Refuses what cannot work, in one sentence that names the option.
Result<void> CheckPipeline(const PipelineSettings& settings);

// "HOST:PORT", "mqtt://HOST[:PORT]", "mqtts://HOST[:PORT]", "HOST".
Result<void> ParseBroker(std::string_view text, TransportSettings* connection);

// The command line on which edgewise does one role, as `settings` say; without
// the command to run for each message, and without secrets.
std::vector<std::string> RoleArguments(const PipelineSettings& settings,
                                       Role role);

}  // namespace edgewise::mqtt

#endif  // EDGEWISE_MQTT_PIPELINE_SETTINGS_H_

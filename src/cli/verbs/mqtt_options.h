// The options of `edgewise mqtt` and its kin.
#ifndef EDGEWISE_CLI_VERBS_MQTT_OPTIONS_H_
#define EDGEWISE_CLI_VERBS_MQTT_OPTIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "mqtt/conductor.h"
#include "mqtt/pipeline_settings.h"

namespace CLI {
class App;
}  // namespace CLI

namespace edgewise::cli {

// As typed; empty where not given.
struct MqttOptions {
  std::string broker = "localhost:1883";
  std::string topic;
  std::string user;
  std::string password_file;
  std::string ca;
  std::string version = "5";
  std::string keep_alive;
  std::string session_expiry;
  std::string wait;
  int window = 100;
  std::string qos = "0";  // several in bench: "0,1,2"
  std::string format = "json";
  std::string run;  // hexadecimal
  bool direct = false;
  int report_fd = -1;

  std::string rate = "30";
  std::string duration;
  int64_t messages = 0;
  int64_t warm_up = -1;
  std::string payload;  // several in bench: "1KiB,64KiB"
  std::string arrivals = "even";
  uint64_t seed = 1;

  int64_t queue = 1000;
  bool per_message = false;
  std::string drain;

  std::vector<std::string> impair;
  std::string impair_links;
};

void AddConnectionOptions(CLI::App& verb, MqttOptions& options);
void AddProducerOptions(CLI::App& verb, MqttOptions& options, bool several);
// Of every role: quality of service and format.
void AddMessageOptions(CLI::App& verb, MqttOptions& options);
// --direct for roles that do not care, hidden.
void AddDirectOption(CLI::App& verb, MqttOptions& options);
void AddProcessorOptions(CLI::App& verb, MqttOptions& options);
void AddConsumerOptions(CLI::App& verb, MqttOptions& options);
void AddImpairOptions(CLI::App& verb, MqttOptions& options);

// The settings they stand for, with one QoS and one payload; the error names
// the flag. `command` is what followed "--". Reads the password.
Result<mqtt::PipelineSettings> PipelineFrom(
    const MqttOptions& options, const std::vector<std::string>& command);
// The same with a broker of its own for "auto", and one impairment or none.
Result<mqtt::ConductSettings> ConductFrom(
    const MqttOptions& options, const std::vector<std::string>& command);

// The command line of `edgewise mqtt pipeline` for these options; without the
// command after "--".
std::vector<std::string> PipelineArguments(const MqttOptions& options);

}  // namespace edgewise::cli

#endif  // EDGEWISE_CLI_VERBS_MQTT_OPTIONS_H_

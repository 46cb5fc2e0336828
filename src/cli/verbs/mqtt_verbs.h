// The verbs below `edgewise mqtt`, and what they share.
#ifndef EDGEWISE_CLI_VERBS_MQTT_VERBS_H_
#define EDGEWISE_CLI_VERBS_MQTT_VERBS_H_

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/context.h"
#include "sessions/settings.h"
#include "store/store.h"

namespace CLI {
class App;
}  // namespace CLI

namespace edgewise::cli {

void AddMqttBench(CLI::App& mqtt, Context& context);
void AddMqttRoles(CLI::App& mqtt, Context& context);
void AddMqttPipeline(CLI::App& mqtt, Context& context);
void AddMqttListen(CLI::App& mqtt, Context& context);
void AddMqttImport(CLI::App& mqtt, Context& context);
void AddMqttShow(CLI::App& mqtt, Context& context);

// How a result is shown, as typed.
struct MqttOutput {
  std::string html;
  std::string svg;
  bool json = false;
};
void AddMqttOutput(CLI::App& verb, MqttOutput& output);
// Shows Runs of the pipeline; the exit code.
int ShowMqtt(const Store& store, std::span<const Run> runs,
             const MqttOutput& output);

// Measures this very command line in a session of its own and shows the Run;
// the exit code.
int MeasureOwn(const Context& context, const MqttOutput& output,
               const std::string& label);

// A session of another edgewise; the settings have nothing but the command.
SessionSettings OwnSession(const std::vector<std::string>& arguments);
// Whether this process is measured already.
bool IsMeasured();
// What a program of ours said of its failure, from its output; empty if it
// said nothing.
std::string OwnComplaint(const Run& run);
// Stores what the pipeline's last line of output says about conditions.
Result<Run> KeepDetails(Store& store, const Run& run);

}  // namespace edgewise::cli

#endif  // EDGEWISE_CLI_VERBS_MQTT_VERBS_H_

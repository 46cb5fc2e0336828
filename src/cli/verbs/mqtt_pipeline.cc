// `edgewise mqtt pipeline`: one measurement, all three roles on this machine.
#include <CLI/CLI.hpp>
#include <cstdlib>
#include <memory>

#include "cli/verbs/mqtt_options.h"
#include "cli/verbs/mqtt_verbs.h"
#include "mqtt/conductor.h"
#include "report/json_writer.h"

namespace edgewise::cli {
namespace {

// The id of the Run that measures us, else a new one.
uint64_t RunToken() {
  const char* const id = std::getenv("EDGEWISE_RUN_ID");
  const std::string text = id != nullptr ? id : NewRunId();
  const uint64_t token = std::strtoull(text.c_str(), nullptr, 16);
  return token != 0 ? token : 1;
}

int Execute(const MqttOptions& options, const Context& context) {
  auto settings = ConductFrom(options, context.command);
  if (!settings) {
    return Fail(settings.error());
  }
  if (!settings->pipeline.run) {
    settings->pipeline.run = RunToken();
  }
  const auto conducted = mqtt::Conduct(*settings);
  if (!conducted) {
    return Fail(conducted.error());
  }
  JsonObject details;
  for (const auto& [name, value] : conducted->details) {
    details.AddString(name, value);
  }
  Print(details.text() + "\n");
  if (!conducted->failure.empty()) {
    PrintError(conducted->failure);
    return kExitNo;
  }
  return kExitDone;
}

}  // namespace

void AddMqttPipeline(CLI::App& mqtt, Context& context) {
  CLI::App* verb = mqtt.add_subcommand(
      "pipeline",
      "One measurement with all roles here; what `bench` runs for each, and "
      "prints its conditions");
  auto options = std::make_shared<MqttOptions>();
  AddConnectionOptions(*verb, *options);
  AddProducerOptions(*verb, *options, /*several=*/false);
  AddProcessorOptions(*verb, *options);
  AddConsumerOptions(*verb, *options);
  AddImpairOptions(*verb, *options);
  verb->footer(
      "Example: edgewise run -- edgewise mqtt pipeline --broker auto --qos 1");
  verb->callback(
      [options, &context] { context.exit_code = Execute(*options, context); });
}

}  // namespace edgewise::cli

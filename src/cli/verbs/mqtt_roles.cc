// `edgewise mqtt produce|process|consume`: one role, for three machines.
#include <CLI/CLI.hpp>
#include <csignal>
#include <functional>
#include <memory>

#include "cli/progress.h"
#include "cli/verbs/mqtt_options.h"
#include "cli/verbs/mqtt_verbs.h"
#include "controls/guardian.h"
#include "mqtt/consumer.h"
#include "mqtt/processor.h"
#include "mqtt/producer.h"
#include "mqtt/role_control.h"
#include "mqtt/role_process.h"
#include "sessions/outcome.h"
#include "sessions/session.h"

namespace edgewise::cli {
namespace {

Result<void> RunRole(const mqtt::PipelineSettings& settings, mqtt::Role role) {
  switch (role) {
    case mqtt::Role::kProduce:
      return mqtt::RunProducer(settings);
    case mqtt::Role::kProcess:
      return mqtt::RunProcessor(settings);
    case mqtt::Role::kConsume:
      break;
  }
  return mqtt::RunConsumer(settings);
}

int Execute(const MqttOptions& options, const MqttOutput& output,
            mqtt::Role role, const Context& context) {
  const auto settings = PipelineFrom(options, context.command);
  if (!settings) {
    return Fail(settings.error());
  }
  if (!IsMeasured() && options.report_fd < 0) {
    return MeasureOwn(context, output, std::string(mqtt::RoleVerb(role)));
  }
  const auto done = RunRole(*settings, role);
  if (done) {
    return kExitDone;
  }
  if (options.report_fd >= 0) {
    mqtt::RoleControl(options.report_fd).Say(mqtt::FailureLine(done.error()));
    return kExitNo;
  }
  return Fail(done.error());
}

}  // namespace

int MeasureOwn(const Context& context, const MqttOutput& output,
               const std::string& label) {
  auto store = Store::Open(context.home);
  if (!store) {
    return Fail(store.error());
  }
  (void)SweepStale(context.home);
  SessionSettings session = OwnSession(context.arguments);
  session.label = "mqtt " + label;
  session.experiment = "mqtt " + label;
  session.pass_output = false;
  ProgressLine progress(!output.json);
  const auto run = RunSession(*store, session, progress.Listener());
  progress.Clear();
  if (!run) {
    return Fail(run.error());
  }
  if (const std::string complaint = OwnComplaint(*run); !complaint.empty()) {
    PrintError(complaint);
  }
  const int code = ExitCodeOf(*run);
  if (code != 0 && !WasCancelled(*run)) {
    return code;
  }
  const int shown = ShowMqtt(*store, std::span(&*run, 1), output);
  return shown == kExitDone && WasCancelled(*run) && label == "produce"
             ? kExitCancelled
             : shown;
}

void AddMqttRoles(CLI::App& mqtt, Context& context) {
  const auto add = [&](mqtt::Role role, const char* description,
                       const std::function<void(CLI::App&, MqttOptions&)>& own,
                       const char* footer) {
    CLI::App* verb =
        mqtt.add_subcommand(std::string(mqtt::RoleVerb(role)), description);
    auto options = std::make_shared<MqttOptions>();
    auto output = std::make_shared<MqttOutput>();
    AddConnectionOptions(*verb, *options);
    own(*verb, *options);
    AddMqttOutput(*verb, *output);
    verb->footer(footer);
    verb->callback([options, output, role, &context] {
      context.exit_code = Execute(*options, *output, role, context);
    });
  };
  add(
      mqtt::Role::kProduce, "Publish messages at the times they are due",
      [](CLI::App& verb, MqttOptions& options) {
        AddProducerOptions(verb, options, /*several=*/false);
        AddDirectOption(verb, options);
      },
      "Start the consumer first, then the processor.\n"
      "Example: edgewise mqtt produce --broker pi:1883 --qos 1 --rate 30 "
      "--duration 60s");
  add(
      mqtt::Role::kProcess, "Take messages, have work done, publish results",
      [](CLI::App& verb, MqttOptions& options) {
        AddMessageOptions(verb, options);
        AddProcessorOptions(verb, options);
        AddDirectOption(verb, options);
        verb.add_option("--rate", options.rate,
                        "Of messages; the --period of the sample apps "
                        "(default 30)")
            ->type_name("HZ");
        verb.add_option("--drain", options.drain,
                        "How long to go on without messages after the "
                        "producer's end (default 3s)")
            ->type_name("TIME");
      },
      "Without a command it answers at once. Ends with the producer, or on "
      "Ctrl-C.\n"
      "Example: edgewise mqtt process --broker pi:1883 --qos 1 -- "
      "./build/release/apps/image");
  add(
      mqtt::Role::kConsume, "Take results, and say where their time went",
      [](CLI::App& verb, MqttOptions& options) {
        AddMessageOptions(verb, options);
        AddConsumerOptions(verb, options);
      },
      "Ends with the producer, or on Ctrl-C.\n"
      "Example: edgewise mqtt consume --broker pi:1883 --qos 1");
}

}  // namespace edgewise::cli

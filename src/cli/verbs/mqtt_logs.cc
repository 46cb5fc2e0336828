// `edgewise mqtt listen` and `edgewise mqtt import`: messages of other
// programs.
#include <CLI/CLI.hpp>
#include <memory>

#include "base/units.h"
#include "cli/option_values.h"
#include "cli/verbs/mqtt_options.h"
#include "cli/verbs/mqtt_verbs.h"
#include "mqtt/consumer.h"
#include "mqtt/import_log.h"

namespace edgewise::cli {
namespace {

struct ListenOptions {
  MqttOptions mqtt;
  MqttOutput output;
  std::string filter = "lab/e2e/#";
  std::string duration;
};

int Listen(const ListenOptions& options, const Context& context) {
  const auto settings = PipelineFrom(options.mqtt, {});
  if (!settings) {
    return Fail(settings.error());
  }
  if (options.filter.empty()) {
    return Fail({ErrorCode::kInvalid, "--topic must not be empty"});
  }
  const auto duration_ns = DurationOption("--duration", options.duration);
  if (!duration_ns) {
    return Fail(duration_ns.error());
  }
  if (!IsMeasured()) {
    return MeasureOwn(context, options.output, "listen");
  }
  const auto done = mqtt::RunListener(*settings, options.filter, *duration_ns);
  return done ? kExitDone : Fail(done.error());
}

struct ImportOptions {
  std::string file;
  std::string label;
  MqttOutput output;
};

int Import(const ImportOptions& options, const Context& context) {
  auto store = Store::Open(context.home);
  if (!store) {
    return Fail(store.error());
  }
  const auto import = mqtt::ImportLog(*store, options.file, options.label);
  if (!import) {
    return Fail(import.error());
  }
  PrintToStderr("Run " + import->run.id + ": " +
                FormatCount(import->messages, "message") + " from " +
                options.file +
                (import->foreign_lines > 0
                     ? "; " + FormatCount(import->foreign_lines, "line") +
                           " of another kind skipped"
                     : "") +
                "\n");
  for (const std::string& warning : import->run.warnings) {
    PrintError(warning);
  }
  return ShowMqtt(*store, std::span(&import->run, 1), options.output);
}

}  // namespace

void AddMqttListen(CLI::App& mqtt, Context& context) {
  CLI::App* verb = mqtt.add_subcommand(
      "listen", "Break down messages that other programs send");
  auto options = std::make_shared<ListenOptions>();
  AddConnectionOptions(*verb, options->mqtt);
  verb->remove_option(verb->get_option("--topic"));
  verb->add_option("--topic", options->filter,
                   "What to listen to (default lab/e2e/#)")
      ->type_name("FILTER");
  AddMessageOptions(*verb, options->mqtt);
  verb->add_option("--duration", options->duration,
                   "How long (default: until Ctrl-C)")
      ->type_name("TIME");
  AddMqttOutput(*verb, options->output);
  verb->footer(
      "Messages are JSON with id and t_pub_ns; results also have t_done_ns.\n"
      "Example: edgewise mqtt listen --topic 'lab/e2e/#' --duration 60s");
  verb->callback(
      [options, &context] { context.exit_code = Listen(*options, context); });
}

void AddMqttImport(CLI::App& mqtt, Context& context) {
  CLI::App* verb =
      mqtt.add_subcommand("import", "Make a Run of a log of messages");
  auto options = std::make_shared<ImportOptions>();
  verb->add_option("FILE", options->file,
                   "Lines of a time, a topic and a payload")
      ->required();
  verb->add_option("--label", options->label, "A name to find the Run by")
      ->type_name("TEXT");
  AddMqttOutput(*verb, options->output);
  verb->footer(
      "Example: mosquitto_sub -v -t 'lab/e2e/#' | ts '%.s' >mqtt_log.txt\n"
      "         edgewise mqtt import mqtt_log.txt");
  verb->callback(
      [options, &context] { context.exit_code = Import(*options, context); });
}

}  // namespace edgewise::cli

// `edgewise mqtt`: where the milliseconds go, from producer to consumer.
#include <CLI/CLI.hpp>

#include "cli/verbs.h"
#include "cli/verbs/mqtt_verbs.h"

namespace edgewise::cli {

void AddMqtt(CLI::App& root, Context& context) {
  CLI::App* verb = root.add_subcommand(
      "mqtt", "Measure messages from producer over processor to consumer");
  verb->require_subcommand(1);
  AddMqttBench(*verb, context);
  AddMqttRoles(*verb, context);
  AddMqttPipeline(*verb, context);
  AddMqttListen(*verb, context);
  AddMqttImport(*verb, context);
  AddMqttShow(*verb, context);
  for (CLI::App* inner : verb->get_subcommands({})) {
    inner->fallthrough();
  }
  verb->footer(
      "Examples:\n"
      "  edgewise mqtt bench --broker auto --qos 0,1,2 --payload 1KiB,64KiB\n"
      "  edgewise mqtt bench --qos 1 --rate 30 -- ./build/release/apps/image\n"
      "  edgewise mqtt listen --topic 'lab/e2e/#'");
}

}  // namespace edgewise::cli

// `edgewise mqtt show` and what the verbs below `edgewise mqtt` share.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "base/text.h"
#include "cli/output_file.h"
#include "cli/verbs/mqtt_verbs.h"
#include "mqtt/json_fields.h"
#include "mqtt/pipeline_report.h"
#include "report/mqtt_text.h"

namespace edgewise::cli {
namespace {

constexpr std::string_view kOwnWords = "edgewise: ";

int Execute(const std::string& reference, const MqttOutput& output,
            const Context& context) {
  const auto store = Store::Open(context.home);
  if (!store) {
    return Fail(store.error());
  }
  // A group by its own id, or by any of its Runs.
  ListFilter filter;
  filter.group = reference;
  auto runs = store->List(filter);
  if (!runs) {
    return Fail(runs.error());
  }
  if (runs->empty()) {
    auto run = store->Find(reference);
    if (!run) {
      return Fail(run.error());
    }
    if (run->group.empty()) {
      runs = std::vector<Run>{*run};
    } else {
      filter.group = run->group;
      runs = store->List(filter);
      if (!runs) {
        return Fail(runs.error());
      }
    }
  }
  std::reverse(runs->begin(), runs->end());
  return ShowMqtt(*store, *runs, output);
}

}  // namespace

void AddMqttOutput(CLI::App& verb, MqttOutput& output) {
  verb.add_option("--html", output.html, "Write a page with all of it")
      ->type_name("FILE");
  verb.add_option("--svg", output.svg,
                  "Write the waterfalls, and the matrix of impairments, as SVG "
                  "files")
      ->type_name("DIR");
  verb.add_flag("--json", output.json, "Print JSON alone on stdout");
}

int ShowMqtt(const Store& store, std::span<const Run> runs,
             const MqttOutput& output) {
  if (output.html == "-" && output.json) {
    return Fail({ErrorCode::kInvalid,
                 "--html - and --json both want stdout: write one to a file"});
  }
  const auto report = mqtt::MakePipelineReport(store, runs);
  if (!report) {
    return Fail(report.error());
  }
  if (!output.svg.empty()) {
    if (const auto made = MakeOutputFolder(output.svg); !made) {
      return Fail(made.error());
    }
    for (const auto& [name, svg] : MqttPictures(*report)) {
      const auto path = std::filesystem::path(output.svg) / (name + ".svg");
      if (const auto written = WriteOutput(path.string(), svg); !written) {
        return Fail(written.error());
      }
    }
  }
  if (!output.html.empty()) {
    if (const auto written = WriteOutput(output.html, MqttHtml(*report));
        !written) {
      return Fail(written.error());
    }
  }
  if (output.html != "-") {
    Print(output.json ? MqttJson(*report)
                      : MqttText(*report, StyleFor(STDOUT_FILENO)));
  }
  return kExitDone;
}

SessionSettings OwnSession(const std::vector<std::string>& arguments) {
  SessionSettings settings;
  std::error_code ignored;
  settings.command = {
      std::filesystem::read_symlink("/proc/self/exe", ignored).string()};
  settings.command.insert(settings.command.end(), arguments.begin(),
                          arguments.end());
  return settings;
}

bool IsMeasured() {
  const char* const socket = std::getenv("EDGEWISE_SOCKET");
  return socket != nullptr && *socket != '\0';
}

std::string OwnComplaint(const Run& run) {
  std::string complaint;
  for (const std::string_view line : Split(run.output_tail, '\n')) {
    if (line.starts_with(kOwnWords)) {
      complaint = line.substr(kOwnWords.size());
    }
  }
  return complaint;
}

Result<Run> KeepDetails(Store& store, const Run& run) {
  Run kept = run;
  for (const std::string_view line : Split(run.output_tail, '\n')) {
    mqtt::JsonFields fields(line);
    std::map<std::string, std::string> details;
    while (fields.Next()) {
      details[std::string(fields.name())] = fields.Text().value_or("");
    }
    if (fields.whole() && !details.empty()) {
      kept.details = std::move(details);
    }
  }
  if (!kept.details.empty()) {
    if (const auto set = store.SetDetails(run.id, kept.details); !set) {
      return set.error();
    }
  }
  return kept;
}

void AddMqttShow(CLI::App& mqtt, Context& context) {
  CLI::App* verb = mqtt.add_subcommand(
      "show", "Show a measurement again, by its id or a Run of it");
  auto reference = std::make_shared<std::string>("last");
  auto output = std::make_shared<MqttOutput>();
  verb->add_option("ID", *reference, "Default: the last Run");
  AddMqttOutput(*verb, *output);
  verb->callback([reference, output, &context] {
    context.exit_code = Execute(*reference, *output, context);
  });
}

}  // namespace edgewise::cli

// `edgewise mqtt bench`: a grid of QoS, payloads and impairments, a Run each.
#include <CLI/CLI.hpp>
#include <memory>

#include "base/text.h"
#include "cli/progress.h"
#include "cli/verbs/mqtt_options.h"
#include "cli/verbs/mqtt_verbs.h"
#include "controls/guardian.h"
#include "sessions/outcome.h"
#include "sessions/session.h"

namespace edgewise::cli {
namespace {

// Roles need a moment to end in order.
constexpr int64_t kGraceNs = 8 * kNsPerSecond;

struct Options {
  MqttOptions mqtt;
  MqttOutput output;
  bool compare_impairment = false;
  std::string label;
  int64_t repeat = 1;
};

// One option set for each combination, checked.
Result<std::vector<MqttOptions>> CellsOf(const Options& options,
                                         const Context& context) {
  std::vector<std::string> impairments = options.mqtt.impair;
  if (options.compare_impairment) {
    if (impairments.empty()) {
      return Error{ErrorCode::kInvalid,
                   "--compare-impairment needs --impair, as "
                   "delay=40ms,loss=1%: it is compared with none"};
    }
    impairments.insert(impairments.begin(), "none");
  }
  if (impairments.empty()) {
    impairments.emplace_back("none");
  }
  const std::string payloads =
      options.mqtt.payload.empty() ? "1KiB" : options.mqtt.payload;
  std::vector<MqttOptions> cells;
  for (const std::string_view payload : Split(payloads, ',')) {
    for (const std::string_view qos : Split(options.mqtt.qos, ',')) {
      for (const std::string& impairment : impairments) {
        MqttOptions cell = options.mqtt;
        cell.payload = payload;
        cell.qos = qos;
        cell.impair = {impairment};
        if (const auto settings = ConductFrom(cell, context.command);
            !settings) {
          return settings.error();
        }
        cells.push_back(std::move(cell));
      }
    }
  }
  return cells;
}

// The broker and the app are checked by the first Run; what is wrong with them
// is wrong for all.
bool IsHopeless(int code) {
  return code == kExitUsage || code == kExitEnvironment;
}

int Execute(const Options& options, const Context& context) {
  const auto cells = CellsOf(options, context);
  if (!cells) {
    return Fail(cells.error());
  }
  auto store = Store::Open(context.home);
  if (!store) {
    return Fail(store.error());
  }
  (void)SweepStale(context.home);
  ProgressLine progress(!options.output.json);
  const std::string group = NewRunId();
  std::vector<Run> runs;
  bool failed = false;
  bool cancelled = false;
  for (const MqttOptions& cell : *cells) {
    for (int64_t repeat = 0; repeat < options.repeat && !cancelled; ++repeat) {
      SessionSettings session = OwnSession(PipelineArguments(cell));
      if (!context.command.empty()) {
        session.command.emplace_back("--");
        session.command.insert(session.command.end(), context.command.begin(),
                               context.command.end());
      }
      session.label = options.label;
      session.group = group;
      session.group_role = "qos=" + cell.qos + " payload=" + cell.payload +
                           " impair=" + cell.impair.front();
      session.experiment = "mqtt bench";
      session.repeat_index = static_cast<int>(repeat);
      session.run_number = static_cast<int>(runs.size()) + 1;
      session.run_count =
          static_cast<int>(cells->size()) * static_cast<int>(options.repeat);
      session.pass_output = false;
      session.grace_ns = kGraceNs;
      const auto run = RunSession(*store, session, progress.Listener());
      progress.Clear();
      if (!run) {
        return Fail(run.error());
      }
      const int code = ExitCodeOf(*run);
      cancelled = WasCancelled(*run);
      if (code != 0 && !cancelled) {
        const std::string complaint = OwnComplaint(*run);
        PrintError(complaint.empty()
                       ? "the measurement failed: " + FailureText(*run) +
                             " (edgewise show " + run->id + " has its output)"
                       : complaint);
        if (IsHopeless(code)) {
          return code;
        }
        failed = true;
      }
      auto kept = KeepDetails(*store, *run);
      if (!kept) {
        return Fail(kept.error());
      }
      runs.push_back(std::move(*kept));
    }
  }
  const int shown = ShowMqtt(*store, runs, options.output);
  if (cancelled) {
    PrintError(
        "cancelled: what was measured before is in the store (edgewise "
        "mqtt show " +
        group + ")");
    return kExitCancelled;
  }
  return shown != kExitDone ? shown : failed ? kExitNo : kExitDone;
}

}  // namespace

void AddMqttBench(CLI::App& mqtt, Context& context) {
  CLI::App* verb = mqtt.add_subcommand(
      "bench", "Measure QoS by payload by impairment, all roles here");
  auto options = std::make_shared<Options>();
  AddConnectionOptions(*verb, options->mqtt);
  AddProducerOptions(*verb, options->mqtt, /*several=*/true);
  AddProcessorOptions(*verb, options->mqtt);
  AddConsumerOptions(*verb, options->mqtt);
  AddImpairOptions(*verb, options->mqtt);
  verb->add_flag("--compare-impairment", options->compare_impairment,
                 "Measure without impairment as well, and show QoS by "
                 "impairment in one matrix");
  verb->add_option("--repeat", options->repeat, "Runs of each (default 1)")
      ->type_name("N")
      ->check(CLI::Range(1, 10000).description(""));
  verb->add_option("--label", options->label, "A name to find the Runs by")
      ->type_name("TEXT");
  AddMqttOutput(*verb, options->output);
  verb->footer(
      "--broker auto starts mosquitto on a free port for the time of the "
      "measurement.\n"
      "What follows -- does the work of each message: a program that uses "
      "Periodic (the\nsample apps), or any other with --per-message.\n"
      "Examples:\n"
      "  edgewise mqtt bench --broker auto --qos 0,1,2 --payload 1KiB,64KiB "
      "--rate 30 --duration 30s -- ./build/release/apps/image\n"
      "  edgewise mqtt bench --broker auto --qos 0,1,2 --impair "
      "delay=40ms,loss=1% --compare-impairment --svg pictures");
  verb->callback(
      [options, &context] { context.exit_code = Execute(*options, context); });
}

}  // namespace edgewise::cli

#include "cli/verbs/calibrate_device.h"

#include <unistd.h>

#include <CLI/CLI.hpp>

#include "base/text.h"
#include "cli/context.h"
#include "cli/output_file.h"
#include "cli/verbs/latency_files.h"
#include "prediction/calibrate_device.h"
#include "prediction/model_file.h"
#include "report/prediction_text.h"

namespace edgewise::cli {
namespace {

Result<std::map<std::string, double>> Measured(const std::string& file) {
  const auto text = ReadFile(file);
  if (!text) {
    return text.error();
  }
  const auto table = ParseCsv(*text, file);
  if (!table) {
    return table.error();
  }
  return ReadMeasuredTable(*table, file);
}

}  // namespace

void AddDeviceOptions(CLI::App& verb, DeviceOptions& options) {
  verb.add_option("--device", options.device,
                  "Add the device of this name to a model of latencies, by a "
                  "few networks measured on it (--measured)")
      ->type_name("NAME");
  verb.add_option("--measured", options.measured,
                  "Of --device: CSV with the columns model and min_ms; five "
                  "networks do, such as squeezenet, mobilenet_v2, resnet18, "
                  "mobilenet_int8 and alexnet")
      ->type_name("FILE");
  verb.add_option("--spec", options.spec,
                  "Of --device: what is known of it, such as \"Cortex-A76 "
                  "2.4GHz\"")
      ->type_name("TEXT");
  verb.add_option("--threads", options.threads,
                  "Of --device: threads the networks ran with (default 1)")
      ->type_name("N")
      ->check(CLI::Range(1, 100000).description(""));
  verb.add_option("--model", options.model,
                  "Of --device: the model to start from (default: the one that "
                  "comes with edgewise)")
      ->type_name("FILE");
  verb.add_option("-o,--output", options.output,
                  "Of --device: the model with the device in it")
      ->type_name("FILE");
}

int CalibrateDeviceVerb(const DeviceOptions& options, bool json) {
  if (options.measured.empty() || options.output.empty()) {
    return Fail({ErrorCode::kInvalid,
                 "--device needs --measured FILE (CSV with model and min_ms) "
                 "and -o FILE for the model with the device in it"});
  }
  auto model = LoadModel(options.model);
  if (!model) {
    return Fail(model.error());
  }
  const auto measured = Measured(options.measured);
  if (!measured) {
    return Fail(measured.error());
  }
  DeviceSpec spec = SpecFromWords(options.spec + " " + options.device);
  spec.threads = options.threads;
  auto placement = CalibrateDevice(*model, options.device, spec, *measured);
  if (!placement) {
    return Fail(placement.error());
  }
  // The same device and threads again replaces what was there.
  std::erase_if(model->runs, [&](const KnownRun& run) {
    return run.corrections.size() > 0 && run.device == options.device &&
           run.spec.threads == options.threads;
  });
  model->runs.push_back(placement->run);
  if (const Result<void> written =
          WriteOutput(options.output, WriteModel(*model));
      !written) {
    return Fail(written.error());
  }
  if (options.output != "-") {
    Print(json ? PlacementJson(*placement)
               : PlacementText(*model, *placement, StyleFor(STDOUT_FILENO)));
  }
  return kExitDone;
}

}  // namespace edgewise::cli

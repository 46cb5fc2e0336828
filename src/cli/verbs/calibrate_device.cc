#include "cli/verbs/calibrate_device.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "base/text.h"
#include "cli/context.h"
#include "cli/output_file.h"
#include "cli/verbs/latency_files.h"
#include "controls/guardian.h"
#include "experiments/reference_networks.h"
#include "prediction/calibrate_device.h"
#include "prediction/model_file.h"
#include "report/placement_text.h"
#include "stress/micro_kernels.h"

namespace edgewise::cli {
namespace {

// What is known of the device, measured or read.
struct Evidence {
  std::map<std::string, double> min_ms;
  std::vector<MeasuredWork> work;
  std::string spec_words;
  std::vector<std::string> failures;
  bool cancelled = false;
};

Result<Evidence> ReadEvidence(const std::string& file) {
  const auto text = ReadFile(file);
  if (!text) {
    return text.error();
  }
  const auto table = ParseCsv(*text, file);
  if (!table) {
    return table.error();
  }
  auto measured = ReadMeasuredTable(*table, file);
  if (!measured) {
    return measured.error();
  }
  Evidence evidence;
  evidence.min_ms = std::move(*measured);
  return evidence;
}

// This machine: reference networks first, then what it does at best.
Result<Evidence> MeasureHere(const DeviceOptions& options,
                             const Context& context) {
  ReferenceRequest request;
  std::error_code error;
  request.home = context.home;
  request.program =
      std::filesystem::read_symlink("/proc/self/exe", error).string();
  request.threads = options.threads;
  auto dl = FindSampleApp("dl", request.program);
  if (!dl) {
    return dl.error();
  }
  request.dl = std::move(*dl);
  (void)SweepStale(context.home);
  const bool shown = ::isatty(STDERR_FILENO) == 1;
  auto report = MeasureReferenceNetworks(
      request, [shown](const MeasureModelProgress& at) {
        if (shown) {
          PrintToStderr("\r\033[K" + std::to_string(at.step) + " of " +
                        std::to_string(at.steps) + ": " + at.what);
        }
      });
  if (shown) {
    PrintToStderr("\r\033[K");
  }
  if (!report) {
    return report.error();
  }
  Evidence evidence;
  evidence.min_ms = std::move(report->min_ms);
  evidence.failures = std::move(report->failures);
  evidence.cancelled = report->cancelled;
  evidence.spec_words = report->machine.cpu_model + " " +
                        report->machine.architecture + " " +
                        report->machine.board;
  if (!evidence.cancelled) {
    evidence.work = MicroKernelWork(MegaMacsPerMs(options.threads),
                                    MegabytesPerMs(options.threads));
  }
  return evidence;
}

}  // namespace

void AddDeviceOptions(CLI::App& verb, DeviceOptions& options) {
  verb.add_option("--device", options.device,
                  "Add this machine under this name to a model of latencies, "
                  "by a few networks that are measured now (a minute), or "
                  "another one by --measured")
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

int CalibrateDeviceVerb(const DeviceOptions& options, const Context& context,
                        bool json) {
  if (options.output.empty()) {
    return Fail({ErrorCode::kInvalid,
                 "--device needs -o FILE for the model with the device in it"});
  }
  auto model = LoadModel(options.model);
  if (!model) {
    return Fail(model.error());
  }
  const auto evidence = options.measured.empty()
                            ? MeasureHere(options, context)
                            : ReadEvidence(options.measured);
  if (!evidence) {
    return Fail(evidence.error());
  }
  if (evidence->cancelled) {
    PrintError("cancelled; nothing was kept");
    return kExitCancelled;
  }
  for (const std::string& failure : evidence->failures) {
    PrintError("not measured: " + failure);
  }
  DeviceSpec spec = SpecFromWords(options.spec + " " + options.device + " " +
                                  evidence->spec_words);
  spec.threads = options.threads;
  auto placement = CalibrateDevice(*model, options.device, spec,
                                   evidence->min_ms, evidence->work);
  if (!placement) {
    return Fail(placement.error());
  }
  const auto checks =
      CheckPlacement(*model, spec, evidence->min_ms, evidence->work);
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
    Print(json ? PlacementJson(*placement, checks)
               : PlacementText(*model, *placement, checks,
                               StyleFor(STDOUT_FILENO)));
  }
  return kExitDone;
}

}  // namespace edgewise::cli

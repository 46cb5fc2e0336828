// `edgewise measure-model`: how long a network takes here, under load.
#include "experiments/measure_model.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/text.h"
#include "cli/output_file.h"
#include "cli/verbs.h"
#include "cli/verbs/onnx_options.h"
#include "controls/guardian.h"
#include "report/measurements.h"

namespace edgewise::cli {
namespace {

struct Options {
  std::string file;
  OnnxOptions onnx;
  std::string loads = "0";
  std::string threads = "1";
  std::string precision = "fp32";
  std::string output = "-";
  int repeat = 30;
  int warmup = 5;
  uint64_t seed = 1;
};

// "0,25,50": numbers from `least` to `most`, none twice.
Result<std::vector<double>> NumberList(const char* flag,
                                       const std::string& text, double least,
                                       double most, const char* what) {
  std::vector<double> numbers;
  for (const std::string_view piece : Split(text, ',')) {
    const auto number = ParseDouble(Trim(piece));
    if (!number || !(*number >= least && *number <= most) ||
        *number != static_cast<double>(static_cast<int>(*number))) {
      return Error{ErrorCode::kInvalid, std::string(flag) + ": \"" +
                                            std::string(piece) + "\" is not " +
                                            what};
    }
    if (std::find(numbers.begin(), numbers.end(), *number) != numbers.end()) {
      return Error{ErrorCode::kInvalid, std::string(flag) + ": \"" +
                                            std::string(piece) +
                                            "\" is there twice: once will do"};
    }
    numbers.push_back(*number);
  }
  return numbers;
}

Result<MeasureModelRequest> RequestFrom(const Options& options,
                                        const Context& context) {
  MeasureModelRequest request;
  request.home = context.home;
  request.model = options.file;
  request.precision = options.precision;
  request.repeat = options.repeat;
  request.warmup = options.warmup;
  request.seed = options.seed;
  auto loads = NumberList("--load", options.loads, 0, 100,
                          "a whole percentage from 0 to 100");
  if (!loads) {
    return loads.error();
  }
  request.loads_percent = std::move(*loads);
  const auto threads = NumberList("--threads", options.threads, 1, 1024,
                                  "a number of threads from 1 to 1024");
  if (!threads) {
    return threads.error();
  }
  request.threads.assign(threads->begin(), threads->end());
  std::error_code error;
  request.program =
      std::filesystem::read_symlink("/proc/self/exe", error).string();
  auto app = FindSampleApp("dl", request.program);
  if (!app) {
    return app.error();
  }
  request.dl = std::move(*app);
  return request;
}

std::optional<double> DiskPercent() {
  std::error_code error;
  const auto space = std::filesystem::space("/", error);
  if (error || space.capacity == 0) {
    return std::nullopt;
  }
  return 100 * (1 - static_cast<double>(space.available) /
                        static_cast<double>(space.capacity));
}

Result<OnnxModel> Inspected(const Options& options) {
  const auto shapes = InputShapesFrom(options.onnx);
  return shapes ? ReadOnnxFile(options.file, *shapes)
                : Result<OnnxModel>(shapes.error());
}

int Execute(const Options& options, const Context& context) {
  const auto model = Inspected(options);
  if (!model) {
    return Fail(model.error());
  }
  const auto request = RequestFrom(options, context);
  if (!request) {
    return Fail(request.error());
  }
  (void)SweepStale(context.home);
  const bool shown = ::isatty(STDERR_FILENO) == 1;
  const auto report =
      MeasureModel(*request, [shown](const MeasureModelProgress& at) {
        if (shown) {
          PrintToStderr("\r\033[K" + std::to_string(at.step) + " of " +
                        std::to_string(at.steps) + ": " + at.what);
        }
      });
  if (shown) {
    PrintToStderr("\r\033[K");
  }
  if (!report) {
    return Fail(report.error());
  }
  const Result<void> written = WriteOutput(
      options.output, MeasurementsCsv(*model, *report, DiskPercent()));
  if (!written) {
    return Fail(written.error());
  }
  if (options.output != "-") {
    Print(MeasurementsText(*model, *report, StyleFor(STDOUT_FILENO)));
  }
  if (report->cancelled) {
    PrintError("cancelled: " + std::to_string(report->rows.size()) +
               " rows were measured before");
    return kExitCancelled;
  }
  for (const ModelMeasurement& row : report->rows) {
    if (!row.failure.empty()) {
      PrintError("not every row could be measured: " + row.failure);
      return kExitNo;
    }
  }
  return kExitDone;
}

}  // namespace

void AddMeasureModel(CLI::App& root, Context& context) {
  CLI::App* verb = root.add_subcommand(
      "measure-model", "Measure how long a neural network takes, under load");
  auto options = std::make_shared<Options>();
  verb->add_option("MODEL", options->file, "An ONNX file")->required();
  AddOnnxOptions(*verb, options->onnx);
  verb->add_option("--load", options->loads,
                   "Background load to measure under, in percent of all cores "
                   "(default 0)")
      ->type_name("LIST");
  verb->add_option("--threads", options->threads,
                   "Threads of the network (default 1)")
      ->type_name("LIST");
  verb->add_option("--repeat", options->repeat,
                   "Inferences for each row, at least (default 30); as many "
                   "more as two seconds take")
      ->type_name("N")
      ->check(CLI::Range(1, 100000).description(""));
  verb->add_option("--warmup", options->warmup,
                   "Inferences before them that do not count (default 5)")
      ->type_name("N")
      ->check(CLI::Range(0, 100000).description(""));
  verb->add_option("--precision", options->precision,
                   "fp32 (default), or int8, made of it by quantising")
      ->type_name("KIND")
      ->check(CLI::IsMember({"fp32", "int8"}).description(""));
  verb->add_option("--seed", options->seed,
                   "Of the order of measurements (default 1)")
      ->type_name("N");
  verb->add_option("--output,-o", options->output,
                   "File for the rows (default: stdout; with a file a table "
                   "is shown)")
      ->type_name("FILE");
  verb->footer(
      "The sample app dl runs the network with OpenCV. Rows are CSV: see "
      "docs/formats/measurements.md.\n"
      "Example: edgewise measure-model net.onnx --load 0,25,50,75 --threads "
      "1,2 -o net.csv");
  verb->callback(
      [options, &context] { context.exit_code = Execute(*options, context); });
}

}  // namespace edgewise::cli

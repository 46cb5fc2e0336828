// `edgewise inspect`: what a model costs, without running it.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/verbs.h"
#include "cli/verbs/onnx_options.h"
#include "report/inspect_text.h"

namespace edgewise::cli {
namespace {

struct Options {
  std::string file;
  OnnxOptions onnx;
  bool layers = false;
  bool json = false;
};

int Execute(const Options& options) {
  const auto shapes = InputShapesFrom(options.onnx);
  if (!shapes) {
    return Fail(shapes.error());
  }
  const auto model = ReadOnnxFile(options.file, *shapes);
  if (!model) {
    return Fail(model.error());
  }
  Print(options.json
            ? InspectJson(*model, options.layers)
            : InspectText(*model, options.layers, StyleFor(STDOUT_FILENO)));
  return kExitDone;
}

}  // namespace

void AddInspect(CLI::App& root, Context& context) {
  CLI::App* verb = root.add_subcommand(
      "inspect", "Say what a neural network costs, without running it");
  auto options = std::make_shared<Options>();
  verb->add_option("MODEL", options->file, "An ONNX file")->required();
  AddOnnxOptions(*verb, options->onnx);
  verb->add_flag("--layers", options->layers,
                 "Show each layer, not only sums by operator");
  verb->add_flag("--json", options->json, "Print JSON alone on stdout");
  verb->footer(
      "Shapes are worked out from those of the inputs; weights are not read.\n"
      "Example: edgewise inspect detector.onnx --input-shape "
      "images=1x3x640x640");
  verb->callback(
      [options, &context] { context.exit_code = Execute(*options); });
}

}  // namespace edgewise::cli

// dl: image classification (and detection) in FP32 and INT8.
#include <CLI/CLI.hpp>

#include "base/text.h"
#include "dl/dl_work.h"
#include "input/video.h"
#include "load/drive.h"
#include "load/program.h"
#include "models/architectures.h"

namespace edgewise::apps {
namespace {

constexpr int64_t kDefaultItems = 100;
constexpr int kMostBatch = 256;

Result<Outcome> Run(const DlSettings& settings, const LoadOptions& options) {
  SilenceOpenCv();
  auto work = DlWork::Make(settings, options);
  if (!work) {
    return work.error();
  }
  auto outcome = Drive(options, **work);
  if (outcome) {
    (*work)->Describe(*outcome);
  }
  return outcome;
}

}  // namespace
}  // namespace edgewise::apps

int main(int argc, char** argv) {
  using namespace edgewise::apps;
  CLI::App app("Runs a neural network on pictures.", "dl");
  LoadFlags flags(kDefaultItems);
  DlSettings settings;
  app.add_option("--model", settings.model,
                 "An ONNX file, or one of " +
                     edgewise::Join(ArchitectureNames(), ", ") +
                     " (default mobilenetv2)")
      ->type_name("MODEL");
  app.add_option("--precision", settings.precision,
                 "fp32 (default) or int8, which is compared with fp32 first")
      ->type_name("KIND")
      ->check(CLI::IsMember({"fp32", "int8"}).description(""));
  app.add_option("--batch", settings.batch,
                 "Pictures in one item (default 1); fps counts pictures")
      ->type_name("N")
      ->check(CLI::Range(1, kMostBatch).description(""));
  flags.AddInputTo(app, kVideoForms);
  flags.AddTo(app);
  app.footer(
      "Named models are made on first use, with weights that mean nothing, in "
      "\n$EDGEWISE_MODELS or the user's cache folder.\n"
      "Example: edgewise run -- dl --model resnet18 --precision int8");
  return RunProgram(argc, argv, app, flags, [&](const LoadOptions& options) {
    return Run(settings, options);
  });
}

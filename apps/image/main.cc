// image: video frames -> resize, background subtraction, optical flow,
// contour features.
#include <CLI/CLI.hpp>

#include "image/image_work.h"
#include "input/video.h"
#include "load/drive.h"
#include "load/program.h"

namespace edgewise::apps {
namespace {

constexpr int64_t kDefaultItems = 300;

Result<Outcome> Run(const LoadOptions& options) {
  SilenceOpenCv();
  auto source = OpenVideo(options.input, options.seed);
  if (!source) {
    return source.error();
  }
  ImageWork work(std::move(*source), options.threads, options.seed);
  return Drive(options, work);
}

}  // namespace
}  // namespace edgewise::apps

int main(int argc, char** argv) {
  using namespace edgewise::apps;
  CLI::App app(
      "Finds what moves in a video: resize, background subtraction, optical "
      "flow, contours.",
      "image");
  LoadFlags flags(kDefaultItems);
  flags.AddInputTo(app, kVideoForms);
  flags.AddTo(app);
  app.footer("Example: edgewise run -- image --rate 15 --duration 30s");
  return RunProgram(argc, argv, app, flags, Run);
}
